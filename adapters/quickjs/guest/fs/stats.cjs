const { S_IFMT, S_IFREG, S_IFDIR, S_IFLNK, UV_DIRENT_FILE, UV_DIRENT_DIR, UV_DIRENT_LINK } = require('./constants.cjs')
const type = Symbol('type')
const TIMES = ['atime', 'mtime', 'ctime', 'birthtime']

class Stats {
  constructor({ kind, size, mtimeMs, mode, ino }) {
    Object.assign(this, {
      dev: 1,
      mode: { file: S_IFREG, dir: S_IFDIR, symlink: S_IFLNK }[kind] | mode,
      nlink: 1,
      uid: 0,
      gid: 0,
      rdev: 0,
      blksize: 4096,
      ino,
      size,
      blocks: Math.ceil(size / 512),
    })
    for (const name of TIMES) this[`${name}Ms`] = mtimeMs
    for (const name of TIMES) this[name] = new Date(mtimeMs)
  }
}
class Dirent {
  constructor(name, kind, parent) {
    Object.assign(this, { name, parentPath: parent, path: parent })
    this[type] = { file: UV_DIRENT_FILE, dir: UV_DIRENT_DIR, symlink: UV_DIRENT_LINK }[kind] ?? kind
  }
}
for (const [name, format, entry] of [
  ['isFile', S_IFREG, UV_DIRENT_FILE],
  ['isDirectory', S_IFDIR, UV_DIRENT_DIR],
  ['isSymbolicLink', S_IFLNK, UV_DIRENT_LINK],
  ['isFIFO'],
  ['isSocket'],
  ['isBlockDevice'],
  ['isCharacterDevice'],
]) {
  const define = (Class, value) =>
    Object.defineProperty(Class.prototype, name, {
      value: Object.defineProperty(value, 'name', { value: name, configurable: true }),
      configurable: true,
      writable: true,
      enumerable: true,
    })
  define(Stats, function () {
    return format !== undefined && (this.mode & S_IFMT) === format
  })
  define(Dirent, function () {
    return entry !== undefined && this[type] === entry
  })
}
module.exports = { Stats, Dirent }
