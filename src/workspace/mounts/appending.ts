import type { FsAdapter } from '../../types/fs.js'
import type { Place } from './table.js'

/** Appends with the storage's own way where it has one, else by writing the file again: one after another, or they would lose each other. */
export class Appending {
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
