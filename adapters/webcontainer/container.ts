import type { FileKind } from '../../src/types/fs.js'
import type { WebContainerDirentLike, WebContainerLike, WebContainerTree } from './container-like.js'
import { ContainerFault, containerFault } from './faults.js'

export type Listing = ReadonlyMap<string, FileKind>

/** Calls the public methods of the container with adapter paths. Validates every answer. Every error is a {ContainerFault}. */
export class Container {
  readonly #container: WebContainerLike
  /** The workspace's folder, relative to the container's working directory. Empty for the working directory itself. */
  readonly #root: string

  constructor(container: WebContainerLike, root: string) {
    this.#container = container
    this.#root = root
  }

  async list(path: string): Promise<Listing> {
    const answer: unknown = await this.#call(({ fs }) => fs.readdir(this.#at(path), { withFileTypes: true }))
    if (!Array.isArray(answer)) throw malformed('a listing that is no list')
    const entries = new Map<string, FileKind>()
    for (const entry of answer) entries.set(nameOf(entry), kindOf(entry))
    return entries
  }

  /** Returns a copy of the bytes. */
  async read(path: string): Promise<Uint8Array> {
    const answer: unknown = await this.#call(({ fs }) => fs.readFile(this.#at(path)))
    if (!ArrayBuffer.isView(answer)) throw malformed('content that is no bytes')
    // The `slice` of a Node Buffer would share the Buffer's memory.
    return new Uint8Array(new Uint8Array(answer.buffer, answer.byteOffset, answer.byteLength))
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#call(({ fs }) => fs.writeFile(this.#at(path), bytes))
  }

  async mkdir(path: string): Promise<void> {
    await this.#call(({ fs }) => fs.mkdir(this.#at(path)))
  }

  /** Removes a file or a symlink. */
  async remove(path: string): Promise<void> {
    await this.#call(({ fs }) => fs.rm(this.#at(path)))
  }

  /**
   * Removes a directory recursively, because the container can remove a directory in no other way. Call only for a directory that is empty
   * or contains no symlinks.
   */
  async removeTree(path: string): Promise<void> {
    await this.#call(({ fs }) => fs.rm(this.#at(path), { recursive: true }))
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#call(({ fs }) => fs.rename(this.#at(from), this.#at(to)))
  }

  async mount(tree: WebContainerTree): Promise<void> {
    await this.#call((container) => container.mount(tree, this.#root === '' ? {} : { mountPoint: this.#root }))
  }

  /** Creates the missing directories of the root. */
  async makeRoot(): Promise<void> {
    const names = this.#root === '' ? [] : this.#root.split('/')
    for (let depth = 1; depth <= names.length; depth++) {
      const path = names.slice(0, depth).join('/')
      try {
        await this.#call(({ fs }) => fs.readdir(path, { withFileTypes: true }))
      } catch (error) {
        if (!(error instanceof ContainerFault) || error.code !== 'ENOENT') throw error
        await this.#call(({ fs }) => fs.mkdir(path))
      }
    }
  }

  #at(path: string): string {
    const below = path.slice(1)
    if (this.#root === '') return below === '' ? '.' : below
    return below === '' ? this.#root : `${this.#root}/${below}`
  }

  /** Catches synchronous exceptions too: after a teardown, the client throws instead of returning a promise that rejects. */
  async #call<T>(body: (container: WebContainerLike) => Promise<T>): Promise<T> {
    try {
      return await body(this.#container)
    } catch (error) {
      throw containerFault(error)
    }
  }
}

function nameOf(entry: unknown): string {
  const name: unknown = typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : undefined
  if (typeof name !== 'string' || name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) {
    throw malformed(`an entry of the name ${JSON.stringify(name)}`)
  }
  return name
}

function kindOf(entry: WebContainerDirentLike): FileKind {
  if (typeof entry.isFile !== 'function' || typeof entry.isDirectory !== 'function') throw malformed('an entry without a kind')
  if (entry.isDirectory() === true) return 'dir'
  // An entry that is neither a directory nor a file is a symlink, or something else that the storage cannot use either.
  return entry.isFile() === true ? 'file' : 'symlink'
}

function malformed(what: string): ContainerFault {
  return new ContainerFault('EIO', `the container answered with ${what}`)
}
