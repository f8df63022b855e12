import { hasCode } from '../../../src/errors/index.js'
import type { Workspace } from '../../../src/types/workspace.js'
import type { Change, Changes } from './changes.js'
import { PIECE } from './live-files.js'

/**
 * Keeps content that changes remove from one path before they write it to another: for files that swap places, or a file that moves into
 * the directory that replaces it. Until the content is written to its new path, a copy stays next to its original path as `x.kept`, so that
 * no failure in between loses the content.
 */
export interface PutBack {
  /** Returns whether a change removes content that a later change writes to another path. */
  concerns(change: Change): boolean
  /**
   * Moves the entry at the path of a change to its `.kept` path.
   *
   * @param check called under the same lock as the move, so that the entry cannot change between check and move
   * @throws {FsError} before anything has changed; any error of `check`
   */
  moveAway(change: Change, check: (own: Workspace) => Promise<void>): Promise<void>
  /** Copies a file that will be overwritten to its `.kept` path. @throws {FsError} */
  copyAway(change: Change): Promise<void>
  /** Call after a change was written. If its content was kept, removes the kept copy. */
  arrived(change: Change): Promise<void>
  /**
   * Restores kept content that was not written to its new path. If the original path is taken, the content stays in its `.kept` file.
   * Returns one line for each problem.
   */
  finish(): Promise<string[]>
}

interface Kept {
  readonly path: string
  readonly to: string
  /** Whether the original was copied instead of moved, because its path is overwritten and not removed. */
  readonly copied: boolean
}

/** @param changes all changes of one batch, in order. A batch contains all steps of a move (`groupEnds`) */
export function createPutBack(workspace: Workspace, changes: Changes): PutBack {
  const ends = bringers(changes)
  const order = new Map(changes.map((change, at) => [change, at]))
  const paths = new Set<string>(changes.map(({ path }) => path))
  const removed = new Set(changes.flatMap((change) => (change.do === 'remove' && change.kind === 'dir' ? [change.path] : [])))
  const held = new Map<string, Kept>()
  const problems: string[] = []
  /** Returns the `.kept` path: next to the file, or next to the topmost parent directory that the changes remove too. */
  const besideOf = (path: string): string => {
    let folder = parentOf(path)
    for (let at = folder; at !== ''; at = parentOf(at)) if (removed.has(at)) folder = parentOf(at)
    return `${folder}${path.slice(path.lastIndexOf('/'))}.kept`
  }
  const placed = async (path: string, put: (to: string) => Promise<unknown>): Promise<string> => {
    const first = besideOf(path)
    for (let n = 1; ; n++) {
      const to = n === 1 ? first : `${first}-${n}`
      if (paths.has(to)) continue
      try {
        await put(to)
        return to
      } catch (error) {
        if (!hasCode(error, 'EEXIST') || n >= MOST_NAMES) throw error
      }
    }
  }
  const putBack = async ({ path, to, copied }: Kept): Promise<string | undefined> => {
    const destination = changes[ends.get(path) ?? -1]?.path
    const line = `KEPT: Cannot move "${path}" to "${destination}"`
    // If the original was not overwritten, the copy is not needed.
    if (copied && (await isSame(workspace, path, to))) {
      await workspace.remove(to)
      return undefined
    }
    try {
      await workspace.move(to, path)
      return `${line}: it is back where it was`
    } catch {
      return `${line}: it is in "${to}"`
    }
  }
  return {
    concerns(change) {
      return (ends.get(change.path) ?? -1) > (order.get(change) ?? changes.length)
    },
    async moveAway({ path }, check) {
      const move = (to: string): Promise<void> =>
        workspace.locked([path, to], async (own) => {
          await check(own)
          await own.move(path, to)
        })
      held.set(path, { path, to: await placed(path, move), copied: false })
    },
    async copyAway({ path }) {
      held.set(path, { path, to: await placed(path, (to) => workspace.copy(path, to)), copied: true })
    },
    async arrived(change) {
      const kept = 'from' in change && change.from !== undefined ? held.get(change.from) : undefined
      if (!kept) return
      held.delete(kept.path)
      try {
        await workspace.remove(kept.to)
      } catch (error) {
        problems.push(`KEPT: "${kept.path}" is in "${change.path}", and in "${kept.to}" too: ${messageOf(error)}`)
      }
    },
    async finish() {
      for (const kept of [...held.values()].reverse()) {
        const line = await putBack(kept).catch((error: unknown) => `KEPT: "${kept.path}" is in "${kept.to}" too: ${messageOf(error)}`)
        if (line !== undefined) problems.push(line)
      }
      held.clear()
      return problems
    },
  }
}

/**
 * Returns for each change the index of the last change that must be in the same batch, so that no stop comes between removing content and
 * writing it to its new path.
 */
export function groupEnds(changes: Changes): number[] {
  const ends = bringers(changes)
  return changes.map((change, at) => (takes(change) ? Math.max(at, ends.get(change.path) ?? at) : at))
}

/** Maps each path whose content is written to another path to the index of the last change that does so. */
const bringers = (changes: Changes): ReadonlyMap<string, number> =>
  new Map(changes.flatMap((change, at) => ('from' in change && change.from !== undefined ? [[change.from, at] as const] : [])))

const takes = (change: Change): boolean => change.do === 'remove' || change.do === 'write'

/** Maximum number at the end of a `.kept` name. Names are numbered because earlier `.kept` files may exist. */
const MOST_NAMES = 1000

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Returns whether two files have the same content. Compares contents, because versions may depend only on size and time. */
async function isSame(workspace: Workspace, one: string, other: string): Promise<boolean> {
  try {
    for (let offset = 0; ; offset += PIECE) {
      const [first, second] = [await pieceAt(workspace, one, offset), await pieceAt(workspace, other, offset)]
      if (first.length !== second.length || first.some((byte, at) => byte !== second[at])) return false
      if (first.length < PIECE) return true
    }
  } catch {
    return false
  }
}

const pieceAt = async (workspace: Workspace, path: string, offset: number): Promise<Uint8Array> =>
  (await workspace.readBytes(path, { offset, length: PIECE })).bytes
