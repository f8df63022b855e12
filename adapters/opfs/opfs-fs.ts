import type { FsAdapter, FsEntry, FsStat, FsUsage } from '../../src/types/fs.js'
import { planFiles } from '../shared/first-files.js'
import { checkOpenTimeout } from '../shared/opening.js'
import { isPersisted, requestPersistence } from '../shared/persistence.js'
import type { OpfsOptions } from './options.js'
import { Session } from './session.js'
import { canMove } from './support.js'

/** All optional methods but links, modes and times, which the browser does not keep, and those that only a machine can have. */
export type OpfsFs = FsAdapter &
  Required<Pick<FsAdapter, 'open' | 'append' | 'copy' | 'rmTree' | 'usage'>> & {
    /** Whether the browser promised not to clear this site's data when it needs room. Never rejects. */
    persisted(): Promise<boolean>
  }

/**
 * A workspace in the browser's origin private file system, in a page or a dedicated worker: each file is one there, in a directory that
 * only this storage may use. It is there again after a reload, unless the user or the browser clears the site's data.
 *
 * A worker of its own does the work. A content is replaced in one step, and is on the disk when the call is acknowledged. A directory is
 * renamed by moving its files (`can.dirRename` is false); a crash in between is completed when it is opened again.
 *
 * One user at a time: as long as it is open here, opening it elsewhere is EBUSY, at once. Where there is no such file system, worker or
 * Web Lock, and for files of a later version, opening is ENOTSUP; a full storage is ENOSPC and changes nothing. When the worker ends or
 * another page takes the lock by force, the calls under way and every later one are EIO.
 *
 * @throws TypeError for an empty name, for `files` that cannot be, and for an `openTimeoutMs` that is not above 0
 */
export function createOpfs(options: OpfsOptions): OpfsFs {
  const { name, files = {}, persist = false } = { ...options }
  if (typeof name !== 'string' || name === '') throw new TypeError('Cannot make a storage: "name" is empty')
  planFiles(files)
  const openTimeoutMs = checkOpenTimeout(options.openTimeoutMs)
  const session = new Session({ ...options, openTimeoutMs }, persist ? requestPersistence : async () => false)
  return {
    name: 'opfs',
    can: {
      mode: false,
      atomicReplace: true,
      dirRename: false,
      // Elsewhere the browser writes in its own time.
      durableOnAck: canMove(),
      caseSensitive: true,
      raceSafe: true,
      persistence: 'best-effort',
    },
    open: () => session.call({ op: 'open', path: '/' }, 'flush', []) as Promise<void>,
    lstat: (path) => session.call({ op: 'stat', path }, 'lstat', [path]) as Promise<FsStat>,
    readdir: (path) => session.call({ op: 'list', path }, 'readdir', [path]) as Promise<FsEntry[]>,
    read: (path, options) => session.call({ op: 'read', path }, 'read', [path, { ...options }]) as Promise<Uint8Array>,
    write: async (path, bytes, { create = 'always' } = {}) => session.send({ op: 'write', path }, 'write', bytes, [create]),
    mkdir: (path) => session.call({ op: 'make directory', path }, 'mkdir', [path]) as Promise<void>,
    unlink: (path) => session.call({ op: 'remove', path }, 'unlink', [path]) as Promise<void>,
    rmdir: (path) => session.call({ op: 'remove', path }, 'rmdir', [path]) as Promise<void>,
    rename: (from, to) => session.call({ op: 'move', path: from, dest: to }, 'rename', [from, to]) as Promise<void>,
    flush: () => session.call({ op: 'flush', path: '/' }, 'flush', []) as Promise<void>,
    close: () => session.close(),
    append: async (path, bytes) => session.send({ op: 'append to', path }, 'append', bytes, []),
    copy: (from, to) => session.call({ op: 'copy', path: from, dest: to }, 'copy', [from, to]) as Promise<void>,
    rmTree: (path) => session.call({ op: 'remove', path }, 'rmTree', [path]) as Promise<void>,
    usage: () => session.call({ op: 'measure', path: '/' }, 'usage', []) as Promise<FsUsage>,
    persisted: isPersisted,
  }
}
