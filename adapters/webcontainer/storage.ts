import { Fault, type Where } from '../shared/fault.js'
import { ReadWriteLock } from '../shared/read-write-lock.js'
import { Container } from './container.js'
import type { WebContainerLike } from './container-like.js'
import { ContainerFault, toFsError } from './faults.js'
import { importFiles } from './import-files.js'
import type { Store } from './operations.js'
import { Versions } from './versions.js'

/** Attempts of a read while its results contradict an earlier listing. */
const LOOKS = 3

/** A container of `@webcontainer/api`, a promise of one, or a function that boots one. */
export type ContainerOption = WebContainerLike | Promise<WebContainerLike> | (() => WebContainerLike | Promise<WebContainerLike>)

export interface StorageOptions {
  readonly container: ContainerOption
  /** Relative to the working directory; empty for the working directory itself. */
  readonly root: string
  /** The initial files. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** Opens the container on the first call, and runs calls in order. */
export class Storage {
  readonly #options: StorageOptions
  readonly #lock = new ReadWriteLock()
  #booting: Promise<WebContainerLike> | undefined
  #opening: Promise<Store> | undefined
  /** True while the initial files are written: then a root that is not empty may contain only files of this storage. */
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

  /**
   * The container, for adapters that use it besides the storage. Boots it once; after a failure, the next call retries. @throws {Fault} EIO
   */
  booted(): Promise<WebContainerLike> {
    if (this.#booting) return this.#booting
    const booting = this.#boot()
    booting.catch(() => {
      this.#booting = undefined
    })
    this.#booting = booting
    return booting
  }

  /** Waits for running calls. Does not tear down the container, which belongs to the caller. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#lock.alone(async () => undefined)
  }

  /** Queues synchronously, so that calls made before `close` complete before it. */
  async #run<T>(where: Where, body: () => Promise<T>): Promise<T> {
    try {
      if (this.#closed) throw new Fault('EIO', 'the storage is closed')
      return await body()
    } catch (error) {
      throw toFsError(error, where)
    }
  }

  /** After a failure, the next call retries. */
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

/** A process in the container has removed or replaced an entry since it was listed. */
function isOvertaken(error: unknown): boolean {
  return error instanceof ContainerFault && ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code)
}
