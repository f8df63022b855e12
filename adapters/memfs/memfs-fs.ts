import type { FsAdapter, FsCapabilities } from '../../src/types/fs.js'
import { Fault, toFsError, type Where } from '../shared/fault.js'
import { Files } from '../shared/node-like/files.js'
import { libraryFault } from '../shared/node-like/library-faults.js'
import type { NodeFsLike } from '../shared/node-like/library-types.js'
import { type NodeLikeMethods, nodeLikeMethods } from '../shared/node-like/methods.js'
import { Versions } from '../shared/node-like/versions.js'
import { ReadWriteLock } from '../shared/read-write-lock.js'

export interface MemfsFsOptions {
  /** The library: `memfs().fs`, or anything else in the shape of Node's `fs` with its `promises`. */
  readonly fs: NodeFsLike
  /** The directory of the library that is the workspace's root: an absolute path without `..`, no link, and there. Default `/`. */
  readonly root?: string
  /** Milliseconds since the epoch, for modification times of what is written. Default: the library's own clock. */
  readonly now?: () => number
  /** What the library can do, where that is not what memfs can. */
  readonly can?: Partial<Pick<FsCapabilities, 'mode' | 'atomicReplace' | 'durableOnAck' | 'caseSensitive' | 'persistence'>>
}

/** All optional methods but `usage`, which a library that others may change cannot tell without a walk. */
export type MemfsFs = FsAdapter & NodeLikeMethods & Required<Pick<FsAdapter, 'open'>>

/**
 * A workspace in memfs, or in another library in the shape of Node's `fs`.
 *
 * Nothing is left to the library that libraries are known to get wrong: whether a rename may be, removing trees, links. It is never told to
 * do anything recursively. All adapters over one library take turns, so that nothing happens between the checks of a call and what it does;
 * what others do with the library at the same time is theirs to answer for. Over Node's own `fs` it guards against no other process
 * (`toolport/adapters/node` does).
 *
 * @throws TypeError for a library without `promises`, or a root that is no absolute normalised path
 */
export function createMemfsFs(options: MemfsFsOptions): MemfsFs {
  const { fs, root = '/', now, can = {} } = { ...options }
  if (typeof fs?.promises?.lstat !== 'function') throw new TypeError('Cannot make a storage: "fs" has no "promises" as Node’s fs has')
  if (!isAbsolute(root)) throw new TypeError(`Cannot make a storage: the root "${root}" is not an absolute path without "." and ".."`)
  const { lock, versions } = sharedBy(fs)
  const files = new Files({ promises: fs.promises, root, now, versions, keepsModes: can.mode ?? true, miscountsReplaced: '__vol' in fs })
  let closed = false
  let opening: Promise<void> | undefined

  async function inTurn<T>(where: Where, take: (work: () => Promise<T>) => Promise<T>, work: (files: Files) => Promise<T>): Promise<T> {
    try {
      if (closed) throw new Fault('EIO', 'the storage is closed')
      return await take(async () => {
        opening ??= checkRoot(files)
        await opening.catch((cause: unknown) => {
          opening = undefined
          throw cause
        })
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

/** Its own path is the library's business, and no caller's. */
async function checkRoot(files: Files): Promise<void> {
  const root = await files.look('/')
  if (!root) throw new Fault('ENOENT', 'the directory given as "root" is missing: make it first')
  if (root.kind === 'symlink') throw new Fault('ELOOP', 'the directory given as "root" is a link: give the real path')
  if (root.kind !== 'dir') throw new Fault('ENOTDIR', 'what is given as "root" is not a directory')
}
