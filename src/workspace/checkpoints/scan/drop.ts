import { hasCode } from '../../../errors/index.js'
import type { FsAdapter } from '../../../types/fs.js'
import { Blobs, SCAN_FOLDER } from './blobs.js'
import type { Manifest } from './manifest.js'

/** Which contents each checkpoint has, and how many have each. Kept between two calls, for lists are long. */
export class BlobUsers {
  readonly #counts = new Map<string, number>()
  readonly #blobsOf = new Map<string, readonly string[]>()
  readonly #read: (id: string) => Promise<Manifest | undefined>

  /** `read`: undefined for one that is damaged, which can be restored no more and holds nothing. */
  constructor(read: (id: string) => Promise<Manifest | undefined>) {
    this.#read = read
  }

  /** Makes it that of these checkpoints. */
  async update(ids: readonly string[]): Promise<void> {
    for (const id of this.#blobsOf.keys()) if (!ids.includes(id)) this.drop(id)
    for (const id of ids) if (!this.#blobsOf.has(id)) await this.#add(id)
  }

  isUsed(name: string): boolean {
    return this.#counts.has(name)
  }

  drop(id: string): void {
    for (const name of this.#blobsOf.get(id) ?? []) {
      const left = (this.#counts.get(name) ?? 1) - 1
      if (left > 0) this.#counts.set(name, left)
      else this.#counts.delete(name)
    }
    this.#blobsOf.delete(id)
  }

  async #add(id: string): Promise<void> {
    const names = new Set<string>()
    for (const { blob } of (await this.#read(id))?.entries.values() ?? []) if (blob !== undefined) names.add(blob)
    for (const name of names) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    this.#blobsOf.set(id, [...names])
  }
}

/** Drops these of `all`, and then the contents that none of the others has, also those that a failure or a crash has left over. */
export async function drop(fs: FsAdapter, ids: readonly string[], all: readonly string[], users: BlobUsers): Promise<void> {
  const blobs = await Blobs.open(fs)
  await users.update(all)
  for (const id of ids) {
    // The list goes first: contents without one are found again, a list without its contents would promise what is not there.
    await removeIfAny(fs, `${SCAN_FOLDER}/${id}`)
    users.drop(id)
  }
  for (const name of [...blobs.names()]) if (!users.isUsed(name)) await blobs.remove(name)
}

async function removeIfAny(fs: FsAdapter, path: string): Promise<void> {
  await fs.unlink(path).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error
  })
}
