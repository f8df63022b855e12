import { FsError } from '../../errors/index.js'
import type { FsStat } from '../../types/fs.js'
import type { WalkEntry, Workspace } from '../../types/workspace.js'
import { Slicer } from '../../workspace/slicer.js'

/** Questions to the storage at once. */
const AT_ONCE = 16
/** Of one in microseconds, about. */
const STAT_COST = 4

/** The sizes of files, asking only where the listing did not say; undefined for what is gone meanwhile. */
export async function sizesOf(workspace: Workspace, entries: readonly WalkEntry[]): Promise<(number | undefined)[]> {
  const sizes = entries.map(({ size }) => size)
  const unknown: number[] = []
  for (const [i, { kind, size }] of entries.entries()) if (kind === 'file' && size === undefined) unknown.push(i)
  await eachAtOnce(workspace, unknown, async (i) => {
    sizes[i] = (await statOf(workspace, entries[i] as WalkEntry))?.size
  })
  return sizes
}

/** Times of the last change; 0 for what is gone meanwhile. */
export async function timesOf(workspace: Workspace, entries: readonly Pick<WalkEntry, 'path'>[]): Promise<number[]> {
  const times = entries.map(() => 0)
  await eachAtOnce(workspace, [...entries.keys()], async (i) => {
    times[i] = (await statOf(workspace, entries[i] as Pick<WalkEntry, 'path'>))?.mtimeMs ?? 0
  })
  return times
}

/** Whether an entry of a walk went away, became a link that leads outside, or is forbidden: a fault of the entry, not of the search. */
export function isPassedOver(error: unknown): boolean {
  const { name } = error as { readonly name?: unknown }
  return FsError.is(error) || name === 'PolicyError' || name === 'WorkspaceError'
}

async function statOf(workspace: Workspace, { path }: Pick<WalkEntry, 'path'>): Promise<FsStat | undefined> {
  try {
    return await workspace.lstat(path)
  } catch (error) {
    if (isPassedOver(error)) return undefined
    throw error
  }
}

async function eachAtOnce({ host }: Workspace, indexes: readonly number[], body: (index: number) => Promise<void>): Promise<void> {
  // A storage in memory answers at once, and then nothing else gets its turn.
  const slicer = new Slicer(host)
  let next = 0
  // All of them wait for the same turn: one by one they would take it up among themselves.
  let pause: Promise<void> | undefined
  const worker = async (): Promise<void> => {
    while (next < indexes.length) {
      await body(indexes[next++] as number)
      if (pause === undefined && slicer.due(STAT_COST)) pause = slicer.pause().finally(() => (pause = undefined))
      await pause
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, indexes.length) }, worker))
}
