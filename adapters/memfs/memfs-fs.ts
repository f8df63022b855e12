import { startOnce } from '../../src/ops/start-once.js'
import type { FsAdapter, FsCapabilities } from '../../src/types/fs.js'
import { Fault, toFsError, type Where } from '../shared/fault.js'
import { Files } from '../shared/node-like/files.js'
import { libraryFault } from '../shared/node-like/library-faults.js'
import type { NodeFsLike } from '../shared/node-like/library-types.js'
import { type NodeLikeMethods, nodeLikeMethods } from '../shared/node-like/methods.js'
import { Versions } from '../shared/node-like/versions.js'
import { ReadWriteLock } from '../shared/read-write-lock.js'

/** Options of `createMemfsFs`. */
export interface MemfsFsOptions {
  /** The library: `memfs().fs`, or another object with the interface of Node's `fs` and its `promises`. */
  readonly fs: NodeFsLike
  /**
   * The directory that becomes the workspace's root: an absolute path without `..`, which must exist and must not be a link. Default: `/`.
   */
  readonly root?: string
  /** Returns the time for the modification times of what is written, in milliseconds since the epoch. Default: the library's own clock. */
  readonly now?: () => number
  /** Capabilities of the library, where they differ from those of memfs. */
  readonly can?: Partial<Pick<FsCapabilities, 'mode' | 'atomicReplace' | 'durableOnAck' | 'caseSensitive' | 'persistence'>>
}

/**
 * An `FsAdapter` with all optional methods except `usage`: if others can change the library's files, `usage` would have to walk the whole
 * tree.
 */
export type MemfsFs = FsAdapter & NodeLikeMethods & Required<Pick<FsAdapter, 'open'>>

/**
 * Creates a storage over memfs, or over another library with the interface of Node's `fs`.
 *
 * The adapter itself does what libraries often get wrong: the checks before a rename, the removal of trees, and links. It never calls a
 * recursive operation of the library. Calls of all adapters over one library share a lock, so nothing of theirs happens between the checks
 * of a call and its effect. The adapter cannot guard against other users of the library. Over Node's own `fs`, it does not guard against
 * other processes (`toolport/adapters/node` does).
 *
 * @throws TypeError for a library without `promises`, or a root that is not an absolute normalised path
 */
export function createMemfsFs(options: MemfsFsOptions): MemfsFs {
  const { fs, root = '/', now, can = {} } = { ...options }
  if (typeof fs?.promises?.lstat !== 'function') throw new TypeError('Cannot make a storage: "fs" has no "promises" as Node’s fs has')
  if (!isAbsolute(root)) throw new TypeError(`Cannot make a storage: the root "${root}" is not an absolute path without "." and ".."`)
  const { lock, versions } = sharedBy(fs)
  const files = new Files({ promises: fs.promises, root, now, versions, keepsModes: can.mode ?? true, miscountsReplaced: '__vol' in fs })
  let closed = false
  const open = startOnce(() => checkRoot(files))

  async function inTurn<T>(where: Where, take: (work: () => Promise<T>) => Promise<T>, work: (files: Files) => Promise<T>): Promise<T> {
    try {
      if (closed) throw new Fault('EIO', 'the storage is closed')
      return await take(async () => {
        await open()
        return work(files)
      })
    } catch (cause) {
      throw toFsError(cause, where, libraryFault)
    }
  }
  const look = <T>(where: Where, work: (files: Files) => Promise<T>): Promise<T> => inTurn(where, (turn) => lock.shared(turn), work)
  const change = (where: Where, work: (files: Files) => Promise<void>): Promise<void> => inTurn(where, (turn) => lock.alone(turn), work)
  const nothing = async (): Promise<void> => undefined

  return {
    ...nodeLikeMethods({ look, change }),
    name: 'memfs',
    can: {
      mode: true,
      atomicReplace: true,
      dirRename: true,
      durableOnAck: true,
      caseSensitive: true,
      raceSafe: false,
      persistence: 'memory',
      ...can,
    },
    open: () => look({ op: 'open', path: '/' }, nothing),
    flush: () => change({ op: 'flush', path: '/' }, nothing),
    close: async () => {
      closed = true
      await lock.alone(nothing)
    },
  }
}

interface Shared {
  readonly lock: ReadWriteLock
  readonly versions: Versions
}

const shared = new WeakMap<NodeFsLike, Shared>()

function sharedBy(fs: NodeFsLike): Shared {
  const known = shared.get(fs) ?? { lock: new ReadWriteLock(), versions: new Versions() }
  shared.set(fs, known)
  return known
}

function isAbsolute(root: unknown): boolean {
  if (root === '/') return true
  if (typeof root !== 'string' || !/^(\/|[A-Za-z]:[\\/])/.test(root)) return false
  const names = root.split(/[\\/]/).slice(1)
  return names.every((name) => name !== '' && name !== '.' && name !== '..')
}

/** Checks the root directory. If the path to the root contains symlinks, the library follows them. */
async function checkRoot(files: Files): Promise<void> {
  const root = await files.look('/')
  if (!root) throw new Fault('ENOENT', 'the directory given as "root" is missing: make it first')
  if (root.kind === 'symlink') throw new Fault('ELOOP', 'the directory given as "root" is a link: give the real path')
  if (root.kind !== 'dir') throw new Fault('ENOTDIR', 'what is given as "root" is not a directory')
}
