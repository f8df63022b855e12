import type { FsAdapter } from '../../src/types/fs.js'
import { Fault } from '../shared/fault.js'
import { type Files, planFiles } from '../shared/first-files.js'
import { pageFactory } from '../shared/idb-requests.js'
import { checkOpenTimeout } from '../shared/open-timeout.js'
import type { LocksLike } from '../shared/web-lock.js'
import * as contents from './contents.js'
import * as entries from './entries.js'
import { statOf } from './nodes.js'
import { PART_BYTES, piecesOf } from './parts.js'
import { Storage } from './storage.js'
import type { ConnectionOptions } from './transactions.js'

/** Options of `createIndexedDbFs`. */
export interface IndexedDbFsOptions {
  /** Name of the workspace in this site. The database and the lock both have the name `toolport:NAME`. */
  readonly name: string
  /**
   * The initial files: maps paths (`src/a.ts` or `/src/a.ts`) to text or bytes. If the storage is empty when it opens, the files are
   * written in one transaction: all or none.
   */
  readonly files?: Files
  /** Returns the time for modification times, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number
  /**
   * `relaxed`: a call is acknowledged when the browser has passed its transaction to the operating system. The data survives a killed tab
   * or browser, but perhaps not a power loss. `flush()` waits for the disk. `strict`: every transaction waits for the disk
   * (`can.durableOnAck`), which takes two to three times as long. Default: `relaxed`.
   */
  readonly durability?: 'relaxed' | 'strict'
  /** The factory that opens the database. Default: the global `indexedDB`. */
  readonly indexedDB?: IDBFactory
  /**
   * The locks that ensure a single writer. Default: `navigator.locks`, which only secure pages have (HTTPS or localhost). With `none`, you
   * must ensure a single user at a time yourself: two users would corrupt each other's data.
   */
  readonly locks?: LocksLike | 'none'
  /**
   * Maximum milliseconds to wait for the browser to open the database. After that, the call fails with EIO, and the next call tries again.
   * `Infinity` waits forever. Default: 15,000.
   */
  readonly openTimeoutMs?: number
  /**
   * What happens if another tab has the workspace open. `refuse`: opening fails with EBUSY. `read-only`: the storage opens, shows the other
   * tab's changes, and rejects every write with EROFS until it is closed and opened again. Default: `refuse`.
   */
  readonly whenBusy?: 'refuse' | 'read-only'
  /** In read-only mode, called after the other tab has changed something. Exceptions of this function are ignored. */
  readonly onChange?: () => void
}

/** An `FsAdapter` with all optional methods except those that need a real file system. */
export type IndexedDbFs = FsAdapter &
  Required<Pick<FsAdapter, 'open' | 'readlink' | 'symlink' | 'append' | 'copy' | 'rmTree' | 'setMeta' | 'usage'>> & {
    /** Whether the storage is read-only, because another tab had it open (`whenBusy: 'read-only'`). */
    readonly isReadOnly: boolean
  }

/**
 * Creates a storage in the browser's IndexedDB, in a page or a worker. The files survive a reload, unless the user or the browser clears
 * the site's data (`navigator.storage.persist()` asks the browser not to clear it).
 *
 * The storage keeps the names and sizes of all files in memory, but not their content. All waiting changes are combined into one
 * transaction, and acknowledged when the transaction is complete.
 *
 * Only one page or worker can write at a time. While the storage is open, opening it elsewhere fails with EBUSY at once, or opens it
 * read-only (`whenBusy`). Without IndexedDB or Web Locks, and for a database of a later version, opening fails with ENOTSUP. A full storage
 * fails with ENOSPC and changes nothing. On a full disk, Chromium also closes the database: every later call then fails with ENOSPC, until
 * you close and reopen the storage. If another page deletes the database or steals the lock, every later call fails with EIO.
 *
 * @throws TypeError for an empty name, invalid `files`, and an `openTimeoutMs` that is not positive
 */
export function createIndexedDbFs(options: IndexedDbFsOptions): IndexedDbFs {
  const { name, files, durability = 'relaxed' } = { ...options }
  if (typeof name !== 'string' || name === '') throw new TypeError('Cannot make a storage: "name" is empty')
  const openTimeoutMs = checkOpenTimeout(options.openTimeoutMs)
  const storage = new Storage(() => connectionOptions({ ...options, openTimeoutMs }), files && planFiles(files))
  return {
    name: 'indexeddb',
    get isReadOnly() {
      return storage.isReadOnly
    },
    can: {
      mode: true,
      atomicReplace: true,
      dirRename: true,
      durableOnAck: durability === 'strict',
      caseSensitive: true,
      raceSafe: true,
      persistence: 'best-effort',
    },
    open: () => storage.look({ op: 'open', path: '/' }, () => undefined),
    lstat: (path) => storage.look({ op: 'stat', path }, ({ tree }) => statOf(tree.find(path))),
    readdir: (path) => storage.look({ op: 'list', path }, ({ tree }) => entries.readdir(tree, path)),
    read: (path, range = {}) => storage.look({ op: 'read', path }, (view) => contents.read(view, path, range)),
    write: async (path, bytes, { create = 'always' } = {}) => {
      const pieces = piecesOf(bytes)
      return storage.change({ op: 'write', path }, (change) => contents.write(change, path, pieces, create), bytes.length)
    },
    mkdir: (path) => storage.change({ op: 'make directory', path }, (change) => entries.mkdir(change, path)),
    unlink: (path) => storage.change({ op: 'remove', path }, (change) => entries.unlink(change, path)),
    rmdir: (path) => storage.change({ op: 'remove', path }, (change) => entries.rmdir(change, path)),
    rename: (from, to) => storage.change({ op: 'move', path: from, dest: to }, (change) => entries.rename(change, from, to)),
    flush: () => storage.look({ op: 'flush', path: '/' }, (view) => view.sync()),
    close: () => storage.close(),
    readlink: (path) => storage.look({ op: 'read link', path }, ({ tree }) => entries.readlink(tree, path)),
    symlink: (target, path) => storage.change({ op: 'link', path }, (change) => entries.symlink(change, target, path)),
    append: async (path, bytes) => {
      const pieces = piecesOf(bytes)
      return storage.change({ op: 'append to', path }, (change) => contents.append(change, path, pieces, PART_BYTES), bytes.length)
    },
    copy: (from, to) => storage.change({ op: 'copy', path: from, dest: to }, (change) => contents.copy(change, from, to)),
    rmTree: (path) => storage.change({ op: 'remove', path }, (change) => entries.rmTree(change, path)),
    setMeta: (path, meta) => storage.change({ op: 'change', path }, (change) => entries.setMeta(change, path, { ...meta })),
    usage: () => storage.look({ op: 'measure', path: '/' }, ({ tree }) => entries.usage(tree)),
  }
}

/** Checks what the environment provides. Called on opening, not before, so that the adapter can be created everywhere. */
function connectionOptions(options: IndexedDbFsOptions & Pick<ConnectionOptions, 'openTimeoutMs'>): ConnectionOptions {
  const {
    name,
    openTimeoutMs,
    now = Date.now,
    durability = 'relaxed',
    indexedDB,
    locks,
    whenBusy = 'refuse',
    onChange = () => undefined,
  } = options
  const factory = indexedDB ?? pageFactory()
  if (!factory) throw new Fault('ENOTSUP', 'there is no IndexedDB here')
  const page: { readonly navigator?: { readonly locks?: LocksLike } } = globalThis
  const held = locks ?? page.navigator?.locks
  if (!held) throw new Fault('ENOTSUP', 'there are no Web Locks here: serve the page from HTTPS or localhost, or pass "locks"')
  return {
    name: `toolport:${name}`,
    now,
    durability,
    factory,
    openTimeoutMs,
    locks: held === 'none' ? undefined : held,
    whenBusy,
    onChange,
  }
}
