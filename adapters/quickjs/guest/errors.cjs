// Gives errors Node's `stack`: first the name and message, then the frames. The engine's own `stack` has only frames.
function installErrors() {
  Object.setPrototypeOf(InternalError.prototype, RangeError.prototype)
  Object.defineProperty(InternalError.prototype, 'name', { value: 'RangeError', configurable: true, writable: true })
  const wrap = (Native, parent) => {
    const name = Native.name
    const Wrapped = {
      [name]: function (...given) {
        const error = Reflect.construct(Native, given, new.target ?? Wrapped)
        capture(error, new.target === undefined || new.target === Wrapped ? name : undefined)
        return error
      },
    }[name]
    Object.defineProperty(Wrapped, 'length', { value: Native.length, configurable: true })
    Wrapped.prototype = Native.prototype
    Object.defineProperty(Native.prototype, 'constructor', { value: Wrapped, configurable: true, writable: true })
    if (parent) Object.setPrototypeOf(Wrapped, parent)
    else {
      Wrapped.captureStackTrace = (target, above) => {
        const lines = stackOf(new Native())
        const at = typeof above === 'function' && above.name ? lines.findIndex((line) => line.includes(`at ${above.name} (`)) : 0
        const shown = lines.slice(Math.max(at, 0) + 1)
        const { prepareStackTrace } = Wrapped
        // Packages use `prepareStackTrace` to find their caller. Errors of other kinds do not call it.
        const stack = typeof prepareStackTrace === 'function' ? prepareStackTrace(target, shown.map(callSiteOf)) : undefined
        define(target, 'stack', stack ?? [headerOf(target), ...shown].join('\n'))
      }
      Wrapped.stackTraceLimit = 10
    }
    Object.defineProperty(globalThis, name, { value: Wrapped, configurable: true, writable: true })
    return Wrapped
  }
  const define = (target, key, value) =>
    Object.defineProperty(target, key, { value, configurable: true, writable: true, enumerable: false })
  const stackOf = (error) =>
    String(error.stack ?? '')
      .split('\n')
      .filter(Boolean)
  const headerOf = (target) => {
    try {
      return Error.prototype.toString.call(target)
    } catch {
      return 'Error'
    }
  }
  /** Sets `stack` without the frames of the error's own constructor. */
  const capture = (error, name) => {
    const lines = stackOf(error)
    const own = lines.findIndex((line) =>
      name !== undefined ? line.includes(`at ${name} (`) : /at (?:\w*Error|\w+) \(node:internal/.test(line),
    )
    const below = lines.slice(own + 1).filter((line) => !line.includes('(node:internal/'))
    // Build the text when it is first read, with the name and message at that time.
    Object.defineProperty(error, 'stack', {
      configurable: true,
      enumerable: false,
      get() {
        const text = [headerOf(error), ...below].join('\n')
        define(error, 'stack', text)
        return text
      },
      set: (value) => void define(error, 'stack', value),
    })
  }
  const Base = wrap(Error)
  for (const Native of [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError]) wrap(Native, Base)
  Object.defineProperty(InternalError.prototype, 'constructor', { value: globalThis.RangeError, configurable: true, writable: true })
}

/** Converts a line of a stack trace to a call site like V8's, for `Error.prepareStackTrace`. */
function callSiteOf(line) {
  const [, name, place = line.trim().slice(3)] = /^\s*at (.*?) \((.*)\)$/.exec(line) ?? []
  const [, file = place, row, column] = /^(.*?):(\d+)(?::(\d+))?$/.exec(place) ?? []
  const isNative = file === 'native'
  return {
    getThis: () => undefined,
    getTypeName: () => 'Object',
    getFunction: () => undefined,
    getFunctionName: () => (name === undefined || name === '<anonymous>' ? null : name),
    getMethodName: () => null,
    getFileName: () => (isNative ? null : file),
    getScriptNameOrSourceURL: () => (isNative ? null : file),
    getLineNumber: () => (row === undefined ? null : Number(row)),
    getColumnNumber: () => (row === undefined ? null : Number(column ?? 1)),
    getEvalOrigin: () => undefined,
    isToplevel: () => true,
    isEval: () => false,
    isNative: () => isNative,
    isConstructor: () => false,
    isAsync: () => false,
    isPromiseAll: () => false,
    toString: () => line.trim().slice(3),
  }
}

module.exports = { installErrors }
