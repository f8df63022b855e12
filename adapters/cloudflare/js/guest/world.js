// Sets up the globals that a program sees in its Worker: Node's globals, without access to the network or to other data of the host.

import { builtins } from '#builtins'
import { boot, WEB } from '#core'
import { natives as modules } from './natives.js'

/** Globals that Node does not have, or that give access to the network or other outside data. */
const NOT_OF_NODE = [
  'caches',
  'fetch',
  'WebSocket',
  'WebSocketPair',
  'EventSource',
  'Cloudflare',
  'HTMLRewriter',
  'scheduler',
  'ServiceWorkerGlobalScope',
  'self',
  'origin',
  'connect',
  'reportError',
  'addEventListener',
  'removeEventListener',
  'dispatchEvent',
]

/**
 * Removes the globals that programs must not have. Call before any program code runs. Returns the functions that this environment itself
 * needs.
 */
export function closeWays() {
  const { setTimeout, clearTimeout, performance, addEventListener, crypto, IdentityTransformStream } = globalThis
  const web = Object.fromEntries(WEB.map((name) => [name, globalThis[name]]))
  const listen = addEventListener.bind(globalThis)
  for (const name of NOT_OF_NODE) {
    for (let at = globalThis; at; at = Object.getPrototypeOf(at)) {
      if (Object.hasOwn(at, name) && !Reflect.deleteProperty(at, name)) Object.defineProperty(at, name, { value: undefined })
    }
  }
  let pending = 0
  let turning
  return {
    web,
    crypto,
    performance,
    setTimeout: setTimeout.bind(globalThis),
    clearTimeout: clearTimeout.bind(globalThis),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    /**
     * Resolves after all promise jobs have run: sends a byte through a stream of the platform, which takes one turn of the event loop,
     * about 20 µs.
     */
    async turn() {
      turning ??= openStream(IdentityTransformStream)
      await turning()
    },
    pending: () => pending,
    track(promise) {
      pending++
      const done = () => {
        pending--
      }
      promise.then(done, done)
      return promise
    },
    listen(state) {
      listen('unhandledrejection', (event) => {
        event.preventDefault()
        if (!state.ended) state.rejections.push({ promise: event.promise, reason: event.reason })
      })
      listen('rejectionhandled', ({ promise }) => {
        const at = state.rejections.findIndex((one) => one.promise === promise)
        if (at >= 0) state.rejections.splice(at, 1)
      })
    },
  }
}

function openStream(IdentityTransformStream) {
  const { readable, writable } = new IdentityTransformStream()
  const writer = writable.getWriter()
  const reader = readable.getReader()
  return async () => {
    const written = writer.write(new Uint8Array(1))
    await reader.read()
    await written
  }
}

/** Creates Node's globals. Returns the function that runs operations of the guest code (`core.cjs`). */
export function openWorld({ job, state, calls, modules: program, natives, clock }) {
  installDate(clock)
  installStacks(job)
  installAbort()
  keepThen()
  builtins['internal/web'] = (_, __, module) => {
    module.exports = natives.web
  }
  const { util } = modules
  builtins.util = (_, require, module) => {
    const { inspect, format, formatWithOptions } = require('internal/inspect')
    module.exports = { ...util, inspect, format, formatWithOptions }
  }
  const cryptoOf = builtins.crypto
  builtins.crypto = (exports, require, module, internal) => {
    cryptoOf(exports, require, module, internal)
    module.exports.webcrypto = Object.create(natives.crypto, {
      getRandomValues: { value: module.exports.getRandomValues },
      randomUUID: { value: module.exports.randomUUID },
      subtle: { value: trackedSubtle(natives) },
    })
    module.exports.subtle = module.exports.webcrypto.subtle
  }
  for (const name of [
    'setTimeout',
    'setInterval',
    'setImmediate',
    'clearTimeout',
    'clearInterval',
    'clearImmediate',
    'queueMicrotask',
    'process',
    'Buffer',
    'crypto',
    'console',
  ]) {
    for (let at = globalThis; at; at = Object.getPrototypeOf(at)) Reflect.deleteProperty(at, name)
  }
  const settings = { ...job, version: 'v20.20.0', builtins: job.builtins }
  const control = boot(calls.call, createPeek(util), (id) => program.import(id), JSON.stringify(settings))
  const { process } = globalThis
  const emit = process.emit
  // Call no listener after the program has ended.
  Object.defineProperty(process, 'emit', {
    value: (...given) => (state.ended ? false : Reflect.apply(emit, process, given)),
    writable: true,
    configurable: true,
    enumerable: false,
  })
  process.versions = { node: '20.20.0', v8: '0' }
  const custom = Symbol.for('nodejs.util.promisify.custom')
  for (const name of ['setTimeout', 'setImmediate']) {
    Object.defineProperty(globalThis[name], custom, {
      get: () => globalThis.__toolport.builtin('timers/promises')[name],
      configurable: true,
    })
  }
  return control
}

/**
 * Creates a function that returns the state of a promise. It reads the state from the output of the platform's `inspect`, because nothing
 * else shows the state.
 */
function createPeek({ inspect }) {
  return (promise, wantsValue) => {
    const text = inspect(promise)
    const rejected = text.includes('<rejected>')
    if (!wantsValue) return text.includes('<pending>') ? 'pending' : rejected ? 'rejected' : 'fulfilled'
    const shown = text
      .slice(text.indexOf('{') + 1, text.lastIndexOf('}'))
      .replace('<rejected>', '')
      .trim()
    return { [Symbol.for('nodejs.util.inspect.custom')]: () => shown }
  }
}

/** Ignores assignments to `Promise.prototype.then`, because a replacement would break the platform and this environment. */
function keepThen() {
  const { prototype } = Promise
  const { then } = prototype
  Object.defineProperty(prototype, 'then', {
    get: () => then,
    set(value) {
      if (this !== prototype) Object.defineProperty(this, 'then', { value, writable: true, configurable: true, enumerable: true })
    },
    configurable: false,
    enumerable: false,
  })
}

/** Makes `abort()` without a reason use the same default reason as Node. */
function installAbort() {
  const reason = () => new DOMException('This operation was aborted', 'AbortError')
  const { prototype } = AbortController
  const { abort } = prototype
  Object.defineProperty(prototype, 'abort', {
    value: {
      abort(...given) {
        Reflect.apply(abort, this, [given[0] === undefined ? reason() : given[0]])
      },
    }.abort,
    writable: true,
    configurable: true,
    enumerable: true,
  })
  const { abort: aborted } = AbortSignal
  Object.defineProperty(AbortSignal, 'abort', {
    value: { abort: (given = reason()) => Reflect.apply(aborted, AbortSignal, [given]) }.abort,
    writable: true,
    configurable: true,
    enumerable: true,
  })
}

/** Wraps `crypto.subtle`, so that a pending operation keeps the program running. */
function trackedSubtle(natives) {
  const { subtle } = natives.crypto
  return new Proxy(subtle, {
    get(target, name) {
      const value = target[name]
      if (typeof value !== 'function') return value
      return (...given) => natives.track(Promise.resolve(Reflect.apply(value, target, given)))
    },
  })
}

/** Makes `Date` use the program's clock, which starts at the host's time. */
function installDate(clock) {
  const Native = globalThis.Date
  const now = () => Math.floor(clock())
  const Own = new Proxy(Native, {
    construct: (target, given, self) => Reflect.construct(target, given.length === 0 ? [now()] : given, self === Own ? target : self),
    apply: () => new Native(now()).toString(),
    get: (target, name) => (name === 'now' ? now : target[name]),
  })
  Object.defineProperty(Native.prototype, 'constructor', { value: Own, writable: true, configurable: true })
  Object.defineProperty(globalThis, 'Date', { value: Own, writable: true, configurable: true, enumerable: false })
}

/** Makes stack traces name the workspace's files, and omit the frames of this environment. */
function installStacks({ modules: table }) {
  const places = new Map(Object.entries(table).map(([path, { name, kind }]) => [name, kind === 'module' ? `file://${path}` : path]))
  const shown = (text) =>
    text.replace(/file:\/\/\/bundle\/([^\s():]+)/g, (whole, name) => places.get(name) ?? places.get(decodeURI(name)) ?? whole)
  Error.prepareStackTrace = (error, frames) => {
    let head
    try {
      head = Error.prototype.toString.call(error)
    } catch {
      head = 'Error'
    }
    const lines = frames.map(String).filter((line) => !/file:\/\/\/bundle\/(toolport|builtin)\//.test(line))
    return [head, ...lines.map((line) => `    at ${shown(line)}`)].join('\n')
  }
}
