const { host } = internal
// Node 20 has `Symbol.asyncDispose`, but some engines do not.
if (!Symbol.asyncDispose) Object.defineProperty(Symbol, 'asyncDispose', { value: Symbol('Symbol.asyncDispose') })
const constants = require('../fs/constants.cjs')
const files = require('../fs/descriptors.cjs')
const transfer = require('../fs/transfer.cjs')
const { pathOf, encodingOf, flagsOf, settings, textOf, bytesOf, signalOf, checkSignal } = require('../fs/given.cjs')
const { wrongType, unavailable } = require('../fs/errors.cjs')
const { DESCRIPTIONS, about } = require('../fs/questions.cjs')
const { askNow, askLater, stepsNow, stepsLater } = require('../fs/ask.cjs')
const { copySteps } = require('../fs/copy.cjs')
const { Dir } = require('../fs/dir.cjs')
const { FileHandle, joined } = require('../fs/handle.cjs')
const { Stats, Dirent } = require('../fs/stats.cjs')

const fs = module.exports
const promises = {}
const named = (name, body) => Object.defineProperty(body, 'name', { value: name, configurable: true })
const promisified = Symbol.for('nodejs.util.promisify.custom')

/** @param values converts the promise's value to the arguments of the callback after the error */
function called(name, promised, values = (value) => (value === undefined ? [] : [value])) {
  return named(name, (...given) => {
    const callback = given.pop()
    if (typeof callback !== 'function') throw wrongType('"cb" argument', 'of type function', callback)
    promised(...given).then(
      (value) => process.nextTick(callback, null, ...values(value)),
      (error) => process.nextTick(callback, error),
    )
  })
}
/** Defines the synchronous, promise and callback forms of a function. */
function define(name, sync, promised) {
  fs[`${name}Sync`] = named(`${name}Sync`, sync)
  promises[name] = named(name, promised)
  fs[name] = called(name, promised)
}
for (const [name, describe] of Object.entries(DESCRIPTIONS))
  define(
    name,
    (...given) => askNow(describe(...given)),
    async (...given) => askLater(describe(...given)),
  )
define(
  'cp',
  (from, to, options) => stepsNow(copySteps(from, to, options, false)),
  async (from, to, options) => stepsLater(copySteps(from, to, options, true)),
)
const directory = (given, entries) => new Dir(pathOf(given), entries)
const listed = (given, options) => {
  const description = DESCRIPTIONS.readdir(given, { ...settings(options), withFileTypes: true })
  description.question.syscall = 'opendir'
  return description
}
define(
  'opendir',
  (given, options) => directory(given, askNow(listed(given, options))),
  async (given, options) => directory(given, await askLater(listed(given, options))),
)

/** Defines the synchronous and callback forms of a function that takes a descriptor. */
function defineOpen(name, describe, values) {
  fs[`${name}Sync`] = named(`${name}Sync`, files.now(describe))
  fs[name] = called(name, files.later(describe), values)
}
defineOpen('fstat', files.statting)
defineOpen('ftruncate', files.truncating)
defineOpen('fchmod', files.chmodding)
defineOpen('futimes', files.timing)
for (const name of ['fsync', 'fdatasync']) defineOpen(name, files.syncing, () => [])
defineOpen('readv', transfer.describeReadv)
defineOpen('writev', transfer.describeWritev)

fs.openSync = named('openSync', (given, flags, mode) => askNow(files.opening(given, flags, mode)))
const openLater = async (given, flags, mode) => askLater(files.opening(given, flags, mode))
fs.open = called('open', openLater)
promises.open = named('open', async (given, flags, mode) => new FileHandle(await openLater(given, flags, mode)))
fs.closeSync = named('closeSync', (descriptor) => void (descriptor <= 2 && descriptor >= 0 ? undefined : files.closing(descriptor)))
fs.close = (descriptor, callback = () => {}) => {
  files.checkDescriptor(descriptor)
  const last = descriptor > 2 ? files.fileOf(descriptor, 'close').last : Promise.resolve()
  last
    .then(() => fs.closeSync(descriptor))
    .then(
      () => process.nextTick(callback, null),
      (error) => process.nextTick(callback, error),
    )
}

let inputLeft
const isInput = (given) => given === 0 || given === '/dev/stdin'
const isOutput = (given) => given === 1 || given === 2
/** Returns all input of stdin that was not read yet. */
function allInput() {
  const bytes = new TextEncoder().encode(process.stdin.__all())
  const all = inputLeft ? new Uint8Array([...inputLeft, ...bytes]) : bytes
  inputLeft = undefined
  return all
}
function readInput({ buffer, offset, length }) {
  const all = allInput()
  const bytes = all.subarray(0, length)
  inputLeft = all.subarray(bytes.length)
  new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength).set(bytes, offset)
  return bytes.length
}
const print = (descriptor, data) => void (descriptor === 1 ? process.stdout : process.stderr).write(data)

const readNow = files.now(transfer.describeRead)
const readLater = files.later(transfer.describeRead)
fs.readSync = (descriptor, ...given) => {
  const what = transfer.target(given)
  return descriptor === 0 ? readInput(what) : readNow(descriptor, what)
}
const readOf = async (descriptor, ...given) => {
  const what = transfer.target(given)
  return { bytesRead: descriptor === 0 ? readInput(what) : await readLater(descriptor, what), buffer: what.buffer }
}
fs.read = called('read', readOf, ({ bytesRead, buffer }) => [bytesRead, buffer])
const writeNow = files.now(transfer.describeWrite)
const writeLater = files.later(transfer.describeWrite)
fs.writeSync = (descriptor, ...given) => {
  const what = transfer.source(given)
  if (!isOutput(descriptor)) return writeNow(descriptor, what)
  print(descriptor, typeof what.data === 'string' ? what.data : new Uint8Array(what.bytes))
  return what.bytes.byteLength
}
const writeOf = async (descriptor, ...given) => {
  const what = transfer.source(given)
  return { bytesWritten: isOutput(descriptor) ? fs.writeSync(descriptor, ...given) : await writeLater(descriptor, what), buffer: what.data }
}
fs.write = called('write', writeOf, ({ bytesWritten, buffer }) => [bytesWritten, buffer])
fs.read[promisified] = readOf
fs.write[promisified] = writeOf

// Functions for whole files accept a path, a descriptor or a handle.
const { readFileSync, writeFileSync, appendFileSync } = fs
const { readFile, writeFile, appendFile } = promises
/** Whether `readFile` must open the file with this flag, because the flag may create or empty the file. */
const opensToRead = (options) => {
  const { flag } = flagsOf(settings(options).flag || undefined, 'r')
  return flag !== 'r' && flag !== 'r+'
}
const readAllLater = files.later(files.readingAll)
fs.readFileSync = named('readFileSync', (given, options) => {
  if (isInput(given)) return textOf(allInput().buffer, encodingOf(options))
  if (typeof given === 'number') return askNow(files.readingAll(given, options))
  if (!opensToRead(options)) return readFileSync(given, options)
  const descriptor = fs.openSync(given, settings(options).flag)
  try {
    return askNow(files.readingAll(descriptor, options))
  } finally {
    fs.closeSync(descriptor)
  }
})
promises.readFile = named('readFile', async (given, options) => {
  checkSignal(signalOf(options))
  if (given instanceof FileHandle) return given.readFile(options)
  if (!opensToRead(options)) return readFile(given, options)
  const handle = await promises.open(given, settings(options).flag)
  try {
    return await handle.readFile(options)
  } finally {
    await handle.close()
  }
})
fs.readFile = called('readFile', async (given, options) => {
  if (typeof given !== 'number') return promises.readFile(given, options)
  return given === 0 ? textOf(allInput().buffer, encodingOf(options)) : readAllLater(given, options)
})
const writeAllLater = files.later(files.writingAll)
for (const [name, sync, promised] of [
  ['writeFile', writeFileSync, writeFile],
  ['appendFile', appendFileSync, appendFile],
]) {
  fs[`${name}Sync`] = named(`${name}Sync`, (given, data, options) => {
    if (isOutput(given)) return print(given, typeof data === 'string' ? data : new Uint8Array(bytesOf(data)))
    if (typeof given === 'number') return void askNow(files.writingAll(given, data, options))
    return sync(given, data, options)
  })
  promises[name] = named(name, async (given, data, options) => {
    checkSignal(signalOf(options))
    if (given instanceof FileHandle) return given.writeFile(data, options)
    return promised(given, name === 'writeFile' ? await joined(data, encodingOf(options)) : data, options)
  })
  fs[name] = called(name, async (given, data, options) => {
    if (isOutput(given)) return print(given, typeof data === 'string' ? data : new Uint8Array(bytesOf(data)))
    if (typeof given === 'number') return void (await writeAllLater(given, data, options))
    return promised(given, data, options)
  })
}

fs.existsSync = (given) => {
  try {
    return JSON.parse(host.now('fs', about('exists', 'access', given).question))
  } catch {
    return false
  }
}
fs.exists = (given, callback) => process.nextTick(callback, fs.existsSync(given))
fs.exists[promisified] = async (given) => fs.existsSync(given)
const { statSync, lstatSync } = fs
const quiet = (stat) => (given, options) => {
  try {
    return stat(given, options)
  } catch (error) {
    if (options?.throwIfNoEntry === false && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined
    throw error
  }
}
fs.statSync = named('statSync', quiet(statSync))
fs.lstatSync = named('lstatSync', quiet(lstatSync))
const isNowhere = (options, error) => options?.force === true && error.code === 'ENOENT'
/** With `force`, `rm` also ignores ENOENT for an empty path. */
const { rmSync } = fs
const { rm } = promises
fs.rmSync = named('rmSync', (given, options) => {
  try {
    rmSync(given, options)
  } catch (error) {
    if (!isNowhere(options, error)) throw error
  }
})
promises.rm = named('rm', async (given, options) => {
  try {
    await rm(given, options)
  } catch (error) {
    if (!isNowhere(options, error)) throw error
  }
})
fs.rm = called('rm', promises.rm)
fs.realpathSync.native = fs.realpathSync
fs.realpath.native = fs.realpath
for (const name of ['watch', 'watchFile']) fs[name] = unavailable(name)
fs.unwatchFile = () => {}
promises.watch = unavailable('promises.watch')
fs.constants = Object.assign(Object.create(null), constants)
Object.assign(fs, { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1, Stats, Dirent, Dir })
promises.constants = fs.constants
fs.promises = promises
fs.createReadStream = function createReadStream(given, options) {
  return new fs.ReadStream(given, options)
}
fs.createWriteStream = function createWriteStream(given, options) {
  return new fs.WriteStream(given, options)
}
// Load the stream library only when a stream class is used, because `import fs` reads every exported name.
function lazyClass(name) {
  const real = () => require('../fs/streams.cjs')[name]
  // Not a class: the `prototype` of a class is read-only, so the proxy could not return another one.
  function target() {}
  return new Proxy(target, {
    construct: (_target, given, newTarget) => Reflect.construct(real(), given, newTarget === lazy[name] ? real() : newTarget),
    get: (_target, key) => (key === 'name' ? name : Reflect.get(real(), key)),
    set: (_target, key, value) => Reflect.set(real(), key, value),
    has: (_target, key) => Reflect.has(real(), key),
    getPrototypeOf: () => Object.getPrototypeOf(real()),
  })
}
const lazy = { ReadStream: lazyClass('ReadStream'), WriteStream: lazyClass('WriteStream') }
Object.assign(fs, lazy, { FileReadStream: lazy.ReadStream, FileWriteStream: lazy.WriteStream })
