import { type Files, planFiles } from '../../../adapters/shared/first-files.js'
import type { FsAdapter } from '../../types/fs.js'

/** The parts of a storage that are called with a storage that has them all. */
type Whole = FsAdapter & Required<Omit<FsAdapter, 'suggestedRoot' | 'hostPath' | 'checkpoint'>>

/**
 * The storage, in which the first files are when it is first used, if it held nothing. They are written in one breath: a storage that
 * makes one step of what it is told at once has all of them or none.
 *
 * @throws TypeError for files that cannot be
 */
export function withFirstFiles(fs: Whole, files: Files): Whole {
  const plan = planFiles(files)
  let filling: Promise<void> | undefined
  let isFilled = false
  const fill = async (): Promise<void> => {
    if ((await fs.readdir('/')).length === 0) {
      await Promise.all([...plan.dirs.map((path) => fs.mkdir(path)), ...plan.files.map(({ path, bytes }) => fs.write(path, bytes))])
    }
    isFilled = true
  }
  const after = async <R>(call: () => Promise<R>): Promise<R> => {
    if (!isFilled) {
      filling ??= fill().finally(() => (filling = undefined))
      await filling
    }
    return call()
  }
  /** The caller may change its bytes while they wait. */
  const own = (bytes: Uint8Array): Uint8Array => (isFilled ? bytes : new Uint8Array(bytes))
  return {
    ...fs,
    open: () => after(() => fs.open()),
    lstat: (path) => after(() => fs.lstat(path)),
    readdir: (path) => after(() => fs.readdir(path)),
    read: (path, options) => after(() => fs.read(path, options)),
    write: async (path, bytes, options) => {
      const kept = own(bytes)
      return after(() => fs.write(path, kept, options))
    },
    mkdir: (path) => after(() => fs.mkdir(path)),
    unlink: (path) => after(() => fs.unlink(path)),
    rmdir: (path) => after(() => fs.rmdir(path)),
    rename: (from, to) => after(() => fs.rename(from, to)),
    flush: () => after(() => fs.flush()),
    readlink: (path) => after(() => fs.readlink(path)),
    symlink: (target, path) => after(() => fs.symlink(target, path)),
    append: async (path, bytes) => {
      const kept = own(bytes)
      return after(() => fs.append(path, kept))
    },
    copy: (from, to) => after(() => fs.copy(from, to)),
    rmTree: (path) => after(() => fs.rmTree(path)),
    setMeta: (path, meta) => after(() => fs.setMeta(path, meta)),
    usage: () => after(() => fs.usage()),
  }
}
