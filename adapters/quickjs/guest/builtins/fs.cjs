const { host, config } = internal
const path = require('path')
const own = (error, code) => Object.assign(error, { code })

function pathOf(given, name = 'path') {
  if (typeof given === 'string') {
    if (given.includes('\0'))
      throw own(
        new TypeError(`The argument '${name}' must be a string, Uint8Array, or URL without null bytes. Received ${JSON.stringify(given)}`),
        'ERR_INVALID_ARG_VALUE',
      )
    return given
  }
  if (given instanceof URL) return require('url').fileURLToPath(given)
  if (given instanceof Uint8Array) return Buffer.from(given).toString()
  throw own(
    new TypeError(
      `The "${name}" argument must be of type string or an instance of Buffer or URL. Received ${given === undefined ? 'undefined' : internal.inspection().inspect(given)}`,
    ),
    'ERR_INVALID_ARG_TYPE',
  )
}

class Stats {
  constructor({ kind, size, mtimeMs, mode, ino }) {
    const type = { file: 0o100000, dir: 0o040000, symlink: 0o120000 }[kind]
    Object.assign(this, {
      dev: 1,
      mode: type | mode,
      nlink: 1,
      uid: 0,
      gid: 0,
      rdev: 0,
      blksize: 4096,
      ino,
      size,
      blocks: Math.ceil(size / 512),
    })
    for (const name of ['atime', 'mtime', 'ctime', 'birthtime']) this[`${name}Ms`] = mtimeMs
    for (const name of ['atime', 'mtime', 'ctime', 'birthtime']) this[name] = new Date(mtimeMs)
    Object.defineProperty(this, '_kind', { value: kind })
  }
}
class Dirent {
  constructor(name, kind, parent) {
    Object.assign(this, { name, parentPath: parent, path: parent })
    Object.defineProperty(this, '_kind', { value: kind })
  }
}
for (const Class of [Stats, Dirent]) {
  for (const [name, kind] of [
    ['isFile', 'file'],
    ['isDirectory', 'dir'],
    ['isSymbolicLink', 'symlink'],
    ['isFIFO'],
    ['isSocket'],
    ['isBlockDevice'],
    ['isCharacterDevice'],
  ]) {
    Object.defineProperty(Class.prototype, name, {
      value() {
        return kind !== undefined && this._kind === kind
      },
      configurable: true,
      writable: true,
    })
  }
}

const encodingOf = (options) => (typeof options === 'string' ? options : options?.encoding) ?? undefined
const settings = (options) => (typeof options === 'object' && options !== null ? options : {})
function lengthOf(length) {
  const shown = typeof length === 'string' ? `'${length}'` : String(length)
  if (typeof length !== 'number')
    throw own(
      new TypeError(`The "len" argument must be of type number. Received ${length === null ? 'null' : `type ${typeof length} (${shown})`}`),
      'ERR_INVALID_ARG_TYPE',
    )
  if (!Number.isSafeInteger(length))
    throw own(new RangeError(`The value of "len" is out of range. It must be an integer. Received ${shown}`), 'ERR_OUT_OF_RANGE')
  return length
}
function modeOf(mode) {
  const bits = typeof mode === 'string' ? Number.parseInt(mode, 8) : (mode ?? undefined)
  if (bits === undefined || Number.isInteger(bits)) return bits
  const shown = typeof mode === 'string' ? `'${mode}'` : String(mode)
  throw own(
    new TypeError(`The argument 'mode' must be a 32-bit unsigned integer or an octal string. Received ${shown}`),
    'ERR_INVALID_ARG_VALUE',
  )
}
function timeOf(time) {
  const ms = time instanceof Date ? time.getTime() : Number(time) * 1000
  if (Number.isFinite(ms)) return ms
  throw own(
    new TypeError(`The "time" argument must be an instance of Date or Time in seconds. Received ${String(time)}`),
    'ERR_INVALID_ARG_TYPE',
  )
}
function bytesOf(data, encoding) {
  if (typeof data === 'string')
    return encoding === undefined || /^utf-?8$/i.test(encoding) ? new TextEncoder().encode(data).buffer : exact(Buffer.from(data, encoding))
  if (ArrayBuffer.isView(data)) return exact(data)
  if (data instanceof ArrayBuffer) return data
  throw own(
    new TypeError(
      `The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received ${internal.inspection().inspect(data)}`,
    ),
    'ERR_INVALID_ARG_TYPE',
  )
}
const exact = (view) => view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength)
const textOf = (buffer, encoding) => {
  if (encoding === undefined || encoding === 'buffer') return Buffer.from(buffer)
  return /^utf-?8$/i.test(encoding) ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(buffer) : Buffer.from(buffer).toString(encoding)
}

function checkLength(name, syscall) {
  if (name === undefined || name.length <= 4096) return
  throw Object.assign(new Error(`ENAMETOOLONG: name too long, ${syscall} '${name.slice(0, 100)}...'`), {
    errno: -36,
    code: 'ENAMETOOLONG',
    syscall,
  })
}

/** Each: what is asked (op, syscall, path and more), its bytes, and what becomes of the answer. */
const shown = (given, name) => {
  const at = pathOf(given, name)
  return path.isAbsolute(at) ? at : path.resolve(config.cwd, at)
}
// Messages name a path as it was given.
const about = (op, syscall, given, more) => {
  const question = { op, syscall, path: shown(given), as: pathOf(given), ...more }
  for (const name of [question.path, question.to, question.target]) checkLength(name, syscall)
  return { question }
}
const DESCRIPTIONS = {
  readFile: (given, options) => ({ ...about('read', 'open', given), finish: (bytes) => textOf(bytes, encodingOf(options)) }),
  writeFile: (given, data, options) => ({
    ...about('write', 'open', given, { flag: settings(options).flag ?? 'w', mode: modeOf(settings(options).mode) }),
    bytes: bytesOf(data, encodingOf(options)),
  }),
  appendFile: (given, data, options) => ({ ...about('write', 'open', given, { flag: 'a' }), bytes: bytesOf(data, encodingOf(options)) }),
  stat: (given) => ({ ...about('stat', 'stat', given), finish: (found) => new Stats(found) }),
  lstat: (given) => ({ ...about('lstat', 'lstat', given), finish: (found) => new Stats(found) }),
  readdir: (given, options) => {
    const { withFileTypes = false, recursive = false } = settings(options)
    const top = pathOf(given)
    const finish = (found) =>
      found.map(({ name, kind }) => (withFileTypes ? new Dirent(path.basename(name), kind, path.join(top, path.dirname(name))) : name))
    return { ...about('readdir', 'scandir', given, { recursive: Boolean(recursive) }), finish }
  },
  mkdir: (given, options) => {
    const { recursive = false, mode } = typeof options === 'object' && options !== null ? options : { mode: options }
    return {
      ...about('mkdir', 'mkdir', given, { recursive: Boolean(recursive), mode: modeOf(mode) }),
      finish: (first) => first ?? undefined,
    }
  },
  rm: (given, options) => ({
    ...about('rm', 'rm', given, { recursive: Boolean(settings(options).recursive), force: Boolean(settings(options).force) }),
  }),
  rmdir: (given, options) =>
    settings(options).recursive ? about('rm', 'rmdir', given, { recursive: true }) : about('rmdir', 'rmdir', given),
  unlink: (given) => about('unlink', 'unlink', given),
  rename: (from, to) => about('rename', 'rename', from, { to: shown(to, 'newPath'), toAs: pathOf(to) }),
  copyFile: (from, to, flags) => about('copy', 'copyfile', from, { to: shown(to, 'dest'), toAs: pathOf(to), exclusive: flags === 1 }),
  cp: (from, to, options) =>
    about('copy', 'cp', from, {
      to: shown(to, 'dest'),
      toAs: pathOf(to),
      recursive: Boolean(settings(options).recursive),
      exclusive: settings(options).errorOnExist === true,
    }),
  access: (given, mode) => about('access', 'access', given, { mode: mode ?? undefined }),
  realpath: (given) => about('realpath', 'lstat', given),
  readlink: (given) => about('readlink', 'readlink', given),
  symlink: (target, given) => about('symlink', 'symlink', given, { target: pathOf(target, 'target') }),
  mkdtemp: (prefix) => {
    const made = `${pathOf(prefix, 'prefix')}${Array.from({ length: 6 }, () => 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'[Math.floor(Math.random() * 62)]).join('')}`
    return { ...about('mkdir', 'mkdtemp', made), finish: () => made }
  },
  utimes: (given, _, time) => about('meta', 'utime', given, { mtimeMs: timeOf(time) }),
  chmod: (given, mode) => about('meta', 'chmod', given, { mode: modeOf(mode ?? 'none') }),
  truncate: (given, length = 0) => about('truncate', 'open', given, { length: lengthOf(length) }),
}
for (const name of Object.keys(DESCRIPTIONS)) {
  const describe = DESCRIPTIONS[name]
  DESCRIPTIONS[name] = (...given) => ({ finish: () => undefined, ...describe(...given) })
}
const shape = (answer) => (typeof answer === 'string' ? JSON.parse(answer) : answer)
DESCRIPTIONS.realpath = (
  (describe) =>
  (...given) => ({ ...describe(...given), finish: (found) => found })
)(DESCRIPTIONS.realpath)
DESCRIPTIONS.readlink = (
  (describe) =>
  (...given) => ({ ...describe(...given), finish: (found) => found })
)(DESCRIPTIONS.readlink)

const now = (name) =>
  function sync(...given) {
    const { question, bytes, finish } = DESCRIPTIONS[name](...given)
    return finish(shape(host.now('fs', question, bytes)))
  }
const later = (name) =>
  async function promised(...given) {
    const { question, bytes, finish } = DESCRIPTIONS[name](...given)
    const answer = await host.later('fs', question, bytes)
    if (typeof answer === 'string' && answer.startsWith('!')) {
      const { message, ...more } = JSON.parse(answer.slice(1))
      throw Object.assign(new Error(message), more)
    }
    return finish(typeof answer === 'object' && answer !== null && answer.bytes !== undefined ? answer.bytes : shape(answer))
  }

const fs = module.exports
const promises = {}
for (const name of Object.keys(DESCRIPTIONS)) {
  const [sync, promised] = [now(name), later(name)]
  fs[`${name}Sync`] = sync
  promises[name] = promised
  fs[name] = (...given) => {
    const callback = given.pop()
    if (typeof callback !== 'function')
      throw own(new TypeError('The "cb" argument must be of type function. Received undefined'), 'ERR_INVALID_ARG_TYPE')
    promised(...given).then(
      (value) => process.nextTick(callback, null, ...(value === undefined ? [] : [value])),
      (error) => process.nextTick(callback, error),
    )
  }
}
const readFileSync = fs.readFileSync
fs.readFileSync = (given, options) => {
  if (given === 0 || given === '/dev/stdin') return textOf(new TextEncoder().encode(process.stdin.__all()).buffer, encodingOf(options))
  return readFileSync(given, options)
}
const writeFileSync = fs.writeFileSync
fs.writeFileSync = (given, data, options) => {
  if (given === 1 || given === 2) return void (given === 1 ? process.stdout : process.stderr).write(data)
  return writeFileSync(given, data, options)
}
fs.writeSync = (descriptor, data) => {
  fs.writeFileSync(descriptor, data)
  return data.length
}
fs.existsSync = (given) => {
  try {
    return JSON.parse(host.now('fs', about('exists', 'access', given).question))
  } catch {
    return false
  }
}
fs.exists = (given, callback) => process.nextTick(callback, fs.existsSync(given))
const { statSync, lstatSync } = fs
const quiet = (stat) => (given, options) => {
  try {
    return stat(given, options)
  } catch (error) {
    if (options?.throwIfNoEntry === false && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined
    throw error
  }
}
fs.statSync = quiet(statSync)
fs.lstatSync = quiet(lstatSync)
fs.realpathSync.native = fs.realpathSync
fs.constants = { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1, COPYFILE_EXCL: 1 }
Object.assign(fs, fs.constants, { Stats, Dirent })
promises.constants = fs.constants
fs.promises = promises
fs.createReadStream = (given, options) => {
  const { Readable } = require('stream')
  const { highWaterMark = 65536, start = 0, end = Infinity } = settings(options)
  const encoding = encodingOf(options)
  async function* chunks() {
    const all = await promises.readFile(given)
    for (let at = start; at < Math.min(all.length, end + 1); at += highWaterMark)
      yield all.subarray(at, Math.min(at + highWaterMark, end + 1))
  }
  const stream = Readable.from(chunks(), { objectMode: false })
  stream.path = given
  if (encoding) stream.setEncoding(encoding)
  return stream
}
fs.createWriteStream = (given, options) => {
  const { Writable } = require('stream')
  let begun = settings(options).flags?.startsWith('a')
  const stream = new Writable({
    decodeStrings: true,
    write(chunk, _, done) {
      const write = begun ? promises.appendFile : promises.writeFile
      begun = true
      write(given, chunk).then(() => done(), done)
    },
    final(done) {
      if (begun) done()
      else promises.writeFile(given, '').then(() => done(), done)
    },
  })
  stream.path = given
  return stream
}
