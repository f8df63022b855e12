import { answer, completion } from '../shared/idb-requests.js'
import { ROOT } from './database.js'
import { nodesBelow, type Superblock, statOf } from './superblock.js'

/**
 * The database and its tree, with the interface that the library uses. The library itself would store contents at once, but the tree only
 * half a second after the last change. If a page ended in between, contents without a name, wrong sizes, or names with the content of
 * another file would remain. This store keeps all changes in memory until `commit`, which stores them in one transaction.
 */
export class Store {
  readonly #db: IDBDatabase
  readonly #name: string
  /** The current tree. The library modifies this object. */
  readonly tree: Superblock
  /** The new contents by inode number. The value is undefined for a removed file. */
  readonly #changed = new Map<number, Uint8Array | undefined>()
  /** Number of bytes of the new contents. */
  #bytes = 0
  #changes = 0
  #isSynced = true
  readonly #onSave: () => void

  /** @param onSave called when the library requests a save */
  constructor(db: IDBDatabase, name: string, tree: Superblock, onSave: () => void) {
    this.#db = db
    this.#name = name
    this.tree = tree
    this.#onSave = onSave
  }

  /** The amount of unsaved changes. */
  get waiting(): { readonly bytes: number; readonly changes: number } {
    return { bytes: this.#bytes, changes: this.#changes }
  }

  /** Call before every change. */
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

  /** Part of the interface. The library calls `wipe` only with an option that the adapter never sets. */
  wipe(): never {
    throw new Error('wiping is not supported')
  }

  /** Part of the interface. Does nothing, because the library calls `close` whenever it was idle for half a second. */
  close(): void {}

  /** Finds contents that no entry refers to, which the library leaves behind when a page ends. The next commit removes them. */
  async dropOrphans(): Promise<void> {
    const keys = await answer(this.#db.transaction(this.#name).objectStore(this.#name).getAllKeys())
    const named = new Set<unknown>()
    const root = this.tree.get('/')
    if (root) for (const [, node] of nodesBelow(root)) named.add(statOf(node).ino)
    for (const key of keys) if (typeof key === 'number' && !named.has(key)) this.#set(key, undefined)
  }

  /**
   * Stores all changes in one transaction. If the promise rejects, nothing is stored, and all changes keep waiting. The transaction starts
   * synchronously, so that it completes even if the page is about to end.
   *
   * @param durability with `strict`, waits until this write and all earlier ones are on disk
   */
  async commit(durability: 'relaxed' | 'strict'): Promise<void> {
    const isClean = this.#changes === 0 && this.#changed.size === 0
    if (isClean && (this.#isSynced || durability === 'relaxed')) return
    await this.#write(durability)
    // The counters can be reset, because no change has come in between: a commit holds the lock alone.
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
