import { FsError, hasCode } from '../../errors/index.js'
import type { FsDifference, FsImage, FsMoment } from '../../types/fs.js'
import { type Mount, type MountTable, outerPath } from './table.js'

const LEAD: FsImage = { kind: 'dir', size: 0, mtimeMs: 0 }

/** Of a directory that is always there only the permission bits can differ. */
function leadDifference({ path, before, after }: FsDifference): FsDifference | undefined {
  const [was, is] = [before, after].map((image) => (image?.kind === 'dir' ? image : LEAD)) as [FsImage, FsImage]
  const differs = was.mode !== undefined && is.mode !== undefined && was.mode !== is.mode
  return differs ? { path, before: was, after: is } : undefined
}

/** Moments of all storages, taken one after another while nothing changes. Mount points, and what leads to them, are in all of them. */
export class MountedMoment implements FsMoment {
  readonly #table: MountTable
  readonly #moments: ReadonlyMap<Mount, FsMoment>

  constructor(table: MountTable, moments: ReadonlyMap<Mount, FsMoment>) {
    this.#table = table
    this.#moments = moments
  }

  async diff(to?: FsMoment): Promise<FsDifference[]> {
    const found: FsDifference[] = []
    for (const [mount, moment] of this.#moments) {
      // What others change there cannot be put back.
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
      .catch((error: unknown) => {
        if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error
      })
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
    throw new FsError({ code: 'EINVAL', op: 'compare', path: '/', detail: 'the moment is one of another storage' })
  }
}
