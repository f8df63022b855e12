import { parentPath } from '../../../src/workspace/paths.js'
import { Fault } from '../fault.js'
import { checkEmpty } from './entries.js'
import { below, type Entry, type Files } from './files.js'
import { libraryFault } from './library-faults.js'

/**
 * Renames an entry. Handles all cases that libraries are known to get wrong: equal paths, a directory that moves into itself, different
 * kinds, directories that are not empty, and symlinks.
 */
export async function rename(files: Files, from: string, to: string): Promise<void> {
  const source = await files.at(from)
  const target = await files.at(to)
  if (from === '/' || to === '/') throw new Fault('EBUSY')
  if (!source) throw new Fault('ENOENT')
  if (from === to) return
  if (to.startsWith(`${from}/`)) throw new Fault('EINVAL', 'a directory cannot go into itself')
  if (target) await checkReplaceable(files, source, target, to)
  if (source.kind === 'symlink') return moveLink(files, from, to, target)
  const taken = target && files.miscountsReplaced ? await take(files, to, target) : undefined
  try {
    await files.promises.rename(files.host(from), files.host(to))
  } catch (cause) {
    await putBack(taken, cause)
    throw cause
  }
  await taken?.drop()
}

async function checkReplaceable(files: Files, source: Entry, target: Entry, to: string): Promise<void> {
  if (source.kind !== 'dir') {
    if (target.kind === 'dir') throw new Fault('EISDIR')
    return
  }
  if (target.kind !== 'dir') throw new Fault('ENOTDIR')
  await checkEmpty(files, to)
}

/**
 * Moves a symlink by creating it anew, because libraries move the symlink's target and remove the symlink. A replaced entry is moved aside
 * first, so that a failed step loses nothing.
 */
async function moveLink(files: Files, from: string, to: string, target: Entry | undefined): Promise<void> {
  const leadsTo = String(await files.promises.readlink(files.host(from)))
  const taken = target && (await take(files, to, target))
  let isMade = false
  try {
    await files.promises.symlink(leadsTo, files.host(to))
    isMade = true
    await files.promises.unlink(files.host(from))
  } catch (cause) {
    await putBack(taken, cause, async () => {
      if (isMade) await files.promises.unlink(files.host(to))
    })
    throw cause
  }
  await taken?.drop()
}

/** Undoes a rename that failed. @throws {Fault} if that is impossible: the message says where the replaced entry is */
async function putBack(taken: Aside | undefined, cause: unknown, clear: () => Promise<void> = async () => undefined): Promise<void> {
  try {
    await clear()
    await taken?.restore()
  } catch {
    const { code } = cause instanceof Fault ? cause : libraryFault(cause)
    const left = taken?.name ? `it is "${taken.name}" beside it: move it back` : 'look at both places'
    throw new Fault(code, `what was there could not be put back: ${left}`, cause)
  }
}

interface Aside {
  /** The entry's current name in the same directory. Undefined for an empty directory, which is removed and recreated. */
  readonly name?: string
  restore(): Promise<unknown>
  drop(): Promise<unknown>
}

/** Moves aside an entry that will be replaced. */
function take(files: Files, path: string, { kind, stats }: Entry): Promise<Aside> {
  if (kind === 'dir') return takeDirectory(files, path, Number(stats.mode))
  return kind === 'symlink' ? takeLink(files, path) : putAside(files, path)
}

/** Removes an empty directory. `restore` recreates it. */
async function takeDirectory(files: Files, path: string, mode: number): Promise<Aside> {
  const host = files.host(path)
  await files.promises.rmdir(host)
  const restore = async (): Promise<void> => {
    await files.promises.mkdir(host)
    if (files.keepsModes) await files.promises.chmod(host, mode & 0o7777)
  }
  return { restore, drop: async () => undefined }
}

/** Moves a symlink aside by creating a copy and then removing the original, because libraries cannot move symlinks. */
async function takeLink(files: Files, path: string): Promise<Aside> {
  const [host, name] = [files.host(path), await freeName(files, parentPath(path))]
  const aside = files.host(below(parentPath(path), name))
  const target = String(await files.promises.readlink(host))
  const drop = (): Promise<unknown> => files.promises.unlink(aside)
  await files.promises.symlink(target, aside)
  try {
    await files.promises.unlink(host)
  } catch (cause) {
    await drop().catch(() => undefined)
    throw cause
  }
  const restore = async (): Promise<void> => {
    await files.promises.symlink(target, host)
    await drop()
  }
  return { name, restore, drop }
}

async function putAside(files: Files, path: string): Promise<Aside> {
  const [host, name] = [files.host(path), await freeName(files, parentPath(path))]
  const aside = files.host(below(parentPath(path), name))
  await files.promises.rename(host, aside)
  return { name, restore: () => files.promises.rename(aside, host), drop: () => files.promises.unlink(aside) }
}

/** Returns an unused name in a directory. An entry with this name remains only if the page or process ends during the rename. */
async function freeName(files: Files, dir: string): Promise<string> {
  for (let i = 0; ; i++) {
    const name = `.toolport-aside-${i}`
    if (!(await files.look(below(dir, name)))) return name
  }
}
