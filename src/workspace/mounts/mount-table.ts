import type { FsAdapter } from '../../types/fs.js'
import { baseName, isWithin, parentPath } from '../paths.js'

/** A storage and its mount point; the root storage is mounted at `/`. */
export interface Mount {
  /** Adapter path in the combination. */
  readonly at: string
  /** Name of the mount in messages. */
  readonly label: string
  readonly fs: FsAdapter
  readonly readOnly: boolean
}

/** A mount, and a path in its storage (`inner`). */
export interface Place {
  readonly mount: Mount
  readonly inner: string
}

/** Finds the storage of a path: the one with the longest mount point above it. */
export class MountTable {
  readonly root: Mount
  /** All mounts, the root first. */
  readonly all: readonly Mount[]
  readonly #longestFirst: readonly Mount[]
  readonly #points: ReadonlySet<string>
  /** Names in each directory that are mount points or directories above one, by directory. */
  readonly #names = new Map<string, Set<string>>()

  constructor(root: Mount, mounts: readonly Mount[]) {
    this.root = root
    this.all = [root, ...mounts]
    this.#longestFirst = mounts.toSorted((a, b) => b.at.length - a.at.length)
    this.#points = new Set(mounts.map(({ at }) => at))
    for (const { at } of mounts) {
      for (let path = at; path !== '/'; path = parentPath(path)) {
        const names = this.#names.get(parentPath(path)) ?? new Set()
        this.#names.set(parentPath(path), names.add(baseName(path)))
      }
    }
  }

  place(path: string): Place {
    const mount = this.#longestFirst.find(({ at }) => isWithin(path, at))
    return mount ? { mount, inner: path.slice(mount.at.length) || '/' } : { mount: this.root, inner: path }
  }

  /** Lists the mounts below a path. */
  below(path: string): readonly Mount[] {
    return this.all.filter(({ at }) => at !== path && isWithin(at, path))
  }

  isPoint(path: string): boolean {
    return this.#points.has(path)
  }

  /** Whether a path is a directory above a mount point, which exists even if its storage lacks it. */
  isLead(path: string): boolean {
    return path !== '/' && this.#names.has(path) && !this.#points.has(path)
  }

  /** Whether the path is a mount point or a directory above one, which nobody can remove, move or replace. */
  isFixed(path: string): boolean {
    return this.#points.has(path) || this.isLead(path)
  }

  namesIn(folder: string): ReadonlySet<string> | undefined {
    return this.#names.get(folder)
  }

  /** Lists the directories above a path that lead to mount points and may be missing in the path's own storage, from the top down. */
  leadsAbove(path: string): string[] {
    const { at } = this.place(path).mount
    const leads: string[] = []
    for (let folder = parentPath(path); folder !== '/' && isWithin(folder, at); folder = parentPath(folder)) {
      if (this.isLead(folder)) leads.unshift(folder)
    }
    return leads
  }
}

/** Converts a path of a storage to a path of the combination. */
export function outerPath({ at }: Mount, inner: string): string {
  if (at === '/') return inner
  return inner === '/' ? at : at + inner
}

/** Names the storage of a mount in messages. */
export function storageOf({ at, label }: Mount): string {
  return at === '/' ? 'the storage of the root' : `the storage of the mount "${label}"`
}
