// Creates the environment of the guest before the program starts. The file's value is a function that the host calls once.
const { createConsole } = require('./console.cjs')
const { createQueue } = require('./queue.cjs')
const { createTimers } = require('./timers.cjs')
const { createProcess } = require('./process.cjs')
const { createModules } = require('./modules.cjs')
const { installErrors } = require('./errors.cjs')
const { installRandom, fill, uuid } = require('./random.cjs')

/** Globals of `builtins/internal/web.cjs`, which loads when a program first reads one of them. */
const WEB = [
  'TextEncoder',
  'TextDecoder',
  'DOMException',
  'Event',
  'CustomEvent',
  'EventTarget',
  'AbortSignal',
  'AbortController',
  'URL',
  'URLSearchParams',
  'btoa',
  'atob',
  'performance',
  'structuredClone',
  'navigator',
]

/** Globals of other modules. An engine that already has one of them keeps its own. */
const MORE = {
  'internal/web': ['MessageChannel', 'MessagePort'],
  'internal/streams': [
    'ReadableStream',
    'ReadableStreamDefaultReader',
    'ReadableStreamBYOBReader',
    'ReadableStreamBYOBRequest',
    'ReadableStreamDefaultController',
    'ReadableByteStreamController',
    'WritableStream',
    'WritableStreamDefaultWriter',
    'WritableStreamDefaultController',
    'TransformStream',
    'TransformStreamDefaultController',
    'ByteLengthQueuingStrategy',
    'CountQueuingStrategy',
    'TextEncoderStream',
    'TextDecoderStream',
    'CompressionStream',
    'DecompressionStream',
  ],
  'internal/form': ['Blob', 'File', 'FormData'],
  'internal/body': ['Headers', 'Request', 'Response'],
}

/**
 * @param call the only call to the host: `(operation, text, bytes) => text | bytes`
 * @param peek `(promise) => 'pending' | 'fulfilled' | 'rejected'`; with `true` as second argument, returns the promise's value
 * @param natives the engine's own `import`
 */
function boot(call, peek, natives, settings) {
  const config = JSON.parse(settings)
  const host = createHost(call)
  let inspectors
  const inspection = () => {
    if (!inspectors) {
      inspectors = modules.builtin('internal/inspect')
      inspectors.engine.promise = (promise) => {
        const state = peek(promise)
        return state === 'pending' ? [state] : [state, peek(promise, true)]
      }
    }
    return inspectors
  }
  const fatal = createFatal(host, inspection)
  const timers = createTimers(host, fatal)
  const process = createProcess(host, config, timers)
  fatal.process = process
  const modules = createModules(host, config, natives, { process, timers, fatal, inspection, random: { fill, uuid } })
  installErrors()
  installRandom(config.seed)
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })
  define('console', createConsole({ host, inspection }))
  define('process', process)
  define('global', globalThis)
  define('globalThis', globalThis)
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate', 'queueMicrotask']) {
    define(name, timers[name])
  }
  const lazy = (name, get) =>
    Object.defineProperty(globalThis, name, {
      configurable: true,
      enumerable: false,
      get() {
        const value = get()
        define(name, value)
        return value
      },
      set: (value) => define(name, value),
    })
  for (const name of WEB) lazy(name, () => modules.builtin('internal/web')[name])
  for (const [from, names] of Object.entries(MORE))
    for (const name of names) if (!(name in globalThis)) lazy(name, () => modules.builtin(from)[name])
  if (config.fetch) lazy('fetch', () => modules.builtin('internal/fetch').fetch)
  if (config.invokeTool) {
    define('invokeTool', async function invokeTool(name, input) {
      return host.later('invokeTool', [`${name}`, input])
    })
  }
  lazy('Buffer', () => modules.builtin('buffer').Buffer)
  lazy('crypto', () => modules.builtin('crypto').webcrypto)
  Object.defineProperty(globalThis, '__toolport', { value: Object.freeze(modules.linker) })

  const operations = {
    main: modules.main,
    ticks: () => timers.runTicks(),
    due: () => JSON.stringify(timers.due()),
    timer: () => timers.runTimer(),
    immediate: () => timers.runImmediate(),
    settle: (text, bytes) => host.settle(text, bytes),
    stdin: (text) => process.stdin.__feed(text),
    server: (text) => modules.builtin('internal/servers').receive(JSON.parse(text)),
    signal: (text) => process.__signal(text),
    unhandled: (_, __, promise, reason) => fatal.unhandled(promise, reason),
    beforeExit: () => process.emit('beforeExit', process.exitCode ?? 0),
    exit: () => String(process.__exit()),
    names: (name) => Object.keys(modules.builtin(name)).join(),
    unsettled: () => modules.unsettled(),
    result: () => modules.result(),
  }
  return (operation, text, bytes, ...values) => {
    try {
      return operations[operation](text, bytes, ...values)
    } catch (error) {
      fatal(error)
    }
  }
}

/** Maximum number of open questions per operation. Further questions wait in the guest's memory. */
const QUESTIONS_AT_ONCE = 16
/**
 * Lower or higher limits for some operations. The host holds each answer until it is delivered, so operations with large answers have low
 * limits.
 */
const AT_ONCE = { __proto__: null, fs: 1, fetch: 6, server: 160 }

/** Creates the functions that call the host: synchronously (`now`), or with a later answer (`later`). */
function createHost(call) {
  const waiting = new Map()
  const lines = new Map()
  let last = 0
  const lineOf = (operation) => {
    if (!lines.has(operation)) lines.set(operation, { open: 0, limit: AT_ONCE[operation] ?? QUESTIONS_AT_ONCE, queue: createQueue() })
    return lines.get(operation)
  }
  const text = String
  const host = {
    /** @throws the error that the host answers with */
    now(operation, input = null, bytes) {
      const answer = call(text(operation), JSON.stringify(input) ?? 'null', bytes)
      if (typeof answer !== 'string') return answer
      if (answer.startsWith('!')) throw hostError(JSON.parse(answer.slice(1)))
      return answer
    },
    later(operation, input = null, bytes) {
      const id = ++last
      const question = `${id} ${operation} ${JSON.stringify(input) ?? 'null'}`
      const line = lineOf(operation)
      return new Promise((resolve, reject) => {
        const ask = () => {
          waiting.set(id, { line, resolve, reject })
          line.open++
          try {
            call('later', question, bytes)
          } catch (error) {
            waiting.delete(id)
            line.open--
            reject(error)
          }
        }
        if (line.open < line.limit) ask()
        else line.queue.push(ask)
      })
    },
    settle(given, bytes) {
      const { id, error, value } = JSON.parse(given)
      const { line, resolve, reject } = waiting.get(id)
      waiting.delete(id)
      line.open--
      if (error) reject(hostError(error))
      else resolve(bytes === undefined ? value : { value, bytes })
      // A failed question makes room for the next one too.
      while (line.open < line.limit) {
        const ask = line.queue.shift()
        if (!ask) break
        ask()
      }
    },
    /** Prints plain text. */
    write: (stream, output) => void call(stream, JSON.stringify(text(output))),
    raw: call,
  }
  return host
}

function hostError({ name = 'Error', message, ...more }) {
  const Class = { TypeError, RangeError, SyntaxError }[name] ?? Error
  const error = new Class(message)
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  for (const [key, value] of Object.entries(more)) if (key !== 'stack') error[key] = value
  return error
}

/** Creates the function that handles uncaught exceptions and unhandled rejections. */
function createFatal(host, inspection) {
  const inspect = (value) => inspection().inspect(value)
  /** Returns whether an exception means that there was no memory for an error object: the engine then throws null. */
  const isOutOfMemory = (error) => error === null && host.raw('full', '') === 'true'
  const isOfMemory = (error) => error instanceof InternalError && error.message === 'out of memory'
  const fatal = (error, origin = 'uncaughtException') => {
    if (isOutOfMemory(error)) return
    const { process } = fatal
    if (process.listenerCount('uncaughtException') > 0) {
      try {
        return void process.emit('uncaughtException', error, origin)
      } catch (second) {
        error = second
      }
    }
    fatal.end(error, error instanceof Error || typeof error === 'object' ? shown(error) : `Uncaught:\n${inspect(error)}`)
  }
  const shown = (error) => {
    try {
      return inspect(error)
    } catch {
      return isOfMemory(error) ? 'InternalError: out of memory' : 'Uncaught exception'
    }
  }
  fatal.end = (error, text) => {
    const { process } = fatal
    host.write('stderr', `${text}\n\nNode.js ${process.version}\n`)
    process.exitCode = undefined
    process.__leave(isOfMemory(error) ? 134 : 1)
  }
  fatal.unhandled = (promise, reason) => {
    if (isOutOfMemory(reason)) return
    const { process } = fatal
    if (process.listenerCount('unhandledRejection') > 0) return void process.emit('unhandledRejection', reason, promise)
    if (process.listenerCount('uncaughtException') > 0) return void process.emit('uncaughtException', reason, 'unhandledRejection')
    if (reason instanceof Error) return fatal.end(reason, shown(reason))
    const message = `This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "${typeof reason === 'string' ? reason : shown(reason)}".`
    fatal.end(reason, `[UnhandledPromiseRejection: ${message}] {\n  code: 'ERR_UNHANDLED_REJECTION'\n}`)
  }
  return fatal
}

module.exports = { boot, WEB }
