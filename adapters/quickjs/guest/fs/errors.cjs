// Creates errors like those of Node's `fs`.
const shown = (value) => {
  if (value === undefined || value === null) return String(value)
  if (typeof value === 'function') return `function ${value.name}`
  if (typeof value === 'object') return value.constructor?.name ? `an instance of ${value.constructor.name}` : inspected(value)
  return `type ${typeof value} (${inspected(value)})`
}
const inspected = (value) => internal.inspection().inspect(value)
const coded = (error, code) => Object.assign(error, { code })

/** @param what `"x" argument`, or `"options.x" property` */
const wrongType = (what, expected, value) =>
  coded(new TypeError(`The ${what} must be ${expected}. Received ${shown(value)}`), 'ERR_INVALID_ARG_TYPE')
const wrongValue = (what, value, reason = 'is invalid') =>
  coded(new TypeError(`The argument '${what}' ${reason}. Received ${inspected(value)}`), 'ERR_INVALID_ARG_VALUE')
const outOfRange = (name, expected, value) =>
  coded(new RangeError(`The value of "${name}" is out of range. It must be ${expected}. Received ${inspected(value)}`), 'ERR_OUT_OF_RANGE')

const MEANING = {
  EBADF: [-9, 'bad file descriptor'],
  EINVAL: [-22, 'invalid argument'],
  ENOENT: [-2, 'no such file or directory'],
  ENOTSUP: [-95, 'operation not supported'],
  ENAMETOOLONG: [-36, 'name too long'],
}
function systemFault(code, syscall, path, dest) {
  const [errno, meaning] = MEANING[code]
  const where = path === undefined ? '' : ` '${path}'${dest === undefined ? '' : ` -> '${dest}'`}`
  const more = { errno, code, syscall, ...(path !== undefined && { path }), ...(dest !== undefined && { dest }) }
  return Object.assign(new Error(`${code}: ${meaning}, ${syscall}${where}`), more)
}

class SystemError extends Error {
  constructor(code, text, info) {
    super(`${text}: ${info.syscall} returned ${info.code} (${info.message}) ${info.path}`)
    Object.defineProperty(this, 'name', { value: 'SystemError', configurable: true, writable: true })
    Object.assign(this, { code, info, errno: info.errno, syscall: info.syscall, path: info.path })
  }
}

class AbortError extends Error {
  constructor(reason) {
    super('The operation was aborted', reason === undefined ? undefined : { cause: reason })
    Object.defineProperty(this, 'name', { value: 'AbortError', configurable: true, writable: true })
    this.code = 'ABORT_ERR'
  }
}

const unavailable = (name) => () => {
  throw coded(
    new Error(`The feature fs.${name} is unavailable on the current platform: changes of the workspace are not told to programs`),
    'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
  )
}

module.exports = { coded, wrongType, wrongValue, outOfRange, systemFault, SystemError, AbortError, unavailable, inspected }
