import { FsError } from '../../errors/index.js'
import type { FsAdapter } from '../../types/fs.js'
import { joinPath } from '../paths.js'
import { type Calls, refuse } from './calls.js'
import { copyBetween } from './copy-between.js'
import type { Place } from './table.js'

/** What every combination has: where a storage lacks it, it is made of what all storages have. */
export function treeParts(calls: Calls): Required<Pick<FsAdapter, 'append' | 'copy' | 'rmTree'>> {
  const { table } = calls
  const appending = new Appending()
  return {
    append: async (path, bytes) => {
      const asked = { op: 'append to', path }
      if (table.isFixed(path)) throw refuse('EISDIR', asked)
      return calls.change(asked, (at) => appending.append(at, bytes))
    },
    copy: async (from, to) => {
      const asked = { op: 'copy', path: from, dest: to }
      const [source, dest] = [calls.at(from, asked), calls.changing(asked, to)]
      if (table.isFixed(from) || table.isFixed(to)) throw refuse('EISDIR', asked)
      const { fs } = source.mount
      const { copy } = fs
      const own = copy && source.mount === dest.mount
      return calls.createAt(dest, asked, () => (own ? copy.call(fs, source.inner, dest.inner) : copyBetween(source, dest)))
    },
    rmTree: async (path) => {
      const asked = { op: 'remove', path }
      calls.refuseFixed(asked)
      return calls.change(asked, (at) => removeTree(at.mount.fs, at.inner))
    },
  }
}

/** Appends with the storage's own way where it has one, else by writing the file again: one after another, or they would lose each other. */
class Appending {
  readonly #last = new Map<FsAdapter, Promise<void>>()

  async append({ mount: { fs }, inner }: Place, bytes: Uint8Array): Promise<void> {
    if (fs.append) return fs.append(inner, bytes)
    const added = new Uint8Array(bytes)
    const turn = (this.#last.get(fs) ?? Promise.resolve()).then(() => rewrite(fs, inner, added))
    this.#last.set(
      fs,
      turn.catch(() => undefined),
    )
    return turn
  }
}

async function rewrite(fs: FsAdapter, path: string, added: Uint8Array): Promise<void> {
  const before = await fs.read(path)
  const after = new Uint8Array(before.length + added.length)
  after.set(before)
  after.set(added, before.length)
  await fs.write(path, after, { create: 'never' })
}

/** With the storage's own way where it has one, else entry by entry: depth first, links as themselves. */
async function removeTree(fs: FsAdapter, path: string): Promise<void> {
  if (path === '/') throw new FsError({ code: 'EBUSY', op: 'remove', path })
  if (fs.rmTree) return fs.rmTree(path)
  const { kind } = await fs.lstat(path)
  if (kind !== 'dir') return fs.unlink(path)
  for (const { name } of await fs.readdir(path)) await removeTree(fs, joinPath(path, name))
  await fs.rmdir(path)
}
