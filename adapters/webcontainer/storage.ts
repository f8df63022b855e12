import { Fault, type Where } from '../shared/fault.js'
import { ReadWriteLock } from '../shared/read-write-lock.js'
import { Container } from './container.js'
import type { WebContainerLike } from './container-like.js'
import { ContainerFault, toFsError } from './faults.js'
import { importFiles } from './import-files.js'
import type { Store } from './operations.js'
import { Versions } from './versions.js'

/** Times that a look is taken again when the container answers otherwise than it has just listed. */
const LOOKS = 3

/** A container of `@webcontainer/api`, a promise of one, or a function that boots one. */
export type ContainerOption = WebContainerLike | Promise<WebContainerLike> | (() => WebContainerLike | Promise<WebContainerLike>)

export interface StorageOptions {
  readonly container: ContainerOption
  /** Relative to the working directory; empty for that itself. */
  readonly root: string
  /** The first content. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** Opens the container with the first call and gives every call its turn. */
export class Storage {
  readonly #options: StorageOptions
  readonly #lock = new ReadWriteLock()
  #booting: Promise<WebContainerLike> | undefined
  #opening: Promise<Store> | undefined
  /** The first content is being written: a root that is not empty is so by us. */
  #filling = false
  #closed = false

  constructor(options: StorageOptions) {
    this.#options = options
  }

  look<T>(where: Where, body: (store: Store) => Promise<T>): Promise<T> {
    return this.#run(where, () =>
      this.#lock.shared(async () => {
        const store = await this.#opened()
        for (let look = 1; ; look++) {
          try {
            return await body(store)
          } catch (error) {
            if (look === LOOKS || !isOvertaken(error)) throw error
          }
        }
      }),
    )
  }

  change<T>(where: Where, body: (store: Store) => Promise<T>): Promise<T> {
    return this.#run(where, () => this.#lock.alone(async () => body(await this.#opened())))
  }

  /** The container itself, for whoever works beside the storage. It is booted once; after a failure by the next call. @throws {Fault} EIO */
  booted(): Promise<WebContainerLike> {
    if (this.#booting) return this.#booting
    const booting = this.#boot()
    booting.catch(() => {
      this.#booting = undefined
    })
    this.#booting = booting
    return booting
  }

  /** The container is its maker's, and stays as it is. Waits for what is under way. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#lock.alone(async () => undefined)
  }

  /** In its turn at once: what is asked for before `close` is done before it. */
  async #run<T>(where: Where, body: () => Promise<T>): Promise<T> {
    try {
      if (this.#closed) throw new Fault('EIO', 'the storage is closed')
      return await body()
    } catch (error) {
      throw toFsError(error, where)
    }
  }

  /** Tried again by the next call when it fails. */
  #opened(): Promise<Store> {
    if (this.#opening) return this.#opening
    const opening = this.#prepare()
    opening.catch(() => {
      this.#opening = undefined
    })
    this.#opening = opening
    return opening
  }

  async #prepare(): Promise<Store> {
    const { root, files } = this.#options
    const container = new Container(await this.booted(), root)
    const store = { container, versions: new Versions() }
    await container.makeRoot()
    if (files.size > 0 && (this.#filling || (await container.list('/')).size === 0)) {
      this.#filling = true
      await importFiles(store, files)
      this.#filling = false
    }
    return store
  }

  async #boot(): Promise<WebContainerLike> {
    const { container } = this.#options
    try {
      return await (typeof container === 'function' ? container() : container)
    } catch (cause) {
      throw new Fault('EIO', `the container did not start: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
    }
  }
}

/** A process in the container was quicker: what was listed is gone, or something else by now. */
function isOvertaken(error: unknown): boolean {
  return error instanceof ContainerFault && ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code)
}
