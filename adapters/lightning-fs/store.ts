import { answer, completion } from '../shared/idb-requests.js'
import { ROOT } from './database.js'
import { nodesBelow, type Superblock, statOf } from './superblock.js'

/**
 * The database, as the library uses it, and its tree. The library stores contents at once and the tree half a second after the last change,
 * so that a page that ends in between leaves contents that no tree names, sizes that are wrong, or names that lead to the content of another
 * file. Here all of it is kept until `commit`, which stores it in one transaction: the whole of it is there afterwards, or nothing.
 */
export class Store {
  readonly #db: IDBDatabase
  readonly #name: string
  /** The library changes it in place. */
  readonly tree: Superblock
  /** Number of a file -> its new content; undefined: removed. */
  readonly #changed = new Map<number, Uint8Array | undefined>()
  /** Of the new contents. */
  #bytes = 0
  #changes = 0
  #isSynced = true
  readonly #onSave: () => void

  /** @param onSave called when the library thinks that it is time to save */
  constructor(db: IDBDatabase, name: string, tree: Superblock, onSave: () => void) {
    this.#db = db
    this.#name = name
    this.tree = tree
    this.#onSave = onSave
  }

  /** What waits to be stored. */
  get waiting(): { readonly bytes: number; readonly changes: number } {
    return { bytes: this.#bytes, changes: this.#changes }
  }

  /** To be called for every change, before it. */
  willChange(): void {
    this.#changes++
  }

  saveSuperblock(): void {
    this.#onSave()
  }

  loadSuperblock(): Superblock {
    return this.tree
  }

  readFile(ino: number): Promise<unknown> | Uint8Array | undefined {
    if (this.#changed.has(ino)) return this.#changed.get(ino)
    return answer(this.#db.transaction(this.#name).objectStore(this.#name).get(ino))
  }

  writeFile(ino: number, content: Uint8Array): void {
    this.#set(ino, content)
  }

  unlink(ino: number): void {
    this.#set(ino, undefined)
  }

  /** The library never asks for it but on an option that it is not given. */
  wipe(): never {
    throw new Error('wiping is not supported')
  }

  /** The library does so whenever it has been idle for half a second. */
  close(): void {}

  /** Contents that no entry names, as the library leaves them behind when a page ends, go with the next commit. */
  async dropOrphans(): Promise<void> {
    const keys = await answer(this.#db.transaction(this.#name).objectStore(this.#name).getAllKeys())
    const named = new Set<unknown>()
    const root = this.tree.get('/')
    if (root) for (const [, node] of nodesBelow(root)) named.add(statOf(node).ino)
    for (const key of keys) if (typeof key === 'number' && !named.has(key)) this.#set(key, undefined)
  }

  /**
   * Stores everything in one transaction. When it rejects, nothing of it is stored, and all of it still waits. The transaction is begun in
   * the same breath: a page that is about to end gets it done.
   *
   * @param durability `strict` waits for the disk, and for everything that was written before
   */
  async commit(durability: 'relaxed' | 'strict'): Promise<void> {
    const isClean = this.#changes === 0 && this.#changed.size === 0
    if (isClean && (this.#isSynced || durability === 'relaxed')) return
    await this.#write(durability)
    // Nothing can have come in between: a commit has the turn for itself.
    this.#changed.clear()
    this.#bytes = 0
    this.#changes = 0
    this.#isSynced = durability === 'strict'
  }

  async #write(durability: IDBTransactionDurability): Promise<void> {
    const transaction = this.#db.transaction(this.#name, 'readwrite', { durability })
    const done = completion(transaction)
    try {
      this.#put(transaction.objectStore(this.#name))
      transaction.commit()
    } catch (cause) {
      transaction.abort()
      throw cause
    }
    await done
  }

  #put(store: IDBObjectStore): void {
    for (const [ino, content] of this.#changed) {
      if (content === undefined) store.delete(ino)
      else store.put(content, ino)
    }
    store.put(this.tree, ROOT)
  }

  #set(ino: number, content: Uint8Array | undefined): void {
    this.#bytes += (content?.length ?? 0) - (this.#changed.get(ino)?.length ?? 0)
    this.#changed.set(ino, content)
  }
}
