import { FsError, ignoreCodes } from '../../../errors/index.js'
import { sha256 } from '../../../ops/archive/sha256.js'
import type { FsAdapter } from '../../../types/fs.js'
import { RESERVED } from '../engine.js'
import { listIfAny, makeDirectories } from '../folders.js'

export const SCAN_FOLDER: string = `/${RESERVED}/scan`

const FOLDER = `${SCAN_FOLDER}/blobs`
/** Name of a content: its hash and its size, so that a listing of names shows how much is stored. */
const NAME = /^[0-9a-f]{64}-(\d{1,15})$/

/** The stored contents of files. Each content is stored once. */
export class Blobs {
  readonly #fs: FsAdapter
  readonly #names: Set<string>
  readonly #folders: Set<string>

  private constructor(fs: FsAdapter, names: Set<string>, folders: Set<string>) {
    this.#fs = fs
    this.#names = names
    this.#folders = folders
  }

  /** Lists the stored contents each time, because somebody may have removed the folder. */
  static async open(fs: FsAdapter): Promise<Blobs> {
    const names = new Set<string>()
    const folders = new Set<string>()
    for (const { name: folder } of await listIfAny(fs, FOLDER)) {
      folders.add(folder)
      for (const { name } of await listIfAny(fs, `${FOLDER}/${folder}`)) if (NAME.test(name) && name.startsWith(folder)) names.add(name)
    }
    return new Blobs(fs, names, folders)
  }

  names(): Iterable<string> {
    return this.#names
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** Stores a content. Returns false if it was stored already. */
  async add(name: string, bytes: Uint8Array): Promise<boolean> {
    if (this.#names.has(name)) return false
    this.#names.add(name)
    try {
      const folder = name.slice(0, 2)
      if (!this.#folders.has(folder)) await makeDirectories(this.#fs, FOLDER, `${FOLDER}/${folder}`)
      this.#folders.add(folder)
      await this.#fs.write(fileOf(name), bytes)
      return true
    } catch (error) {
      this.#names.delete(name)
      throw error
    }
  }

  async remove(name: string): Promise<void> {
    this.#names.delete(name)
    await this.#fs.unlink(fileOf(name)).catch(ignoreCodes('ENOENT'))
  }
}

export async function blobName(bytes: Uint8Array): Promise<string> {
  return `${await sha256(bytes)}-${bytes.length}`
}

export function blobSize(name: string): number {
  return Number(name.slice(65))
}

/** @throws {FsError} EIO: damaged or missing */
export async function readBlob(fs: FsAdapter, name: string, path: string): Promise<Uint8Array> {
  const bytes = await fs.read(fileOf(name)).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  if (bytes && (await blobName(bytes)) === name) return bytes
  throw new FsError({ code: 'EIO', op: 'read', path, detail: `its stored content is ${bytes ? 'damaged' : 'missing'}` })
}

function fileOf(name: string): string {
  return `${FOLDER}/${name.slice(0, 2)}/${name}`
}
