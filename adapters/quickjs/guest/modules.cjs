/** Adds functions that the package `events` lacks. */
function completeEvents(events) {
  if (events.on) return events
  events.getEventListeners = (emitter, name) => (typeof emitter.listeners === 'function' ? emitter.listeners(name) : [])
  events.setMaxListeners = (count, ...emitters) => {
    for (const emitter of emitters) emitter.setMaxListeners?.(count)
  }
  events.addAbortListener = (signal, listener) => {
    if (signal.aborted) queueMicrotask(listener)
    else signal.addEventListener('abort', listener, { once: true })
    return { [Symbol.dispose ?? Symbol.for('Symbol.dispose')]: () => signal.removeEventListener('abort', listener) }
  }
  events.errorMonitor = Symbol('events.errorMonitor')
  events.captureRejectionSymbol = Symbol.for('nodejs.rejection')
  events.captureRejections = false
  events.on = (emitter, name, { signal } = {}) => {
    const values = []
    const waiting = []
    let failure
    const settle = (outcome) => {
      const next = waiting.shift()
      if (next) outcome(next)
      return Boolean(next)
    }
    const onValue = (...given) => settle(({ resolve }) => resolve({ value: given, done: false })) || values.push(given)
    const onError = (error) => {
      stop()
      if (!settle(({ reject }) => reject(error))) failure = { error }
    }
    const onAbort = () =>
      onError(Object.assign(new Error('The operation was aborted', { cause: signal.reason }), { name: 'AbortError', code: 'ABORT_ERR' }))
    let over = false
    const stop = () => {
      over = true
      emitter.removeListener(name, onValue)
      emitter.removeListener('error', onError)
      signal?.removeEventListener('abort', onAbort)
    }
    emitter.on(name, onValue)
    if (name !== 'error') emitter.on('error', onError)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort)
    return {
      next() {
        if (values.length > 0) return Promise.resolve({ value: values.shift(), done: false })
        if (failure) {
          const { error } = failure
          failure = undefined
          return Promise.reject(error)
        }
        if (over) return Promise.resolve({ value: undefined, done: true })
        return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
      },
      return() {
        stop()
        while (settle(({ resolve }) => resolve({ value: undefined, done: true })));
        return Promise.resolve({ value: undefined, done: true })
      },
      throw(error) {
        onError(error)
        return Promise.resolve({ value: undefined, done: true })
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }
  return events
}

// CommonJS, the modules of Node, and the features that the engine's module loader lacks.
function createModules(host, config, natives, given) {
  const builtins = new Map()
  const cache = Object.create(null)
  const metas = new Map()
  let main
  let state = 'loading'
  let exported

  const plain = (specifier) => (specifier.startsWith('node:') ? specifier.slice(5) : specifier)
  /** @throws if there is no such module */
  const builtin = (name) => {
    if (builtins.has(name)) return builtins.get(name)
    const module = { exports: {} }
    builtins.set(name, module.exports)
    const run = host.raw('builtin', name)
    run(module.exports, builtin, module, internal, JSON)
    builtins.set(name, module.exports)
    return module.exports
  }
  const fault = ({ code, message }) => {
    const error = code === 'SyntaxError' ? new SyntaxError(message) : new Error(message)
    if (code && code !== 'SyntaxError') error.code = code
    return error
  }
  const slashed = (path) => path.slice(0, path.lastIndexOf('/')) || '/'

  class Module {
    constructor(id, parent) {
      this.id = id
      this.path = slashed(id)
      this.exports = {}
      this.filename = id
      this.loaded = false
      this.children = []
      this.paths = []
      Object.defineProperty(this, 'parent', { value: parent, enumerable: false, configurable: true, writable: true })
    }
    require(specifier) {
      return requireFrom(this.filename)(specifier)
    }
  }
  const notFound = (specifier, from) => {
    const error = new Error(`Cannot find module '${specifier}'\nRequire stack:\n- ${from}`)
    error.code = 'MODULE_NOT_FOUND'
    error.requireStack = [from]
    return error
  }
  const resolveFrom = (specifier, from) => {
    if (typeof specifier !== 'string') {
      throw Object.assign(new TypeError(`The "id" argument must be of type string. Received ${given.inspection().inspect(specifier)}`), {
        code: 'ERR_INVALID_ARG_TYPE',
      })
    }
    if (config.builtins.includes(plain(specifier))) return { builtin: plain(specifier) }
    const resolution = JSON.parse(host.now('resolve', { specifier, from, kind: 'require' }))
    if (resolution === null) throw notFound(specifier, from)
    if (resolution.error) throw Object.assign(fault(resolution.error), { requireStack: [from] })
    return resolution
  }
  const requireFrom = (from, parent) => {
    const require = (specifier) => {
      const resolution = resolveFrom(specifier, from)
      return resolution.builtin !== undefined ? builtin(resolution.builtin) : load(resolution.path, parent ?? cache[from], from)
    }
    require.resolve = (specifier) => {
      const resolution = resolveFrom(specifier, from)
      return resolution.builtin !== undefined ? specifier : resolution.path
    }
    require.resolve.paths = () => []
    require.cache = cache
    require.main = main
    require.extensions = Object.create(null)
    return require
  }
  const load = (path, parent, from) => {
    const cached = cache[path]
    if (cached) {
      if (parent && !parent.children.includes(cached)) parent.children.push(cached)
      return cached.exports
    }
    const info = JSON.parse(host.now('module', path))
    if (info.error) throw fault(info.error)
    if (info.kind === 'module') return host.raw('namespace', path)
    const module = new Module(path, parent)
    cache[path] = module
    parent?.children.push(module)
    if (parent === undefined && from === undefined && main === undefined) {
      main = module
      module.id = '.'
      given.process.mainModule = module
    }
    try {
      if (info.kind === 'json') module.exports = json(path)
      else {
        const run = host.raw('compile', path)
        Reflect.apply(run, module.exports, [module.exports, requireFrom(path, module), module, path, slashed(path)])
      }
    } catch (error) {
      delete cache[path]
      throw error
    }
    module.loaded = true
    return module.exports
  }
  const json = (path) => {
    try {
      return JSON.parse(JSON.parse(host.now('text', path)))
    } catch (error) {
      error.message = `${path}: ${error.message}`
      throw error
    }
  }
  const fileUrl = (path) => `file://${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`
  const meta = (path) => {
    let found = metas.get(path)
    if (!found) {
      found = Object.assign(Object.create(null), { dirname: slashed(path), filename: path })
      found.resolve = (specifier) => {
        const resolution = JSON.parse(host.now('resolve', { specifier: `${specifier}`, from: path, kind: 'import' }))
        if (resolution?.error) throw fault(resolution.error)
        if (resolution?.builtin !== undefined) return `node:${resolution.builtin}`
        if (resolution) return fileUrl(resolution.path)
        if (config.builtins.includes(plain(`${specifier}`))) return `node:${plain(`${specifier}`)}`
        return new URL(`${specifier}`, fileUrl(path)).href
      }
      found.url = fileUrl(path)
      metas.set(path, found)
    }
    return found
  }
  const importer = (path) => async (specifier) => {
    const wanted = `${specifier}`
    if (config.builtins.includes(plain(wanted))) return natives(`node:${plain(wanted)}`)
    const question = { specifier: wanted, from: path, kind: 'import' }
    const resolution = JSON.parse(host.now('resolve', question)) ?? (await host.later('extend', question))
    if (resolution.error) throw fault(resolution.error)
    try {
      return await natives(resolution.builtin !== undefined ? `node:${resolution.builtin}` : resolution.path)
    } catch (error) {
      failed(error)
      throw error
    }
  }
  const reasons = new Set()
  /** Tells the host that an import failed, so that the host drops the engine's own rejections for the module. */
  const failed = (error) => {
    host.raw('failed', reasons.has(error) ? '' : 'first', error)
    reasons.add(error)
    if (error instanceof Error && Object.hasOwn(error, 'name')) coded(error)
  }
  /** Restores the code of a loader error from its name `Error [CODE]`, because such an error has only a name and a message. */
  const coded = (error) => {
    const code = /^Error \[(\w+)\]$/.exec(error.name)?.[1]
    if (code === undefined) return
    const value = `${error.name}: ${error.message}`
    delete error.name
    Object.defineProperty(error, 'stack', { value, configurable: true, writable: true, enumerable: false })
    error.code = code
  }

  const internal = { ...given, host, config, requireFrom, fileUrl, Module }
  builtins.set('process', given.process)
  builtins.set('timers', {
    setTimeout: given.timers.setTimeout,
    setInterval: given.timers.setInterval,
    setImmediate: given.timers.setImmediate,
    clearTimeout: given.timers.clearTimeout,
    clearInterval: given.timers.clearInterval,
    clearImmediate: given.timers.clearImmediate,
    get promises() {
      return builtin('timers/promises')
    },
  })
  builtins.set('events', completeEvents(require('events')))

  /** Starts a server if the default export has a method `fetch`. */
  const serve = () => {
    const app = exported.default?.default ?? exported.default
    if (!config.servers || typeof app?.fetch !== 'function') return
    const port = app.port ?? Number(given.process.env.PORT || 3000)
    builtin('internal/servers')
      .serveFetch(app, port)
      .catch((error) => given.fatal(error))
  }

  return {
    builtin,
    linker: { builtin, cjs: (path) => load(path, undefined, null), json, meta, importer },
    /** Starts the program. The host asks for the outcome later (`unsettled`, `result`). */
    main(text) {
      const { path, kind } = JSON.parse(text)
      if (kind !== 'module') {
        exported = { default: load(path) }
        serve()
        if (
          kind === 'commonjs' &&
          exported.default &&
          typeof exported.default === 'object' &&
          Reflect.ownKeys(exported.default).length === 0
        )
          exported = {}
        state = 'done'
        return
      }
      natives(path).then(
        (namespace) => {
          state = 'done'
          exported = namespace
          serve()
        },
        (error) => {
          state = 'failed'
          failed(error)
          given.fatal(error, 'unhandledRejection')
        },
      )
    },
    unsettled: () => (state === 'loading' ? '1' : ''),
    /** Returns the default export as JSON. Empty if there is no default export, or if the default export serves requests. */
    result() {
      const value = exported?.default
      if (config.servers && typeof value?.fetch === 'function') return ''
      return (value === undefined ? undefined : JSON.stringify(value)) ?? ''
    },
  }
}

module.exports = { createModules }
