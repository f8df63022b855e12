// Open files. Each operation uses the path of the file, so every descriptor sees all writes. The host holds the content.
const input = require('./given.cjs')
const { outOfRange, systemFault, wrongType } = require('./errors.cjs')
const { about } = require('./questions.cjs')
const { askNow, askLater } = require('./ask.cjs')
const { open } = require('./table.cjs')
const { Stats } = require('./stats.cjs')

const FIRST = 3

function lowestFree() {
  let descriptor = FIRST
  while (open.has(descriptor)) descriptor++
  return descriptor
}
function checkDescriptor(descriptor) {
  if (typeof descriptor !== 'number') throw wrongType('"fd" argument', 'of type number', descriptor)
  if (!Number.isInteger(descriptor) || descriptor < 0 || descriptor > 2 ** 31 - 1)
    throw outOfRange('fd', `>= 0 && <= ${2 ** 31 - 1}`, descriptor)
}
/** @throws EBADF */
function fileOf(descriptor, syscall) {
  checkDescriptor(descriptor)
  const file = open.get(descriptor)
  if (!file) throw systemFault('EBADF', syscall)
  return file
}

function opening(given, flags, mode) {
  const way = input.flagsOf(flags, 'r')
  return {
    ...about('open', 'open', given, { flag: way.flag, mode: input.maskedMode(mode) }),
    finish(path) {
      const descriptor = lowestFree()
      open.set(descriptor, { ...way, path, position: 0, last: Promise.resolve() })
      return descriptor
    },
  }
}
function closing(descriptor) {
  fileOf(descriptor, 'close')
  open.delete(descriptor)
}

/** Creates a question about an open file. Errors must not name its path (`withoutPath`). */
const question = (op, syscall, file, more) => ({ op, syscall, path: file.path, ...more })
const withoutPath = (error) => {
  const { code, errno, syscall } = error
  if (typeof syscall !== 'string') return error
  return Object.assign(new Error(error.message.replace(/(, \w+) '[\s\S]*'/, '$1')), { errno, code, syscall })
}
const isPosition = (position) => position !== undefined && position !== null && position !== -1 && position !== -1n
function positionOf(position) {
  if (!isPosition(position)) return undefined
  const value = typeof position === 'bigint' ? Number(position) : position
  if (typeof value !== 'number') throw wrongType('"position" argument', 'of type bigint or integer', position)
  if (!Number.isSafeInteger(value) || value < 0) throw outOfRange('position', `>= -1 && <= ${2 ** 53 - 1}`, position)
  return value
}

/** @param take converts the bytes to the result */
function reading(descriptor, length, given, take) {
  const file = fileOf(descriptor, 'read')
  if (!file.reads) throw systemFault('EBADF', 'read')
  const at = positionOf(given)
  const finish = (bytes) => {
    if (at === undefined) file.position += bytes.byteLength
    return take(new Uint8Array(bytes))
  }
  return { question: question('read', 'read', file, { position: at ?? file.position, length }), finish, amend: withoutPath }
}
function writing(descriptor, bytes, given) {
  const file = fileOf(descriptor, 'write')
  if (!file.writes) throw systemFault('EBADF', 'write')
  const at = positionOf(given)
  const more = file.appends ? { flag: 'b' } : { flag: 'r+', position: at ?? file.position }
  const finish = () => {
    if (at === undefined) file.position += bytes.byteLength
    return bytes.byteLength
  }
  return { question: question('write', 'write', file, more), bytes, finish, amend: withoutPath }
}
const statting = (descriptor) => ({
  question: question('stat', 'fstat', fileOf(descriptor, 'fstat')),
  finish: (found) => new Stats(found),
  amend: withoutPath,
})
function truncating(descriptor, length = 0) {
  const file = fileOf(descriptor, 'ftruncate')
  const size = input.lengthOf(length ?? 0)
  if (!file.writes) throw systemFault('EINVAL', 'ftruncate')
  return { question: question('truncate', 'ftruncate', file, { length: size }), amend: withoutPath }
}
const changing = (descriptor, syscall, more) => ({
  question: question('meta', syscall, fileOf(descriptor, syscall), more),
  amend: withoutPath,
})
const chmodding = (descriptor, mode) => changing(descriptor, 'fchmod', { mode: input.modeOf(mode ?? 'none') })
const timing = (descriptor, _, time) => changing(descriptor, 'futime', { mtimeMs: input.timeOf(time) })
const syncing = (descriptor) => statting(descriptor)

/** Length to read for the rest of a file, or for the whole file if nothing was read before. */
const READ_ALL = 2 ** 40
const readingAll = (descriptor, options) =>
  reading(descriptor, READ_ALL, undefined, (bytes) => input.textOf(bytes.buffer, input.encodingOf(options)))
const writingAll = (descriptor, data, options) => writing(descriptor, input.bytesOf(data, input.encodingOf(options)))

const now =
  (describe) =>
  (...given) =>
    askNow(describe(...given))
/** Returns a function whose calls on one file run in order, because each starts at the position where the previous one ended. */
const later =
  (describe) =>
  (descriptor, ...given) => {
    const file = open.get(descriptor)
    const ask = async () => askLater(describe(descriptor, ...given))
    if (!file) return ask()
    const asked = file.last.then(() => {
      // In the meantime, the descriptor may have been reused for another file.
      if (open.get(descriptor) !== file) throw systemFault('EBADF', 'close')
      return ask()
    })
    file.last = asked.catch(() => {})
    return asked
  }

/** Resolves when all pending operations on the file are complete. */
const settled = async (descriptor) => open.get(descriptor)?.last

module.exports = {
  checkDescriptor,
  fileOf,
  opening,
  closing,
  reading,
  writing,
  statting,
  truncating,
  chmodding,
  timing,
  syncing,
  readingAll,
  writingAll,
  now,
  later,
  settled,
}
