// `cp` with the steps of Node's `cp`, because errors depend on what each step finds.
const path = require('path')
const { pathOf, resolved, settings } = require('./given.cjs')
const { coded, wrongType, SystemError } = require('./errors.cjs')
const { DESCRIPTIONS } = require('./questions.cjs')

const faults = {
  same: (to) => fault('ERR_FS_CP_EINVAL', 'Invalid src or dest', to, 'EINVAL', 22, 'src and dest cannot be the same'),
  within: (from, to, at = to) =>
    fault('ERR_FS_CP_EINVAL', 'Invalid src or dest', at, 'EINVAL', 22, `cannot copy ${from} to a subdirectory of self ${to}`),
  exists: (to) => fault('ERR_FS_CP_EEXIST', 'Target already exists', to, 'EEXIST', 17, `${to} already exists`),
  isDirectory: (from) => fault('ERR_FS_EISDIR', 'Path is a directory', from, 'EISDIR', 21, `${from} is a directory (not copied)`),
  overFile: (from, to) =>
    fault(
      'ERR_FS_CP_DIR_TO_NON_DIR',
      'Cannot overwrite non-directory with directory',
      to,
      'EISDIR',
      21,
      `cannot overwrite non-directory ${to} with directory ${from}`,
    ),
  overDirectory: (from, to) =>
    fault(
      'ERR_FS_CP_NON_DIR_TO_DIR',
      'Cannot overwrite directory with non-directory',
      to,
      'ENOTDIR',
      20,
      `cannot overwrite directory ${to} with non-directory ${from}`,
    ),
  overParent: (from, to) =>
    fault(
      'ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY',
      'Cannot overwrite symlink in subdirectory of self',
      to,
      'EINVAL',
      22,
      `cannot overwrite ${to} with ${from}`,
    ),
}
const fault = (code, text, at, name, errno, message) => new SystemError(code, text, { code: name, message, path: at, syscall: 'cp', errno })

const ask = (name, ...given) => DESCRIPTIONS[name](...given)
function* statOf(at, { dereference }, missing) {
  try {
    return yield ask(dereference ? 'stat' : 'lstat', at)
  } catch (error) {
    if (missing && error.code === 'ENOENT') return undefined
    throw error
  }
}
const isBelow = (from, to) => `${resolved(to)}/`.startsWith(`${resolved(from)}/`)

function* check(from, to, options) {
  const source = yield* statOf(from, options, false)
  const target = yield* statOf(to, options, true)
  if (target) {
    if (source.ino === target.ino && source.dev === target.dev) throw faults.same(to)
    if (source.isDirectory() && !target.isDirectory()) throw faults.overFile(from, to)
    if (!source.isDirectory() && target.isDirectory()) throw faults.overDirectory(from, to)
  }
  if (source.isDirectory() && isBelow(from, to)) throw faults.within(from, to)
  return { source, target }
}
function* wanted(from, to, { filter, later }) {
  if (!filter) return true
  const answer = filter(from, to)
  if (later) return yield Promise.resolve(answer)
  if (typeof answer?.then === 'function')
    throw coded(
      new TypeError('Expected boolean to be returned from the "filter" function but got an instance of Promise.'),
      'ERR_INVALID_RETURN_VALUE',
    )
  return answer
}

function* copyOne(from, to, options, { source, target }) {
  if (source.isDirectory()) return yield* copyDirectory(from, to, options, { source, target })
  if (source.isSymbolicLink()) return yield* copyLink(from, to, options, target)
  if (!target) return yield* copyFile(from, to, options, source)
  if (options.force) {
    yield ask('unlink', to)
    return yield* copyFile(from, to, options, source)
  }
  if (options.errorOnExist) throw faults.exists(to)
}
function* copyFile(from, to, options, source) {
  yield ask('copyFile', from, to, options.mode)
  if (options.preserveTimestamps) yield ask('utimes', to, source.atime, source.mtime)
}
function* copyDirectory(from, to, options, { source, target }) {
  if (!options.recursive) throw faults.isDirectory(from)
  if (!target) yield ask('mkdir', to)
  // Not in the head of the loop: the engine cannot parse a loop over a `yield` expression.
  const names = yield ask('readdir', from)
  for (const name of names) yield* step(path.join(from, name), path.join(to, name), options)
  if (!target) yield ask('chmod', to, source.mode & 0o7777)
}
/** Returns the target of the new link. The target is absolute, unless `verbatimSymlinks` is set. */
const leadsTo = (at, target, { verbatimSymlinks }) =>
  verbatimSymlinks || path.isAbsolute(target) ? target : resolved(path.dirname(at), target)
function* copyLink(from, to, options, target) {
  const source = leadsTo(from, yield ask('readlink', from), options)
  if (!target) return yield ask('symlink', source, to)
  let there
  try {
    there = yield ask('readlink', to)
  } catch (error) {
    if (error.code === 'EINVAL' || error.code === 'UNKNOWN') return yield ask('symlink', source, to)
    throw error
  }
  const full = path.isAbsolute(there) ? there : resolved(path.dirname(to), there)
  if (isBelow(source, full)) throw faults.within(source, full, to)
  if ((yield ask('stat', from)).isDirectory() && isBelow(full, source)) throw faults.overParent(source, full)
  yield ask('unlink', to)
  yield ask('symlink', source, to)
}
function* step(from, to, options) {
  if (!(yield* wanted(from, to, options))) return
  yield* copyOne(from, to, options, yield* check(from, to, options))
}

function* copySteps(given, target, options, later) {
  const { force = true, mode = 0, filter, ...more } = settings(options)
  const [from, to] = [pathOf(given, 'src'), pathOf(target, 'dest')]
  if (filter !== undefined && typeof filter !== 'function') throw wrongType('"options.filter" property', 'of type function', filter)
  if (more.dereference === true && more.verbatimSymlinks === true)
    throw coded(
      new TypeError('Option "dereference" cannot be used in combination with option "verbatimSymlinks"'),
      'ERR_INCOMPATIBLE_OPTION_PAIR',
    )
  const all = { ...more, force, mode, filter, later }
  const met = yield* check(from, to, all)
  if (!(yield* wanted(from, to, all))) return
  const parent = path.dirname(to)
  if (parent !== '.' && parent !== '/') yield ask('mkdir', parent, { recursive: true })
  yield* copyOne(from, to, all, met)
}
module.exports = { copySteps }
