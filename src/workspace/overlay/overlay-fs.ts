import { FsError } from '../../errors/index.js'
import { required } from '../../errors/required.js'
import { systemHost } from '../../host.js'
import type { TreeDiff } from '../../types/checkpoint.js'
import type { FsAdapter } from '../../types/fs.js'
import type { Workspace } from '../../types/workspace.js'
import { forgetCheckpoints } from '../checkpoints/engine-of.js'
import { Calls } from '../mounts/calls.js'
import { shownTable, showTable } from '../mounts/mounted-storages.js'
import { ChangeQueue } from './change-queue.js'
import { changesOf, imageChange, readSide } from './changes.js'
import { type CommitOptions, type Committed, commit } from './commit.js'
import * as contents from './contents.js'
import * as entries from './entries.js'
import * as looking from './lookup.js'
import { Refusal } from './lower.js'
import { OverlayTree } from './tree.js'
import { usage } from './usage.js'

/** Options of `createOverlayFs`. */
export interface OverlayFsOptions {
  /** The storage below the overlay. The overlay only reads it, and does not close it. */
  readonly lower: FsAdapter
  /** Clock for modification times, in milliseconds since the epoch. Default: the system's clock. */
  readonly now?: () => number
}

/** How to list, commit and discard the changes of an overlay. */
export interface OverlayChanges {
  /** Lists the differences from the lower storage, by adapter path. File contents stay readable until the next commit or discard. */
  changes(): Promise<TreeDiff>
  /**
   * Applies the changes to a workspace on the lower storage, under that workspace's locks, rules and quotas. Applies all changes or none:
   * on success the overlay is empty. If somebody else has changed the same paths, the result lists the conflicts and the overlay keeps its
   * changes. Works after `close`.
   *
   * @throws {TypeError} for a workspace on another storage; {FsError} EROFS EACCES ENOSPC EFBIG EIO; {PolicyError} `approval_required`
   */
  commit(workspace: Workspace, options?: CommitOptions): Promise<Committed>
  /** Drops all changes, and the checkpoints of the overlay's own workspace. */
  discard(): Promise<void>
}

/** A storage that keeps its changes separate from a lower storage. The overlay supports links if the lower storage does. */
export type OverlayFs = FsAdapter & Required<Pick<FsAdapter, 'append' | 'copy' | 'rmTree' | 'setMeta' | 'usage'>> & OverlayChanges

/**
 * Creates a storage on top of a lower storage that never changes: the overlay keeps written data in memory. The overlay copies a file on
 * the first change, never on a read, and moves directories without copying. Unchanged paths show the current state of the lower storage.
 */
export function createOverlayFs(options: OverlayFsOptions): OverlayFs {
  const lower = required('createOverlayFs', 'the option "lower", an FsAdapter', options?.lower, 'readdir')
  const { now = () => systemHost.now() } = options
  const tree = new OverlayTree(lower, now)
  const queue = new ChangeQueue()

  const run = async <T>(named: Named, body: () => T | Promise<T>): Promise<T> => {
    try {
      if (tree.closed) throw new Refusal('EIO', 'the storage is closed')
      return await body()
    } catch (error) {
      throw error instanceof Refusal ? toFsError(error, named) : error
    }
  }
  const look = <T>(op: string, path: string, body: () => T | Promise<T>): Promise<T> => queue.look(() => run({ op, path }, body))
  const table = shownTable(lower)
  const calls = table && new Calls(table)
  /** Rejects changes that a commit could not apply. `moves`: the operation removes, moves or replaces the entry at the path. */
  const checkMounts = (asked: Named, moves: boolean): void => {
    for (const path of [asked.path, ...(asked.dest === undefined ? [] : [asked.dest])]) {
      if (!(asked.op === 'copy' && path === asked.path)) calls?.changing(asked, path)
      if (moves) calls?.refuseFixed(asked, path)
    }
  }
  const change = (op: string, path: string, body: () => Promise<void>, dest?: string): Promise<void> =>
    queue.change(async () => {
      try {
        checkMounts({ op, path, ...(dest !== undefined && { dest }) }, op === 'remove' || op === 'move')
        await run({ op, path, ...(dest !== undefined && { dest }) }, body)
      } finally {
        tree.prune(path)
        if (dest !== undefined) tree.prune(dest)
      }
    })

  const links = {
    readlink: (path: string) => look('read link', path, () => looking.readlink(tree, path)),
    symlink: (target: string, path: string) => change('link', path, () => entries.symlink(tree, target, path)),
  }
  const fs: OverlayFs = {
    name: 'overlay',
    can: {
      mode: lower.can.mode,
      atomicReplace: true,
      dirRename: true,
      durableOnAck: true,
      caseSensitive: lower.can.caseSensitive,
      raceSafe: lower.can.raceSafe,
      persistence: 'memory',
    },
    ...(lower.suggestedRoot !== undefined && { suggestedRoot: lower.suggestedRoot }),
    open: async () => lower.open?.(),
    lstat: (path) => look('stat', path, () => looking.lstat(tree, path)),
    readdir: (path) => look('list', path, () => looking.readdir(tree, path)),
    read: (path, options) => look('read', path, () => looking.read(tree, path, options)),
    write: async (path, bytes, options) => {
      // Copy with the constructor: the `slice` of a Node `Buffer` would share its memory.
      const own = new Uint8Array(bytes)
      await change('write', path, () => contents.write(tree, path, own, options?.create ?? 'always'))
    },
    mkdir: (path) => change('make directory', path, () => entries.mkdir(tree, path)),
    unlink: (path) => change('remove', path, () => entries.unlink(tree, path)),
    rmdir: (path) => change('remove', path, () => entries.rmdir(tree, path)),
    rename: (from, to) => change('move', from, () => entries.rename(tree, from, to), to),
    flush: () => change('flush', '/', async () => undefined),
    close: () =>
      queue.change(async () => {
        tree.closed = true
      }),
    ...(lower.symlink && lower.readlink && links),
    append: async (path, bytes) => {
      const own = new Uint8Array(bytes)
      await change('append to', path, () => contents.append(tree, path, own))
    },
    copy: (from, to) => change('copy', from, () => contents.copy(tree, from, to), to),
    rmTree: (path) => change('remove', path, () => entries.rmTree(tree, path)),
    setMeta: (path, meta) => change('change', path, () => entries.setMeta(tree, path, meta)),
    usage: () => queue.change(() => run({ op: 'count', path: '/' }, () => usage(tree))),
    changes: () => queue.change(() => naming('compare', () => diffOf(tree))),
    commit: (workspace, options = {}) => naming('commit', () => commit(tree, queue, workspace, options)),
    discard: () =>
      queue.alone(async () => {
        tree.reset({ keepsOwn: false })
        await forgetCheckpoints(fs)
      }),
  }
  showTable(fs, lower)
  return fs
}

interface Named {
  readonly op: string
  readonly path: string
  readonly dest?: string
}

function toFsError({ code, detail, cause }: Refusal, named: Named): FsError {
  return new FsError({ ...named, code, ...(detail !== undefined && { detail }), ...(cause !== undefined && { cause }) })
}

async function naming<T>(op: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (error) {
    throw error instanceof Refusal ? toFsError(error, { op, path: '/' }) : error
  }
}

async function diffOf(tree: OverlayTree): Promise<TreeDiff> {
  const changes = await changesOf(tree)
  const byPath = new Map(changes.map((change) => [change.path, change]))
  return {
    changes: changes.map(imageChange),
    read: (path, side) => naming('read', () => readSide(tree, path, byPath.get(path)?.[side])),
  }
}
