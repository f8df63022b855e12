// The questions that the functions of `fs` ask the host, by function name.
const path = require('path')
const input = require('./given.cjs')
const { pathOf, absolute, checkLength, settings, encodingOf, flagsOf, modeOf, maskedMode, timeOf } = input
const { systemFault, wrongType, SystemError } = require('./errors.cjs')
const { follow } = require('./table.cjs')
const { Stats, Dirent } = require('./stats.cjs')

/** Creates a question. Error messages name the path as the program gave it. An empty path fails with ENOENT. */
function about(op, syscall, given, more = {}) {
  const as = pathOf(given)
  const question = { op, syscall, path: absolute(given), as, ...more }
  for (const name of [question.path, question.to, question.target]) checkLength(name, syscall)
  if (as === '' || question.toAs === '') throw systemFault('ENOENT', syscall, as, question.toAs)
  return { question }
}
const two = (op, syscall, from, to, name, more) => about(op, syscall, from, { to: absolute(to, name), toAs: pathOf(to, name), ...more })

function flagOption(name, options) {
  const value = settings(options)[name]
  if (value !== undefined && typeof value !== 'boolean') throw wrongType(`"options.${name}" property`, 'of type boolean', value)
  return value === true
}
const isDirectory = (at) =>
  new SystemError('ERR_FS_EISDIR', 'Path is a directory', { code: 'EISDIR', message: 'is a directory', path: at, syscall: 'rm', errno: 21 })
/** Changes an error of `rm`: Node calls `lstat` before it removes an entry, so its errors name `lstat`. */
function removalFault(error) {
  if (error.code === 'EISDIR') return isDirectory(error.path)
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') return error
  return Object.assign(error, { message: error.message.replace(', rm ', ', lstat '), syscall: 'lstat' })
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const randomLetters = () => Array.from({ length: 6 }, () => LETTERS[Math.floor(Math.random() * LETTERS.length)]).join('')

function direntsOf(top, found, options) {
  const { withFileTypes = false } = settings(options)
  return found.map(({ name, kind }) => {
    if (!withFileTypes) return input.nameOf(name, options)
    const parent = path.dirname(name)
    return new Dirent(input.nameOf(path.basename(name), options), kind, parent === '.' ? top : path.join(top, parent))
  })
}

const DESCRIPTIONS = {
  readFile(given, options) {
    const encoding = input.checkEncoding(encodingOf(options))
    return { ...about('read', 'open', given), signal: input.signalOf(options), finish: (bytes) => input.textOf(bytes, encoding) }
  },
  writeFile: (given, data, options) => writing(given, data, options, 'w'),
  appendFile: (given, data, options) => writing(given, data, options, 'a'),
  stat: (given) => ({ ...about('stat', 'stat', given), finish: (found) => new Stats(found) }),
  lstat: (given) => ({ ...about('lstat', 'lstat', given), finish: (found) => new Stats(found) }),
  readdir(given, options) {
    const finish = (found) => direntsOf(pathOf(given), found, options)
    return { ...about('readdir', 'scandir', given, { recursive: Boolean(settings(options).recursive) }), finish }
  },
  mkdir(given, options) {
    const { mode } = typeof options === 'object' && options !== null ? options : { mode: options }
    const description = about('mkdir', 'mkdir', given, { recursive: flagOption('recursive', options), mode: maskedMode(mode) })
    const { path: asked, as } = description.question
    return { ...description, finish: (end) => (end === null ? undefined : as.slice(0, end - (asked.length - as.length))) }
  },
  rm(given, options) {
    const [recursive, force] = [flagOption('recursive', options), flagOption('force', options)]
    if (pathOf(given) === '') throw systemFault('ENOENT', 'lstat', '')
    return { ...about('rm', 'rm', given, { recursive, force }), amend: removalFault }
  },
  rmdir: (given, options) =>
    settings(options).recursive
      ? { ...about('rm', 'rm', given, { recursive: true }), amend: removalFault }
      : about('rmdir', 'rmdir', given),
  unlink: (given) => about('unlink', 'unlink', given),
  rename: (from, to) => ({
    ...two('rename', 'rename', from, to, 'newPath'),
    finish: () => follow(input.resolved(pathOf(from)), input.resolved(pathOf(to))),
  }),
  copyFile: (from, to, mode) => two('copy', 'copyfile', from, to, 'dest', { exclusive: ((input.accessOf(mode) ?? 0) & 1) === 1 }),
  access: (given, mode) => about('access', 'access', given, { mode: input.accessOf(mode) }),
  realpath: (given, options) => ({
    ...about('realpath', 'lstat', pathOf(given) || '.'),
    finish: (found) => input.nameOf(found, options),
  }),
  readlink: (given, options) => ({ ...about('readlink', 'readlink', given), finish: (found) => input.nameOf(found, options) }),
  symlink(target, given) {
    const to = pathOf(target, 'target')
    if (to === '' || pathOf(given) === '') throw systemFault('ENOENT', 'symlink', to, pathOf(given))
    return about('symlink', 'symlink', given, { target: to })
  },
  mkdtemp(prefix, options) {
    const start = pathOf(prefix, 'prefix')
    const made = start + randomLetters()
    const description = about('mkdir', 'mkdtemp', made, { mode: 0o700 })
    description.question.as = `${start}XXXXXX`
    return { ...description, finish: () => input.nameOf(made, options) }
  },
  utimes: (given, _, time) => about('meta', 'utime', given, { mtimeMs: timeOf(time) }),
  lutimes: (given, _, time) => about('meta', 'lutime', given, { mtimeMs: timeOf(time), nofollow: true }),
  chmod: (given, mode) => about('meta', 'chmod', given, { mode: modeOf(mode ?? 'none') }),
  truncate: (given, length = 0) => about('truncate', 'open', given, { length: input.lengthOf(length) }),
  link(from, to) {
    throw systemFault('ENOTSUP', 'link', pathOf(from, 'existingPath'), pathOf(to, 'newPath'))
  },
}

function writing(given, data, options, fallback) {
  const { flag: asked, mode } = settings(options)
  const { flag } = flagsOf(asked || undefined, fallback)
  const encoding = input.checkEncoding(encodingOf(options))
  const bytes = input.bytesOf(data, encoding)
  return { ...about('write', 'open', given, { flag, mode: maskedMode(mode) }), bytes, signal: input.signalOf(options) }
}

module.exports = { DESCRIPTIONS, about }
