import { hasCode } from '../../../errors/index.js'
import type { CheckpointLimits } from '../../../types/checkpoint.js'
import type { FsAdapter } from '../../../types/fs.js'
import { Blobs, blobSize, SCAN_FOLDER } from './blobs.js'
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

  /** The contents that nobody uses any more. */
  drop(id: string): string[] {
    const unused: string[] = []
    for (const name of this.#blobsOf.get(id) ?? []) {
      const left = (this.#counts.get(name) ?? 1) - 1
      if (left > 0) this.#counts.set(name, left)
      else if (this.#counts.delete(name)) unused.push(name)
    }
    this.#blobsOf.delete(id)
    return unused
  }

  async #add(id: string): Promise<void> {
    const names = new Set<string>()
    for (const { blob } of (await this.#read(id))?.entries.values() ?? []) if (blob !== undefined) names.add(blob)
    for (const name of names) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    this.#blobsOf.set(id, [...names])
  }
}

/**
 * Drops the oldest of `kept` as far as the limits say, and then the contents that none of `all` has: these are `kept`, and any that cannot
 * be read at the moment. Gives their ids.
 */
export async function dropOldest(
  fs: FsAdapter,
  kept: readonly string[],
  all: readonly string[],
  { keep, bytes }: Required<CheckpointLimits>,
  users: BlobUsers,
): Promise<string[]> {
  const blobs = await Blobs.open(fs)
  const sizes = new Map<string, number>()
  for (const id of kept) sizes.set(id, (await fs.lstat(`${SCAN_FOLDER}/${id}`)).size)
  let held = 0
  for (const name of blobs.names()) held += blobSize(name)
  for (const size of sizes.values()) held += size
  if (kept.length <= keep && held <= bytes) return []
  await users.update(all)
  const remove = async (name: string): Promise<void> => {
    await blobs.remove(name)
    held -= blobSize(name)
  }
  // What a failure or a crash has left over belongs to none.
  for (const name of [...blobs.names()]) if (!users.isUsed(name)) await remove(name)
  const gone: string[] = []
  for (const id of kept.slice(0, -1)) {
    if (kept.length - gone.length <= keep && held <= bytes) break
    // The list goes first: contents without one are found again, a list without its contents would promise what is not there.
    await removeIfAny(fs, `${SCAN_FOLDER}/${id}`)
    gone.push(id)
    held -= sizes.get(id) ?? 0
    for (const name of users.drop(id)) await remove(name)
  }
  return gone
}

async function removeIfAny(fs: FsAdapter, path: string): Promise<void> {
  await fs.unlink(path).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error
  })
}
