import { required } from '../../src/errors/required.js'
import type { FsAdapter } from '../../src/types/fs.js'
import * as contents from './contents.js'
import { write } from './contents.js'
import { Database } from './database.js'
import * as entries from './entries.js'
import { mkdir } from './entries.js'
import { Fault, toFsError } from './faults.js'
import { locate } from './lookup.js'
import type { DurableStorageLike } from './storage-like.js'

/** Options of `createDurableObjectFs`. */
export interface DurableObjectFsOptions {
  /**
   * `ctx.storage` of a Durable Object whose class is listed in `new_sqlite_classes`. Use the storage only inside that object's own events.
   */
  readonly storage: DurableStorageLike
  /** Returns the time for modification times, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number
  /**
   * Prefix of the table names, which continue with `_`. Each prefix is a separate filesystem in the same object. A prefix is a lower-case
   * letter, then up to 31 lower-case letters, digits and `_`. Default: `toolport`.
   */
  readonly prefix?: string
  /**
   * The initial files, written once when the filesystem is created: maps paths (`src/a.ts` or `/src/a.ts`) to text or bytes. Missing parent
   * directories are created. If a file is invalid (EINVAL, EEXIST), the first call fails and writes nothing. This option is read by the
   * first call, not before.
   */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
}

/** An `FsAdapter` with all optional methods except those that need a real file system. */
export type DurableObjectFs = FsAdapter &
  Required<Pick<FsAdapter, 'open' | 'readlink' | 'symlink' | 'append' | 'copy' | 'rmTree' | 'setMeta' | 'usage'>>

const PREFIX = /^[a-z][a-z0-9_]{0,31}$/

/**
 * Creates a storage in the SQLite of a Durable Object. The content survives evictions and moves of the object.
 *
 * Each change is one transaction, so it happens completely or not at all. `can.durableOnAck` is true although SQLite writes slightly later:
 * until that write, the platform holds back all responses and messages that leave the object (its output gate), and drops them if the write
 * fails. So no outside client can see a change that is lost later. `flush()` waits for the write.
 *
 * Several filesystems with the same storage and the same prefix share one tree. Writing to a full storage (10 GB) fails with ENOSPC. Calls
 * fail with ENOTSUP if a later version of this library created the tables.
 *
 * @throws TypeError for an invalid prefix
 */
export function createDurableObjectFs(options: DurableObjectFsOptions): DurableObjectFs {
  const storage = required('createDurableObjectFs', 'the option "storage", ctx.storage of the Durable Object', options?.storage)
  const { now = Date.now, prefix = 'toolport', files } = options
  if (!PREFIX.test(prefix) || `${prefix}_`.startsWith('sqlite_'))
    throw new TypeError(`Cannot make tables: "${prefix}" is no prefix for their names`)
  const db = new Database({ storage, prefix, now, onCreate: (created) => addFiles(created, files ?? {}) })
  return {
    name: 'durable-object',
    can: {
      mode: true,
      atomicReplace: true,
      dirRename: true,
      durableOnAck: true,
      caseSensitive: true,
      raceSafe: true,
      persistence: 'durable',
    },
    // The methods are `async`, so that errors become rejections instead of being thrown synchronously.
    open: async () => db.read('open', '/', () => undefined),
    lstat: async (path) => db.read('stat', path, () => entries.lstat(db, path)),
    readdir: async (path) => db.read('list', path, () => entries.readdir(db, path)),
    read: async (path, options = {}) => db.read('read', path, () => contents.read(db, path, options)),
    write: async (path, bytes, options) => db.change('write', path, () => contents.write(db, path, bytes, options?.create ?? 'always')),
    mkdir: async (path) => db.change('make directory', path, () => entries.mkdir(db, path)),
    unlink: async (path) => db.change('remove', path, () => entries.unlink(db, path)),
    rmdir: async (path) => db.change('remove', path, () => entries.rmdir(db, path)),
    rename: async (from, to) => db.change('move', from, () => entries.rename(db, from, to), to),
    flush: () => db.sync(),
    close: () => db.close(),
    readlink: async (path) => db.read('read link', path, () => entries.readlink(db, path)),
    symlink: async (target, path) => db.change('link', path, () => entries.symlink(db, target, path)),
    append: async (path, bytes) => db.change('append to', path, () => contents.append(db, path, bytes)),
    copy: async (from, to) => db.change('copy', from, () => contents.copy(db, from, to), to),
    rmTree: async (path) => db.change('remove', path, () => entries.rmTree(db, path)),
    setMeta: async (path, meta) => db.change('change', path, () => entries.setMeta(db, path, meta)),
    usage: async () => db.read('measure', '/', () => entries.usage(db)),
  }
}

const encoder = new TextEncoder()

/** Writes the initial files of a new filesystem. @throws {FsError} that names the path */
function addFiles(db: Database, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    try {
      addFile(db, path.startsWith('/') ? path : `/${path}`, typeof content === 'string' ? encoder.encode(content) : content)
    } catch (cause) {
      throw toFsError(cause, 'write', path)
    }
  }
}

function addFile(db: Database, path: string, bytes: Uint8Array): void {
  if (path.slice(1).split('/').some(isNoName)) throw new Fault('EINVAL', 'write the path without empty, "." and ".." components')
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) {
    const directory = path.slice(0, end)
    const { node } = locate(db, directory)
    if (!node) mkdir(db, directory)
    else if (node.kind !== 'dir') throw new Fault('EEXIST', `"${directory}" is a file too`)
  }
  if (locate(db, path).node) throw new Fault('EEXIST')
  write(db, path, bytes, 'exclusive')
}

const isNoName = (name: string): boolean => name === '' || name === '.' || name === '..'
