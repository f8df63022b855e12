import { hasCode } from '../../../src/errors/index.js'
import type { Workspace } from '../../../src/types/workspace.js'
import type { Change, Changes } from './changes.js'
import { PIECE } from './live-files.js'

/**
 * What changes take from its place before they bring it elsewhere: files that swap places, one that moves into the directory which takes its
 * place. Until it has arrived it lies beside its place, as `x.kept`, so that it is lost by nothing that happens between.
 */
export interface PutBack {
  /** Whether a later change brings elsewhere what this one takes away. */
  concerns(change: Change): boolean
  /**
   * Takes what is at the path of a change out of the way.
   *
   * @param check nobody changes what is there between this and the move
   * @throws {FsError} with everything as it was, and what `check` throws
   */
  moveAway(change: Change, check: (own: Workspace) => Promise<void>): Promise<void>
  /** Keeps a copy of what is to be written over. @throws {FsError} */
  copyAway(change: Change): Promise<void>
  /** What the change brings is where it belongs. */
  arrived(change: Change): Promise<void>
  /** Puts back what has not arrived, or leaves it beside its place where something else is; a line for each. */
  finish(): Promise<string[]>
}

interface Kept {
  readonly path: string
  readonly to: string
  /** What is at its place is written over. */
  readonly copied: boolean
}

/** @param changes all that are written at a time, in their order: what goes elsewhere is brought by the same ones (`groupEnds`) */
export function createPutBack(workspace: Workspace, changes: Changes): PutBack {
  const ends = bringers(changes)
  const order = new Map(changes.map((change, at) => [change, at]))
  const paths = new Set<string>(changes.map(({ path }) => path))
  const removed = new Set(changes.flatMap((change) => (change.do === 'remove' && change.kind === 'dir' ? [change.path] : [])))
  const held = new Map<string, Kept>()
  const problems: string[] = []
  /** Beside it, or beside the directory that goes with it. */
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
    // Nothing was written over it.
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

/** For each change the last one that belongs to it, by their places: nothing is to come between taking something away and bringing it elsewhere. */
export function groupEnds(changes: Changes): number[] {
  const ends = bringers(changes)
  return changes.map((change, at) => (takes(change) ? Math.max(at, ends.get(change.path) ?? at) : at))
}

/** Where what was at a path is brought elsewhere: the last of them. */
const bringers = (changes: Changes): ReadonlyMap<string, number> =>
  new Map(changes.flatMap((change, at) => ('from' in change && change.from !== undefined ? [[change.from, at] as const] : [])))

const takes = (change: Change): boolean => change.do === 'remove' || change.do === 'write'

/** Somebody else may have kept things there. */
const MOST_NAMES = 1000

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A version does not tell: it may be of a size and a time. */
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
