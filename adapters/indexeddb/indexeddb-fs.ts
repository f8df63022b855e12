import type { FsAdapter } from '../../src/types/fs.js'
import { Fault } from '../shared/fault.js'
import { type Files, planFiles } from '../shared/first-files.js'
import { checkOpenTimeout } from '../shared/opening.js'
import type { LocksLike } from '../shared/web-lock.js'
import type { ConnectionOptions } from './connection.js'
import * as contents from './contents.js'
import * as entries from './entries.js'
import { statOf } from './nodes.js'
import { PART_BYTES, piecesOf } from './parts.js'
import { Storage } from './storage.js'

export interface IndexedDbFsOptions {
  /** Which of this site's workspaces. The database and the lock are both named `toolport:` and this. */
  readonly name: string
  /**
   * The first content: path (`src/a.ts` or `/src/a.ts`) -> text or bytes. Written when the workspace is opened and holds nothing, in one
   * transaction: all of it is there, or nothing.
   */
  readonly files?: Files
  /** Milliseconds since the epoch, for modification times. Default `Date.now`. */
  readonly now?: () => number
  /**
   * `relaxed`: a call is acknowledged when the browser has handed its transaction to the operating system. That survives a tab or a browser
   * that is killed, but perhaps not a loss of power; `flush()` waits for the disk. `strict`: every transaction waits for the disk
   * (`can.durableOnAck`), which takes two to three times as long. Default `relaxed`.
   */
  readonly durability?: 'relaxed' | 'strict'
  /** Default: the page's own. */
  readonly indexedDB?: IDBFactory
  /**
   * Default `navigator.locks`, which only secure pages have (HTTPS or localhost). `none`: you answer for one user at a time; two would
   * destroy each other's work.
   */
  readonly locks?: LocksLike | 'none'
  /** Milliseconds that the browser may take to open it, before that is EIO; the next call tries again. `Infinity`: for ever. Default 15,000. */
  readonly openTimeoutMs?: number
  /**
   * What opening does while another tab has it open. `refuse`: EBUSY. `read-only`: looks on; what the other writes is seen, and every change
   * here is EROFS. It stays so until it is closed and opened again. Default `refuse`.
   */
  readonly whenBusy?: 'refuse' | 'read-only'
  /** Called when it is open read-only and the other tab has changed something. What it throws is nobody's. */
  readonly onChange?: () => void
}

/** All optional methods but those that only a machine's file system can have. */
export type IndexedDbFs = FsAdapter &
  Required<Pick<FsAdapter, 'open' | 'readlink' | 'symlink' | 'append' | 'copy' | 'rmTree' | 'setMeta' | 'usage'>> & {
    /** Whether it was opened while another tab had it, with `whenBusy: 'read-only'`. */
    readonly isReadOnly: boolean
  }

/**
 * A workspace in the browser's IndexedDB, in a page or a worker. It is there again after a reload, unless the user or the browser clears
 * the site's data (`navigator.storage.persist()` asks the browser not to).
 *
 * The names and sizes of all files are held in memory, their content is not. A change of both is one transaction, shared by all calls that
 * wait at the same time, and acknowledged when it is complete: it happens whole or not at all.
 *
 * One writer at a time: as long as it is open here, opening it elsewhere is EBUSY, at once, or looks on (`whenBusy`). Where IndexedDB or Web Locks are missing, and for
 * a database of a later version, opening is ENOTSUP; a full storage is ENOSPC and changes nothing. On a full disk Chromium
 * closes the database as well: then every later call is ENOSPC too, until it is closed and opened again. When another page deletes the database
 * or takes the lock by force, every later call is EIO.
 *
 * @throws TypeError for an empty name, for `files` that cannot be, and for an `openTimeoutMs` that is not above 0
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

/** The page is asked when the storage is opened, not before: making the adapter must work everywhere. */
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

function pageFactory(): IDBFactory | undefined {
  try {
    return globalThis.indexedDB
  } catch (cause) {
    throw new Fault('ENOTSUP', 'this page may not use IndexedDB', cause)
  }
}
