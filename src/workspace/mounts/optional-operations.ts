import { FsError, ignoreCodes } from '../../errors/index.js'
import type { FsAdapter, FsDifference, FsImage, FsMoment, FsStat, FsUsage } from '../../types/fs.js'
import { joinPath } from '../paths.js'
import { type Asked, type Calls, refuse } from './calls.js'
import { type Mount, type MountTable, outerPath, type Place, storageOf } from './mount-table.js'

type Others = Required<Pick<FsAdapter, 'readlink' | 'symlink' | 'setMeta' | 'checkWrite' | 'usage' | 'checkpoint'>>
type Meta = { readonly mode?: number; readonly mtimeMs?: number }

/** Implements the operations that a combination of storages offers only if its storages have them. */
export function otherParts(calls: Calls, lstat: (path: string) => Promise<FsStat>): Others {
  return {
    readlink: (path) => readlink(calls, lstat, path),
    symlink: (target, path) => symlink(calls, target, path),
    setMeta: (path, meta) => setMeta(calls, path, meta),
    checkWrite: (path) => checkWrite(calls, path),
    usage: () => usage(calls),
    checkpoint: () => checkpoint(calls),
  }
}

function lacking({ mount }: Place, asked: Asked, what: string): FsError {
  return refuse('ENOTSUP', asked, `${storageOf(mount)} ${what}`)
}

async function readlink(calls: Calls, lstat: (path: string) => Promise<FsStat>, path: string): Promise<string> {
  const asked = { op: 'read link', path }
  const place = calls.at(path, asked)
  const { fs } = place.mount
  if (fs.readlink && !calls.table.isFixed(path)) return calls.run(place, asked, () => fs.readlink?.(place.inner) as Promise<string>)
  if ((await lstat(path)).kind !== 'symlink') throw refuse('EINVAL', asked, 'it is not a link')
  throw refuse('ELOOP', asked, 'the storage does not report the target of this link')
}

async function symlink(calls: Calls, target: string, path: string): Promise<void> {
  const asked = { op: 'link', path }
  if (calls.table.isFixed(path)) throw refuse('EEXIST', asked)
  const place = calls.changing(asked)
  const { fs } = place.mount
  if (!fs.symlink) throw lacking(place, asked, 'keeps no links')
  return calls.createAt(place, asked, () => fs.symlink?.(target, place.inner) as Promise<void>)
}

async function setMeta(calls: Calls, path: string, meta: Meta): Promise<void> {
  const asked = { op: 'change', path }
  const place = calls.changing(asked)
  const { fs } = place.mount
  if (!fs.setMeta) throw lacking(place, asked, 'does not support setting modes and times')
  // A directory above a mount point may be missing in its storage. Then `createAt` creates the directory first.
  const made = calls.table.isLead(path) ? joinPath(path, '.') : path
  return calls.createAt(place, asked, () => fs.setMeta?.(place.inner, meta) as Promise<void>, made)
}

async function checkWrite(calls: Calls, path: string): Promise<void> {
  const asked = { op: 'write', path }
  const place = calls.at(path, asked)
  await calls.run(place, asked, async () => place.mount.fs.checkWrite?.(place.inner))
}

async function usage(calls: Calls): Promise<FsUsage> {
  let [bytes, files] = [0, 0]
  for (const mount of calls.table.all) {
    const asked = { op: 'count', path: mount.at }
    const used = await calls.run({ mount, inner: '/' }, asked, () => mount.fs.usage?.() as Promise<FsUsage>)
    bytes += used.bytes
    files += used.files
  }
  return { bytes, files }
}

/**
 * Takes the checkpoints of all storages one after another. The checkpoints are consistent, because the workspace locks the tree meanwhile.
 */
async function checkpoint(calls: Calls): Promise<FsMoment> {
  const moments = new Map<Mount, FsMoment>()
  for (const mount of calls.table.all) {
    const moment = await calls.run({ mount, inner: '/' }, { op: 'keep', path: mount.at }, async () => mount.fs.checkpoint?.())
    if (moment) moments.set(mount, moment)
  }
  return new MountedMoment(calls.table, moments)
}

const LEAD: FsImage = { kind: 'dir', size: 0, mtimeMs: 0 }

/** A directory above a mount point always exists, so only its permission bits can differ. */
function leadDifference({ path, before, after }: FsDifference): FsDifference | undefined {
  const [was, is] = [before, after].map((image) => (image?.kind === 'dir' ? image : LEAD)) as [FsImage, FsImage]
  const differs = was.mode !== undefined && is.mode !== undefined && was.mode !== is.mode
  return differs ? { path, before: was, after: is } : undefined
}

/** Checkpoints of all storages at one moment. They always contain the mount points and the directories above. */
class MountedMoment implements FsMoment {
  readonly #table: MountTable
  readonly #moments: ReadonlyMap<Mount, FsMoment>

  constructor(table: MountTable, moments: ReadonlyMap<Mount, FsMoment>) {
    this.#table = table
    this.#moments = moments
  }

  async diff(to?: FsMoment): Promise<FsDifference[]> {
    const found: FsDifference[] = []
    for (const [mount, moment] of this.#moments) {
      // Changes in a read-only mount could not be restored.
      if (mount.readOnly) continue
      for (const difference of await moment.diff(to === undefined ? undefined : this.#part(to, mount))) {
        const path = outerPath(mount, difference.path)
        if (this.#table.place(path).mount !== mount) continue
        const shown = this.#table.isLead(path) ? leadDifference(difference) : difference
        if (shown) found.push({ ...shown, path })
      }
    }
    return found
  }

  async lstat(path: string): Promise<FsImage> {
    const { mount, inner } = this.#table.place(path)
    if (!this.#table.isLead(path)) return this.#of(mount).lstat(inner)
    const own = await this.#of(mount)
      .lstat(inner)
      .catch(ignoreCodes('ENOENT', 'ENOTDIR', 'ELOOP'))
    return own?.kind === 'dir' ? own : LEAD
  }

  async read(path: string): Promise<Uint8Array> {
    const { mount, inner } = this.#table.place(path)
    if (this.#table.isLead(path)) throw new FsError({ code: 'EISDIR', op: 'read', path })
    return this.#of(mount).read(inner)
  }

  #of(mount: Mount): FsMoment {
    return this.#moments.get(mount) as FsMoment
  }

  #part(other: FsMoment, mount: Mount): FsMoment {
    if (#moments in other && other.#table === this.#table) return other.#of(mount)
    throw new FsError({ code: 'EINVAL', op: 'compare', path: '/', detail: 'the moment belongs to another storage' })
  }
}
