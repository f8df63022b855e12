// Checks and converts the arguments of programs. Throws the errors of Node.
const path = require('path')
const { coded, outOfRange, systemFault, wrongType, wrongValue, AbortError } = require('./errors.cjs')
const { O_APPEND, O_CREAT, O_EXCL, O_TRUNC } = require('./constants.cjs')
const { config } = internal

/** Permission bits that new files and directories do not get. */
const UMASK = 0o022

function pathOf(given, name = 'path') {
  if (typeof given === 'string') {
    if (given.includes('\0')) throw wrongValue(name, given, 'must be a string, Uint8Array, or URL without null bytes')
    return given
  }
  if (given instanceof URL) return require('url').fileURLToPath(given)
  if (given instanceof Uint8Array) return Buffer.from(given).toString()
  throw wrongType(`"${name}" argument`, 'of type string or an instance of Buffer or URL', given)
}

const LONGEST = 4096
function checkLength(name, syscall) {
  if (name === undefined || name.length <= LONGEST) return
  const error = systemFault('ENAMETOOLONG', syscall)
  error.message = `${error.message} '${name.slice(0, 100)}...'`
  throw error
}

/** Makes a path absolute. Keeps `..` for the host to resolve, because after a symlink it leads to the parent of the symlink's target. */
function absolute(given, name) {
  const at = pathOf(given, name)
  return path.isAbsolute(at) ? at : `${config.cwd === '/' ? '' : config.cwd}/${at}`
}

/** Resolves a path without `..`. Uses the program's working directory, because the package `path` has another one. */
const resolved = (...parts) => path.resolve(config.cwd, ...parts)

const settings = (options) => (typeof options === 'object' && options !== null ? options : {})
const encodingOf = (options) => (typeof options === 'string' ? options : options?.encoding) ?? undefined

function checkEncoding(encoding) {
  if (encoding === undefined || encoding === 'buffer' || Buffer.isEncoding(encoding)) return encoding
  throw wrongValue('encoding', encoding, 'is invalid encoding')
}

const FLAGS = {
  r: 'r',
  rs: 'r',
  sr: 'r',
  'r+': 'r+',
  'rs+': 'r+',
  'sr+': 'r+',
  w: 'w',
  wx: 'wx',
  xw: 'wx',
  'w+': 'w+',
  'wx+': 'wx+',
  'xw+': 'wx+',
  a: 'a',
  ax: 'ax',
  xa: 'ax',
  as: 'a',
  sa: 'a',
  'a+': 'a+',
  'ax+': 'ax+',
  'xa+': 'ax+',
  'as+': 'a+',
  'sa+': 'a+',
}
/** Returns the flag for the host (`fs/operations.ts`) and the operations that the open file allows. */
function flagsOf(given, fallback) {
  const flags = given ?? fallback
  if (typeof flags === 'number') return numericFlags(flags)
  const flag = typeof flags === 'string' && Object.hasOwn(FLAGS, flags) ? FLAGS[flags] : undefined
  if (flag === undefined) throw wrongValue('flags', flags)
  const both = flag.endsWith('+')
  return { flag, reads: both || flag === 'r', writes: both || flag !== 'r', appends: flag.startsWith('a') }
}
function numericFlags(flags) {
  if (!Number.isInteger(flags)) throw outOfRange('flags', 'an integer', flags)
  const [way, makes, empties, appends] = [flags & 3, flags & O_CREAT, flags & O_TRUNC, (flags & O_APPEND) !== 0]
  const letter = makes ? (empties ? 'w' : appends ? 'a' : 'c') : empties ? 't' : appends ? 'b' : 'r'
  const flag = letter + (makes && flags & O_EXCL ? 'x' : '') + (letter === 'r' && way === 0 ? '' : '+')
  return { flag, reads: way !== 1, writes: way !== 0, appends }
}

function modeOf(mode, name = 'mode') {
  const bits = typeof mode === 'string' && /^[0-7]+$/.test(mode) ? Number.parseInt(mode, 8) : (mode ?? undefined)
  if (bits === undefined || (typeof bits === 'number' && Number.isInteger(bits))) return bits
  throw wrongValue(name, mode, 'must be a 32-bit unsigned integer or an octal string')
}
const maskedMode = (mode) => {
  const bits = modeOf(mode)
  return bits === undefined ? undefined : bits & 0o7777 & ~UMASK
}
function accessOf(mode) {
  if (mode === undefined || mode === null) return undefined
  if (Number.isInteger(mode) && mode >= 0 && mode <= 7) return mode
  throw coded(new RangeError('mode is out of range: >= 0 && <= 7'), 'ERR_OUT_OF_RANGE')
}
function lengthOf(length) {
  if (typeof length !== 'number') throw wrongType('"len" argument', 'of type number', length)
  if (!Number.isSafeInteger(length)) throw outOfRange('len', 'an integer', length)
  return length
}
function timeOf(time) {
  const ms = time instanceof Date ? time.getTime() : Number(time) * 1000
  if (Number.isFinite(ms)) return ms
  throw coded(
    new TypeError(`The "time" argument must be an instance of Date or Time in seconds. Received ${String(time)}`),
    'ERR_INVALID_ARG_TYPE',
  )
}
/** Validates the option `start` or `end` of a stream. */
function offsetOf(value, name) {
  if (value === undefined) return undefined
  if (typeof value !== 'number') throw wrongType(`"${name}" argument`, 'of type number', value)
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw outOfRange(name, Number.isInteger(value) ? `>= 0 && <= ${2 ** 53 - 1}` : 'an integer', value)
}

const exact = (view) => view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength)
function bytesOf(data, encoding, name = 'data') {
  if (typeof data === 'string')
    return encoding === undefined || /^utf-?8$/i.test(encoding) ? new TextEncoder().encode(data).buffer : exact(Buffer.from(data, encoding))
  if (ArrayBuffer.isView(data)) return exact(data)
  if (data instanceof ArrayBuffer) return data
  throw wrongType(`"${name}" argument`, 'of type string or an instance of Buffer, TypedArray, or DataView', data)
}
function textOf(buffer, encoding) {
  if (encoding === undefined || encoding === 'buffer') return Buffer.from(buffer)
  return /^utf-?8$/i.test(encoding) ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(buffer) : Buffer.from(buffer).toString(encoding)
}
/** Converts a path in an answer to the encoding that the options request. */
const nameOf = (text, options) => {
  const encoding = encodingOf(options)
  if (encoding === 'buffer') return Buffer.from(text)
  return encoding === undefined || /^utf-?8$/i.test(encoding) ? text : Buffer.from(text).toString(encoding)
}

function signalOf(options) {
  const { signal } = settings(options)
  if (signal === undefined) return undefined
  if (typeof signal === 'object' && signal !== null && 'aborted' in signal) return signal
  throw wrongType('"options.signal" property', 'an instance of AbortSignal', signal)
}
function checkSignal(signal) {
  if (signal?.aborted) throw new AbortError(signal.reason)
}

module.exports = {
  pathOf,
  checkLength,
  absolute,
  resolved,
  settings,
  encodingOf,
  checkEncoding,
  flagsOf,
  modeOf,
  maskedMode,
  accessOf,
  lengthOf,
  timeOf,
  offsetOf,
  bytesOf,
  textOf,
  nameOf,
  signalOf,
  checkSignal,
}
