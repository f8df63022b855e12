import type { FsUsage } from '../../src/types/fs.js'
import { Fault } from '../shared/fault.js'
import { answer } from '../shared/idb-requests.js'
import { Files } from '../shared/node-like/files.js'
import type { NodePromisesLike, StatsLike } from '../shared/node-like/library-types.js'
import { Versions } from '../shared/node-like/versions.js'
import { loadTree, openDatabase, storeOf } from './database.js'
import type { Source, SourceOptions } from './source.js'
import { countOf, nodeAt, STAT, type Superblock, statOf, type TreeNode } from './superblock.js'

/**
 * Reads a database that another tab writes. Each read is one transaction over the tree and the contents, so it sees the state that was
 * stored last. The reader does not use the library, because the library would wait for the other tab's lock.
 */
export class Reader implements Source {
  readonly isReadOnly = true
  lost: Fault | undefined
  readonly #db: IDBDatabase
  readonly #store: string
  readonly #now: () => number
  readonly #versions = new Versions()

  static async open(options: SourceOptions): Promise<Reader> {
    return new Reader(await openDatabase(options), storeOf(options.name), options.now ?? Date.now)
  }

  private constructor(db: IDBDatabase, store: string, now: () => number) {
    this.#db = db
    this.#store = store
    this.#now = now
    db.onversionchange = () => {
      db.close()
      this.lost ??= new Fault('EIO', 'another page deletes the database')
    }
    db.onclose = () => {
      this.lost ??= new Fault('EIO', 'the browser took it away')
    }
  }

  look<T>(work: (files: Files) => Promise<T>): Promise<T> {
    return this.#inTree((tree, store) =>
      work(new Files({ promises: reading(tree, store), root: '/', now: undefined, versions: this.#versions, keepsModes: true })),
    )
  }

  async change(): Promise<void> {
    throw new Fault('EROFS', 'another tab has it open, and this one looks on: close it there, and open it here again')
  }

  usage(): Promise<FsUsage> {
    return this.#inTree(async (tree) => countOf(tree))
  }

  async flush(): Promise<void> {
    if (this.lost) throw this.lost
  }

  async close(): Promise<void> {
    this.#db.close()
  }

  async #inTree<T>(work: (tree: Superblock, store: IDBObjectStore) => Promise<T>): Promise<T> {
    if (this.lost) throw this.lost
    const store = this.#db.transaction(this.#store).objectStore(this.#store)
    return work(await loadTree(store, this.#now), store)
  }
}

/** Returns the read methods for one state of the tree. All other methods fail with EROFS. */
function reading(tree: Superblock, store: IDBObjectStore): NodePromisesLike {
  const find = (path: string): TreeNode => {
    const node = nodeAt(tree, path)
    if (!node) throw new Fault('ENOENT')
    return node
  }
  const refuse = async (): Promise<never> => {
    throw new Fault('EROFS')
  }
  return {
    lstat: async (path) => statsOf(find(path)),
    readdir: async (path) => [...find(path).keys()].filter((name) => name !== STAT),
    readFile: (path) => answer(store.get(statOf(find(path)).ino)),
    readlink: async (path) => statOf(find(path)).target,
    writeFile: refuse,
    mkdir: refuse,
    unlink: refuse,
    rmdir: refuse,
    rename: refuse,
    symlink: refuse,
    chmod: refuse,
    utimes: refuse,
  }
}

function statsOf(node: TreeNode): StatsLike {
  const stat = statOf(node)
  return {
    isFile: () => stat.type === 'file',
    isDirectory: () => stat.type === 'dir',
    isSymbolicLink: () => stat.type === 'symlink',
    size: stat.size,
    mtimeMs: stat.mtimeMs,
    mode: stat.mode,
    ino: stat.ino,
  }
}
