import { startOnce } from '../../src/ops/start-once.js'
import { Fault, type Where } from '../shared/fault.js'
import { ReadWriteLock } from '../shared/read-write-lock.js'
import { Container } from './container.js'
import type { WebContainerLike } from './container-like.js'
import { ContainerFault, toFsError } from './faults.js'
import { importFiles } from './import-files.js'
import type { Store } from './operations.js'
import { Versions } from './versions.js'

/** Maximum number of attempts of a read that fails because a process removed or replaced an entry after its directory was listed. */
const LOOKS = 3

/** A container of `@webcontainer/api`, a promise of one, or a function that boots one. */
export type ContainerOption = WebContainerLike | Promise<WebContainerLike> | (() => WebContainerLike | Promise<WebContainerLike>)

export interface StorageOptions {
  readonly container: ContainerOption
  /** The workspace's folder, relative to the container's working directory. Empty for the working directory itself. */
  readonly root: string
  /** The initial files. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** Opens the container on the first call. Changes run alone and in order, reads run at the same time as other reads. */
export class Storage {
  readonly #options: StorageOptions
  readonly #lock = new ReadWriteLock()
  /** Opens the storage once. After a failure, the next call retries. */
  readonly #opened = startOnce(() => this.#prepare())
  /**
   * True from the start until the end of writing the initial files. If writing fails, the retry may overwrite what the failed attempt left
   * in the root.
   */
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
   * Resolves to the container, for adapters that use it besides the storage. Boots the container once. After a failure, the next call
   * retries. @throws {Fault} EIO
   */
  readonly booted: () => Promise<WebContainerLike> = startOnce(() => this.#boot())

  /** Waits for running calls. Does not tear down the container, which belongs to the caller. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#lock.alone(async () => undefined)
  }

  /** Reaches the lock synchronously, so that calls made before `close` complete before `close` does. */
  async #run<T>(where: Where, body: () => Promise<T>): Promise<T> {
    try {
      if (this.#closed) throw new Fault('EIO', 'the storage is closed')
      return await body()
    } catch (error) {
      throw toFsError(error, where)
    }
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

/** Returns whether an error means that a process in the container removed or replaced an entry after its directory was listed. */
function isOvertaken(error: unknown): boolean {
  return error instanceof ContainerFault && ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code)
}
