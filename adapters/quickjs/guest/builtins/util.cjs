const { inspect, format, formatWithOptions, types } = internal.inspection()
const promisified = Symbol.for('nodejs.util.promisify.custom')
const named = (error, code) => Object.assign(error, { code })

function promisify(original) {
  if (typeof original !== 'function') throw named(new TypeError('The "original" argument must be of type function'), 'ERR_INVALID_ARG_TYPE')
  if (original[promisified]) return original[promisified]
  function promised(...given) {
    return new Promise((resolve, reject) => {
      Reflect.apply(original, this, [...given, (error, ...values) => (error ? reject(error) : resolve(values[0]))])
    })
  }
  Object.setPrototypeOf(promised, Object.getPrototypeOf(original))
  return Object.defineProperties(promised, Object.getOwnPropertyDescriptors(original))
}
promisify.custom = promisified
Object.defineProperty(globalThis.setTimeout, promisified, { get: () => require('timers/promises').setTimeout, configurable: true })
Object.defineProperty(globalThis.setImmediate, promisified, { get: () => require('timers/promises').setImmediate, configurable: true })

function callbackify(original) {
  return function called(...given) {
    const callback = given.pop()
    Reflect.apply(original, this, given).then(
      (value) => process.nextTick(callback, null, value),
      (error) => process.nextTick(callback, error),
    )
  }
}

function inherits(constructor, superConstructor) {
  Object.defineProperty(constructor, 'super_', { value: superConstructor, writable: true, configurable: true })
  Object.setPrototypeOf(constructor.prototype, superConstructor.prototype)
}

function deprecate(body, message, code) {
  let told = false
  return function deprecated(...given) {
    if (!told) process.emitWarning(message, { type: 'DeprecationWarning', code })
    told = true
    return new.target ? Reflect.construct(body, given, new.target) : Reflect.apply(body, this, given)
  }
}

function debuglog() {
  const log = () => {}
  log.enabled = false
  return log
}

function parseArgs({ args = process.argv.slice(2), options = {}, allowPositionals = false, strict = true } = {}) {
  const values = Object.create(null)
  const positionals = []
  const known = (name) => {
    if (options[name] || !strict) return options[name] ?? { type: 'boolean' }
    throw named(new TypeError(`Unknown option '--${name}'`), 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
  }
  const set = (name, value) => {
    if (options[name]?.multiple) values[name] = [...(values[name] ?? []), value]
    else values[name] = value
  }
  const list = [...args]
  while (list.length > 0) {
    const arg = list.shift()
    if (arg === '--') {
      positionals.push(...list)
      break
    }
    const long = /^--([^=]+)(?:=([\s\S]*))?$/.exec(arg)
    const short = /^-([^-])([\s\S]*)$/.exec(arg)
    if (long || short) {
      const name = long ? long[1] : (Object.keys(options).find((key) => options[key].short === short[1]) ?? short[1])
      const option = known(name)
      if (option.type === 'string') {
        const value = long ? (long[2] ?? list.shift()) : short[2] || list.shift()
        if (value === undefined)
          throw named(new TypeError(`Option '--${name} <value>' argument missing`), 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
        set(name, value)
      } else {
        set(name, true)
        if (short?.[2]) list.unshift(`-${short[2]}`)
      }
    } else if (allowPositionals || !strict) positionals.push(arg)
    else
      throw named(
        new TypeError(`Unexpected argument '${arg}'. This command does not take positional arguments`),
        'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL',
      )
  }
  for (const [name, { default: value }] of Object.entries(options))
    if (values[name] === undefined && value !== undefined) values[name] = value
  return { values, positionals }
}

Object.assign(module.exports, {
  inspect,
  format,
  formatWithOptions,
  types,
  promisify,
  callbackify,
  inherits,
  deprecate,
  debuglog,
  debug: debuglog,
  parseArgs,
  isDeepStrictEqual: (a, b) => require('internal/equal').equal(a, b, true),
  stripVTControlCharacters: (text) => text.replace(/[\u001b\u009b][[\]()#;?]*(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~]/g, ''),
  toUSVString: (text) => `${text}`.toWellFormed(),
  styleText: (_, text) => text,
  TextEncoder,
  TextDecoder,
  isArray: Array.isArray,
})
