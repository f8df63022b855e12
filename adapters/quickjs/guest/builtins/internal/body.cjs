// Headers, Request and Response. Existing packages need those of a browser (whatwg-fetch), or modules of Node (undici, node-fetch).
const custom = Symbol.for('nodejs.util.inspect.custom')
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i
const NULL_BODY = [101, 204, 205, 304]

class Headers {
  #map = new Map()
  constructor(given) {
    if (given === undefined) return
    if (given === null || typeof given !== 'object')
      throw new TypeError('Headers constructor: init is not an object or a sequence of pairs')
    const entries = typeof given[Symbol.iterator] === 'function' ? given : Object.entries(given)
    for (const pair of entries) {
      const [name, value, ...more] = [...pair]
      if (value === undefined || more.length > 0) throw new TypeError('Headers constructor: expected name/value pair to be length 2')
      this.append(name, value)
    }
  }
  #name(name) {
    if (!TOKEN.test(`${name}`)) throw new TypeError(`Headers: ${name} is an invalid header name.`)
    return `${name}`.toLowerCase()
  }
  #value(value) {
    const text = `${value}`.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '')
    if (/[\0\r\n]/.test(text)) throw new TypeError(`Headers: ${JSON.stringify(text)} is an invalid header value.`)
    for (let at = 0; at < text.length; at++) {
      if (text.charCodeAt(at) > 255)
        throw new TypeError(`Cannot convert argument to a ByteString because the character at index ${at} is greater than 255.`)
    }
    return text
  }
  append(name, value) {
    const key = this.#name(name)
    const list = this.#map.get(key) ?? []
    list.push(this.#value(value))
    this.#map.set(key, list)
  }
  set(name, value) {
    this.#map.set(this.#name(name), [this.#value(value)])
  }
  get(name) {
    return this.#map.get(this.#name(name))?.join(', ') ?? null
  }
  getSetCookie() {
    return [...(this.#map.get('set-cookie') ?? [])]
  }
  has(name) {
    return this.#map.has(this.#name(name))
  }
  delete(name) {
    this.#map.delete(this.#name(name))
  }
  forEach(body, self) {
    for (const [name, value] of this) body.call(self, value, name, this)
  }
  *entries() {
    for (const name of [...this.#map.keys()].sort()) {
      const list = this.#map.get(name) ?? []
      if (name === 'set-cookie') for (const value of list) yield [name, value]
      else yield [name, list.join(', ')]
    }
  }
  *keys() {
    for (const [name] of this.entries()) yield name
  }
  *values() {
    for (const [, value] of this.entries()) yield value
  }
  [Symbol.iterator]() {
    return this.entries()
  }
  get [Symbol.toStringTag]() {
    return 'Headers'
  }
  [custom](_depth, options, inspect) {
    return `Headers ${inspect(Object.fromEntries(this), options)}`
  }
}

const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1)
const isStream = (value) => typeof value?.getReader === 'function'
const copyOf = (view) => new Uint8Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength))

/** Returns the content of a body (bytes or a stream) and the content type that it implies. */
function extracted(body) {
  if (isStream(body)) {
    if (body.locked) throw new TypeError('Response body object should not be disturbed or locked')
    return [body]
  }
  if (ArrayBuffer.isView(body)) return [copyOf(body)]
  if (body instanceof ArrayBuffer) return [new Uint8Array(body.slice(0))]
  if (body instanceof URLSearchParams) return [new TextEncoder().encode(`${body}`), 'application/x-www-form-urlencoded;charset=UTF-8']
  if (typeof body === 'object') {
    const tag = tagOf(body)
    if (tag === 'Blob' || tag === 'File') return [body, body.type || undefined]
    if (tag === 'FormData') {
      const blob = require('internal/form').formDataToBlob(body)
      return [blob, blob.type]
    }
    if (typeof body[Symbol.asyncIterator] === 'function') return [ReadableStream.from(body)]
  }
  return [new TextEncoder().encode(`${body}`), 'text/plain;charset=UTF-8']
}

async function bytesOfStream(stream) {
  const chunks = []
  let size = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    if (!ArrayBuffer.isView(value)) throw new TypeError('Received non-Uint8Array chunk')
    chunks.push(value)
    size += value.byteLength
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}

/** The content of a request or response. Creates a stream only on request, because most programs read the whole body. */
class Body {
  #source = null
  #stream
  #used = false
  constructor(body, headers) {
    if (body === undefined || body === null) return
    const [source, type] = extracted(body)
    this.#source = source
    if (isStream(source)) this.#stream = source
    if (type !== undefined && !headers.has('content-type')) headers.set('content-type', type)
  }
  get body() {
    if (this.#source === null) return null
    this.#stream ??= ArrayBuffer.isView(this.#source) ? streamOf(this.#source) : this.#source.stream()
    if (this.#used && !this.#stream.locked) this.#stream.getReader()
    return this.#stream
  }
  get bodyUsed() {
    return this.#used || Boolean(this.#stream?._disturbed)
  }
  async #bytes() {
    if (this.bodyUsed) throw new TypeError('Body is unusable: Body has already been read')
    if (this.#stream?.locked) throw new TypeError('Body is unusable: Body is locked')
    if (this.#source === null) return new Uint8Array(0)
    this.#used = true
    if (this.#stream) return bytesOfStream(this.#stream)
    return ArrayBuffer.isView(this.#source) ? this.#source : new Uint8Array(await this.#source.arrayBuffer())
  }
  async arrayBuffer() {
    const bytes = await this.#bytes()
    return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : copyOf(bytes).buffer
  }
  async bytes() {
    return new Uint8Array(await this.arrayBuffer())
  }
  async text() {
    return new TextDecoder().decode(await this.#bytes())
  }
  async json() {
    return globalThis.JSON.parse(await this.text())
  }
  async blob() {
    return new Blob([await this.#bytes()], { type: this.headers.get('content-type') ?? '' })
  }
  async formData() {
    const type = this.headers.get('content-type') ?? ''
    return require('internal/form').parseForm(await this.#bytes(), type)
  }
  /** Returns the content for `clone` or `new Request(request)`. */
  static shared(body, what) {
    if (body.bodyUsed || body.#stream?.locked) throw new TypeError(`${what}: Body has already been consumed.`)
    if (!body.#stream) return body.#source
    const [own, other] = body.#stream.tee()
    body.#stream = own
    return other
  }
  static taken(body) {
    if (body.bodyUsed || body.#stream?.locked)
      throw new TypeError('Cannot construct a Request with a Request object that has already been used.')
    if (body.#source !== null) body.#used = true
    return body.#stream ?? body.#source
  }
}
const { shared, taken } = Body
delete Body.shared
delete Body.taken

const streamOf = (bytes) =>
  new ReadableStream({
    type: 'bytes',
    start(controller) {
      if (bytes.length > 0) controller.enqueue(copyOf(bytes))
      controller.close()
    },
  })

class Response extends Body {
  #own
  constructor(body = null, init = {}) {
    const { status = 200, statusText = '', headers } = init ?? {}
    const code = Number(status)
    if (!(code >= 200 && code <= 599)) throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.')
    if (body !== null && NULL_BODY.includes(code)) throw new TypeError(`Response constructor: Invalid response status code ${code}`)
    const own = new Headers(headers)
    super(body, own)
    this.#own = { status: Math.trunc(code), statusText: `${statusText}`, headers: own, url: '', type: 'default', redirected: false }
  }
  static _set(response, values) {
    Object.assign(response.#own, values)
    return response
  }
  static json(data, init) {
    const text = globalThis.JSON.stringify(data)
    if (text === undefined) throw new TypeError('Value is not JSON serializable')
    const headers = new Headers(init?.headers)
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
    return new Response(text, { ...init, headers })
  }
  static error() {
    return setResponse(new Response(), { status: 0, type: 'error' })
  }
  static redirect(url, status = 302) {
    if (![301, 302, 303, 307, 308].includes(status)) throw new RangeError(`Invalid status code ${status}`)
    return new Response(null, { status, headers: { location: new URL(url).href } })
  }
  get status() {
    return this.#own.status
  }
  get statusText() {
    return this.#own.statusText
  }
  get ok() {
    return this.#own.status >= 200 && this.#own.status < 300
  }
  get headers() {
    return this.#own.headers
  }
  get url() {
    return this.#own.url
  }
  get type() {
    return this.#own.type
  }
  get redirected() {
    return this.#own.redirected
  }
  clone() {
    return setResponse(new Response(shared(this, 'Response.clone'), { headers: this.headers }), {
      ...this.#own,
      headers: new Headers(this.headers),
    })
  }
  get [Symbol.toStringTag]() {
    return 'Response'
  }
  [custom](_depth, options, inspect) {
    const { status, statusText, headers, ok, redirected, type, url, body, bodyUsed } = this
    return `Response ${inspect({ status, statusText, headers, body, bodyUsed, ok, redirected, type, url }, options)}`
  }
}
const setResponse = Response._set
delete Response._set

const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']
const REST = {
  mode: 'cors',
  credentials: 'same-origin',
  cache: 'default',
  redirect: 'follow',
  referrer: 'about:client',
  referrerPolicy: '',
  integrity: '',
  keepalive: false,
}

class Request extends Body {
  #own
  constructor(input, init = {}) {
    init ??= {}
    const from = input instanceof Request ? input : undefined
    const url = parsedUrl(from ? from.url : input)
    const method = `${init.method ?? from?.method ?? 'GET'}`
    if (!TOKEN.test(method)) throw new TypeError(`'${method}' is not a valid HTTP method.`)
    const upper = METHODS.includes(method.toUpperCase()) ? method.toUpperCase() : method
    if (/^(CONNECT|TRACE|TRACK)$/i.test(method)) throw new TypeError(`'${method}' HTTP method is unsupported.`)
    const headers = new Headers(init.headers ?? from?.headers)
    const given = init.body !== undefined && init.body !== null
    if (given && (upper === 'GET' || upper === 'HEAD')) throw new TypeError('Request with GET/HEAD method cannot have body.')
    if (given && isStream(init.body) && init.duplex !== 'half')
      throw new TypeError('RequestInit: duplex option is required when sending a body.')
    super(given ? init.body : from ? taken(from) : null, headers)
    const signal = init.signal === undefined ? from?.signal : init.signal
    this.#own = { url, method: upper, headers, signal: signal ?? new AbortController().signal }
    for (const [name, value] of Object.entries(REST)) this.#own[name] = init[name] ?? from?.[name] ?? value
  }
  get url() {
    return this.#own.url
  }
  get method() {
    return this.#own.method
  }
  get headers() {
    return this.#own.headers
  }
  get signal() {
    return this.#own.signal
  }
  get destination() {
    return ''
  }
  get duplex() {
    return 'half'
  }
  static _get(request, name) {
    return request.#own[name]
  }
  clone() {
    const { method, headers, signal } = this
    const body = shared(this, 'Request.clone')
    const rest = Object.fromEntries(Object.keys(REST).map((name) => [name, this.#own[name]]))
    return new Request(this.url, { ...rest, method, headers, signal, ...(body !== null && { body, duplex: 'half' }) })
  }
  get [Symbol.toStringTag]() {
    return 'Request'
  }
  [custom](_depth, options, inspect) {
    const { method, url, headers, body, bodyUsed, signal } = this
    return `Request ${inspect({ method, url, headers, body, bodyUsed, signal }, options)}`
  }
}
const getRequest = Request._get
delete Request._get
for (const name of Object.keys(REST)) {
  Object.defineProperty(Request.prototype, name, {
    configurable: true,
    enumerable: true,
    get() {
      return getRequest(this, name)
    },
  })
}

function parsedUrl(given) {
  let url
  try {
    url = new URL(given)
  } catch (cause) {
    throw new TypeError(`Failed to parse URL from ${given}`, { cause })
  }
  if (url.username || url.password) throw new TypeError(`Request cannot be constructed from a URL that includes credentials: ${given}`)
  return url.href
}

module.exports = { Headers, Request, Response, setResponse }
