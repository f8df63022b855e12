// Web globals that programs use. Only a few operations call the host.
const { host, timers, config } = internal

function createWeb() {
  const bytesOf = (source) => {
    if (source === undefined) return new ArrayBuffer(0)
    if (ArrayBuffer.isView(source)) return source.buffer.slice(source.byteOffset, source.byteOffset + source.byteLength)
    return source.slice(0)
  }

  class TextEncoder {
    get encoding() {
      return 'utf-8'
    }
    encode(text = '') {
      return new Uint8Array(host.now('encode', `${text}`))
    }
    encodeInto(text, target) {
      const bytes = this.encode(text)
      let end = Math.min(bytes.length, target.length)
      while (end < bytes.length && end > 0 && (bytes[end] & 0xc0) === 0x80) end--
      target.set(bytes.subarray(0, end))
      return { read: new TextDecoder().decode(bytes.subarray(0, end)).length, written: end }
    }
  }
  class TextDecoder {
    #kept = new Uint8Array(0)
    constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
      this.encoding = JSON.parse(host.now('decoder', `${label}`))
      this.fatal = Boolean(fatal)
      this.ignoreBOM = Boolean(ignoreBOM)
    }
    decode(source, { stream = false } = {}) {
      let bytes = new Uint8Array(bytesOf(source))
      if (this.#kept.length > 0) {
        const both = new Uint8Array(this.#kept.length + bytes.length)
        both.set(this.#kept)
        both.set(bytes, this.#kept.length)
        bytes = both
        this.#kept = new Uint8Array(0)
      }
      if (stream && this.encoding === 'utf-8') {
        const end = bytes.length - unfinished(bytes)
        this.#kept = bytes.slice(end)
        bytes = bytes.slice(0, end)
      }
      return JSON.parse(
        host.now(
          'decode',
          [this.encoding, this.fatal, this.ignoreBOM],
          bytes.buffer.byteLength === bytes.length ? bytes.buffer : bytes.slice().buffer,
        ),
      )
    }
  }
  /** Returns the number of bytes at the end that belong to an incomplete character. */
  const unfinished = (bytes) => {
    for (let back = 1; back <= Math.min(3, bytes.length); back++) {
      const byte = bytes[bytes.length - back]
      if ((byte & 0xc0) === 0x80) continue
      const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
      return needs > back ? back : 0
    }
    return 0
  }

  class DOMException extends Error {
    #name
    constructor(message = '', name = 'Error') {
      super(message)
      this.#name = typeof name === 'object' ? (name.name ?? 'Error') : `${name}`
    }
    get name() {
      return this.#name
    }
    get code() {
      return { AbortError: 20, DataCloneError: 25, InvalidCharacterError: 5, TimeoutError: 23, QuotaExceededError: 22 }[this.#name] ?? 0
    }
  }
  Object.defineProperty(DOMException.prototype, Symbol.toStringTag, { value: 'DOMException', configurable: true })

  class Event {
    constructor(type, { cancelable = false, bubbles = false } = {}) {
      Object.assign(this, {
        type: `${type}`,
        cancelable,
        bubbles,
        defaultPrevented: false,
        target: null,
        currentTarget: null,
        timeStamp: timers.now(),
      })
    }
    preventDefault() {
      if (this.cancelable) this.defaultPrevented = true
    }
    stopPropagation() {}
    stopImmediatePropagation() {
      Object.defineProperty(this, '_stopped', { value: true })
    }
  }
  class CustomEvent extends Event {
    constructor(type, options = {}) {
      super(type, options)
      this.detail = options.detail ?? null
    }
  }
  class EventTarget {
    #listeners = new Map()
    addEventListener(type, listener, options) {
      if (!listener) return
      const list = this.#listeners.get(type) ?? []
      if (list.some((entry) => entry.listener === listener)) return
      const { once = false, signal } = typeof options === 'object' && options ? options : {}
      if (signal?.aborted) return
      list.push({ listener, once })
      this.#listeners.set(type, list)
      signal?.addEventListener('abort', () => this.removeEventListener(type, listener), { once: true })
    }
    removeEventListener(type, listener) {
      const list = this.#listeners.get(type)
      if (list)
        this.#listeners.set(
          type,
          list.filter((entry) => entry.listener !== listener),
        )
    }
    dispatchEvent(event) {
      event.target = this
      event.currentTarget = this
      const handler = this[`on${event.type}`]
      for (const { listener, once } of [
        ...(typeof handler === 'function' ? [{ listener: handler }] : []),
        ...(this.#listeners.get(event.type) ?? []),
      ]) {
        if (once) this.removeEventListener(event.type, listener)
        try {
          if (typeof listener === 'function') listener.call(this, event)
          else listener.handleEvent(event)
        } catch (error) {
          timers.nextTick(() => {
            throw error
          })
        }
        if (event._stopped) break
      }
      return !event.defaultPrevented
    }
  }
  let making = false
  class AbortSignal extends EventTarget {
    #aborted = false
    #reason
    constructor() {
      if (!making) throw new TypeError('Illegal constructor')
      super()
      this.onabort = null
      Object.defineProperty(this, 'onabort', { enumerable: false, writable: true })
    }
    get aborted() {
      return this.#aborted
    }
    get reason() {
      return this.#reason
    }
    throwIfAborted() {
      if (this.#aborted) throw this.#reason
    }
    static _abort(signal, reason = new DOMException('This operation was aborted', 'AbortError')) {
      if (signal.#aborted) return
      signal.#aborted = true
      signal.#reason = reason
      signal.dispatchEvent(new Event('abort'))
    }
    static abort(reason) {
      const signal = fresh()
      abort(signal, reason)
      return signal
    }
    static timeout(ms) {
      const signal = fresh()
      timers.setTimeout(() => abort(signal, new DOMException('The operation was aborted due to timeout', 'TimeoutError')), ms).unref()
      return signal
    }
    static any(signals) {
      const signal = fresh()
      for (const other of signals) {
        if (other.aborted) abort(signal, other.reason)
        else other.addEventListener('abort', () => abort(signal, other.reason), { once: true })
      }
      return signal
    }
    [Symbol.for('nodejs.util.inspect.custom')]() {
      return { toString: () => `AbortSignal { aborted: ${this.#aborted} }` }.toString()
    }
  }
  const abort = AbortSignal._abort
  delete AbortSignal._abort
  const fresh = () => {
    making = true
    try {
      return new AbortSignal()
    } finally {
      making = false
    }
  }
  class AbortController {
    #signal = fresh()
    get signal() {
      return this.#signal
    }
    abort(reason) {
      abort(this.#signal, reason)
    }
  }

  class URLSearchParams {
    #list = []
    #url
    constructor(given = '', url) {
      this.#url = url
      if (typeof given === 'object' && given !== null) {
        if (typeof given[Symbol.iterator] === 'function') for (const [name, value] of given) this.#list.push([`${name}`, `${value}`])
        else for (const name of Object.keys(given)) this.#list.push([name, `${given[name]}`])
      } else this._parse(`${given}`)
    }
    _parse(text) {
      const decode = (part) => {
        const spaced = part.replaceAll('+', ' ')
        try {
          return decodeURIComponent(spaced)
        } catch {
          return new TextDecoder().decode(Uint8Array.from(unescape(unescape(encodeURIComponent(spaced))), (c) => c.charCodeAt(0)))
        }
      }
      this.#list = text
        .replace(/^\?/, '')
        .split('&')
        .filter((part) => part !== '')
        .map((part) => {
          const at = part.indexOf('=')
          return at === -1 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))]
        })
    }
    #changed() {
      this.#url?.(this.toString())
    }
    get size() {
      return this.#list.length
    }
    append(name, value) {
      this.#list.push([`${name}`, `${value}`])
      this.#changed()
    }
    delete(name, value) {
      this.#list = this.#list.filter((entry) => entry[0] !== `${name}` || (value !== undefined && entry[1] !== `${value}`))
      this.#changed()
    }
    get(name) {
      return this.#list.find((entry) => entry[0] === `${name}`)?.[1] ?? null
    }
    getAll(name) {
      return this.#list.filter((entry) => entry[0] === `${name}`).map((entry) => entry[1])
    }
    has(name, value) {
      return this.#list.some((entry) => entry[0] === `${name}` && (value === undefined || entry[1] === `${value}`))
    }
    set(name, value) {
      const at = this.#list.findIndex((entry) => entry[0] === `${name}`)
      if (at === -1) this.#list.push([`${name}`, `${value}`])
      else {
        this.#list[at][1] = `${value}`
        this.#list = this.#list.filter((entry, index) => index <= at || entry[0] !== `${name}`)
      }
      this.#changed()
    }
    sort() {
      this.#list.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      this.#changed()
    }
    forEach(body, self) {
      for (const [name, value] of this.#list) body.call(self, value, name, this)
    }
    *entries() {
      for (const [name, value] of this.#list) yield [name, value]
    }
    *keys() {
      for (const [name] of this.#list) yield name
    }
    *values() {
      for (const [, value] of this.#list) yield value
    }
    [Symbol.iterator]() {
      return this.entries()
    }
    toString() {
      const encode = (part) =>
        encodeURIComponent(part.toWellFormed())
          .replaceAll('%20', '+')
          .replace(/[!'()~]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)
      return this.#list.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
    }
    [Symbol.for('nodejs.util.inspect.custom')](_depth, _options, inspect) {
      const entries = this.#list.map(([name, value]) => `${inspect(name)} => ${inspect(value)}`)
      return entries.length === 0 ? 'URLSearchParams {}' : `URLSearchParams { ${entries.join(', ')} }`
    }
  }
  hide(URLSearchParams.prototype, '_parse')

  const PARTS = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash']
  const ask = (given) => JSON.parse(host.now('url', given))
  class URL {
    #parts
    #params
    constructor(url, base) {
      this.#parts = ask({ url: `${url}`, ...(base !== undefined && { base: `${base}` }) })
      if (this.#parts === null)
        throw Object.assign(new TypeError('Invalid URL'), {
          code: 'ERR_INVALID_URL',
          input: `${url}`,
          ...(base !== undefined && { base: `${base}` }),
        })
    }
    get searchParams() {
      this.#params ??= new URLSearchParams(this.#parts.search, (search) => {
        this.#parts = ask({ url: this.#parts.href, set: 'search', value: search }) ?? this.#parts
      })
      return this.#params
    }
    static _get(url, part) {
      return url.#parts[part]
    }
    static _set(url, part, value) {
      const parts = ask({ url: url.#parts.href, set: part, value: `${value}` })
      if (parts === null) throw Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' })
      url.#parts = parts
      if (part === 'search' || part === 'href') url.#params?._parse(parts.search)
    }
    static canParse(url, base) {
      return ask({ url: `${url}`, ...(base !== undefined && { base: `${base}` }) }) !== null
    }
    toString() {
      return this.#parts.href
    }
    toJSON() {
      return this.#parts.href
    }
    [Symbol.for('nodejs.util.inspect.custom')](_depth, options, inspect) {
      const shown = Object.fromEntries(
        ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search'].map((part) => [
          part,
          this[part],
        ]),
      )
      Object.defineProperty(shown, 'constructor', { value: URL, enumerable: false })
      return inspect(Object.assign(Object.create({ constructor: URL }), shown, { searchParams: this.searchParams, hash: this.hash }), {
        ...options,
      })
    }
  }
  const { _get, _set } = URL
  delete URL._get
  delete URL._set
  for (const part of PARTS) {
    Object.defineProperty(URL.prototype, part, {
      configurable: true,
      enumerable: true,
      get() {
        return _get(this, part)
      },
      ...(part !== 'origin' && {
        set(value) {
          _set(this, part, value)
        },
      }),
    })
  }

  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const btoa = (given) => {
    const text = `${given}`
    let out = ''
    for (let at = 0; at < text.length; at += 3) {
      const codes = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)]
      if (codes.some((code) => code > 255)) throw new DOMException('Invalid character', 'InvalidCharacterError')
      const word = (codes[0] << 16) | ((codes[1] || 0) << 8) | (codes[2] || 0)
      out += ALPHABET[word >> 18] + ALPHABET[(word >> 12) & 63]
      out += at + 1 < text.length ? ALPHABET[(word >> 6) & 63] : '='
      out += at + 2 < text.length ? ALPHABET[word & 63] : '='
    }
    return out
  }
  const atob = (given) => {
    const text = `${given}`.replace(/[\t\n\f\r ]/g, '').replace(/={1,2}$/, '')
    if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text))
      throw new DOMException('The string to be decoded is not correctly encoded.', 'InvalidCharacterError')
    let out = ''
    let word = 0
    let bits = 0
    for (const character of text) {
      word = ((word << 6) | ALPHABET.indexOf(character)) & 0xffffff
      bits += 6
      if (bits >= 8) {
        bits -= 8
        out += String.fromCharCode((word >> bits) & 0xff)
      }
    }
    return out
  }

  const cloned = (value, seen) => {
    if (typeof value === 'function' || typeof value === 'symbol') {
      throw new DOMException(
        `${typeof value === 'symbol' ? String(value) : Function.prototype.toString.call(value)} could not be cloned.`,
        'DataCloneError',
      )
    }
    if (value === null || typeof value !== 'object') return value
    if (seen.has(value)) return seen.get(value)
    const keep = (copy) => {
      seen.set(value, copy)
      return copy
    }
    if (value instanceof Date) return keep(new Date(value.getTime()))
    if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags))
    if (value instanceof ArrayBuffer) return keep(value.slice(0))
    if (ArrayBuffer.isView(value)) {
      const buffer = cloned(value.buffer, seen)
      const Class = value instanceof DataView ? DataView : globalThis[Object.prototype.toString.call(value).slice(8, -1)]
      return keep(new Class(buffer, value.byteOffset, value.length ?? value.byteLength))
    }
    for (const Class of [Number, String, Boolean, BigInt])
      if (value instanceof Class) return keep(Object(Class.prototype.valueOf.call(value)))
    if (value instanceof Map) {
      const copy = keep(new Map())
      for (const [key, item] of [...value]) copy.set(cloned(key, seen), cloned(item, seen))
      return copy
    }
    if (value instanceof Set) {
      const copy = keep(new Set())
      for (const item of [...value]) copy.add(cloned(item, seen))
      return copy
    }
    if (value instanceof Error) {
      const Class = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError }[value.name] ?? Error
      const copy = keep(new Class(value.message))
      Object.defineProperty(copy, 'stack', { value: value.stack, configurable: true, writable: true })
      if (Object.hasOwn(value, 'cause'))
        Object.defineProperty(copy, 'cause', { value: cloned(value.cause, seen), configurable: true, writable: true })
      return copy
    }
    if (value instanceof WeakMap || value instanceof WeakSet || value instanceof Promise || value instanceof WeakRef) {
      throw new DOMException(`#<${value.constructor.name}> could not be cloned.`, 'DataCloneError')
    }
    const copy = keep(Array.isArray(value) ? new Array(value.length) : {})
    for (const key of Object.keys(value)) copy[key] = cloned(value[key], seen)
    return copy
  }

  /** Delivers messages in a later turn of the event loop. An open port does not keep the program running. */
  class MessagePort extends EventTarget {
    #other
    #closed = false
    #started = false
    #waiting = []
    #onmessage = null
    constructor() {
      if (!making) throw new TypeError('Illegal constructor')
      super()
    }
    static _join(one, other) {
      one.#other = other
      other.#other = one
    }
    get onmessage() {
      return this.#onmessage
    }
    set onmessage(listener) {
      this.#onmessage = listener
      this.start()
    }
    start() {
      this.#started = true
      for (const data of this.#waiting.splice(0)) this.#deliver(data)
    }
    postMessage(value) {
      const data = cloned(value, new Map())
      timers.setImmediate(() => this.#other.#arrive(data))
    }
    #arrive(data) {
      if (this.#closed) return
      if (this.#started) this.#deliver(data)
      else this.#waiting.push(data)
    }
    #deliver(data) {
      this.dispatchEvent(Object.assign(new Event('message'), { data }))
    }
    close() {
      this.#closed = true
    }
    ref() {}
    unref() {}
  }
  const join = MessagePort._join
  delete MessagePort._join
  class MessageChannel {
    constructor() {
      making = true
      try {
        this.port1 = new MessagePort()
        this.port2 = new MessagePort()
      } finally {
        making = false
      }
      join(this.port1, this.port2)
    }
  }

  const performance = {
    timeOrigin: config.now,
    now: () => timers.now() - config.now,
    mark() {},
    measure() {},
    toJSON: () => ({}),
    [Symbol.toStringTag]: 'Performance',
  }
  return {
    TextEncoder,
    TextDecoder,
    DOMException,
    Event,
    CustomEvent,
    EventTarget,
    AbortSignal,
    AbortController,
    URL,
    URLSearchParams,
    MessageChannel,
    MessagePort,
    btoa,
    atob,
    performance,
    structuredClone: (value) => cloned(value, new Map()),
    navigator: {
      hardwareConcurrency: 1,
      userAgent: `Node.js/${config.version.slice(1).split('.')[0]}`,
      language: 'en-US',
      platform: 'linux',
    },
  }
}

function hide(target, key) {
  Object.defineProperty(target, key, { value: target[key], enumerable: false, configurable: false, writable: false })
}

module.exports = createWeb()
