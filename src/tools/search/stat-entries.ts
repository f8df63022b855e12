import { FsError } from '../../errors/index.js'
import type { FsStat } from '../../types/fs.js'
import type { WalkEntry, Workspace } from '../../types/workspace.js'

/** Questions to the storage at once. */
const AT_ONCE = 16

/** The sizes of files, asking only where the listing did not say; undefined for what is gone meanwhile. */
export async function sizesOf(workspace: Workspace, entries: readonly WalkEntry[]): Promise<(number | undefined)[]> {
  const sizes = entries.map(({ size }) => size)
  const unknown = entries.flatMap(({ kind, size }, i) => (kind === 'file' && size === undefined ? [i] : []))
  await eachAtOnce(unknown, async (i) => {
    sizes[i] = (await statOf(workspace, entries[i] as WalkEntry))?.size
  })
  return sizes
}

/** Times of the last change; 0 for what is gone meanwhile. */
export async function timesOf(workspace: Workspace, entries: readonly WalkEntry[]): Promise<number[]> {
  const times = entries.map(() => 0)
  await eachAtOnce([...entries.keys()], async (i) => {
    times[i] = (await statOf(workspace, entries[i] as WalkEntry))?.mtimeMs ?? 0
  })
  return times
}

/** Whether an entry of a walk went away, became a link that leads outside, or is forbidden: a fault of the entry, not of the search. */
export function isPassedOver(error: unknown): boolean {
  const { name } = error as { readonly name?: unknown }
  return FsError.is(error) || name === 'PolicyError' || name === 'WorkspaceError'
}

async function statOf(workspace: Workspace, { path }: WalkEntry): Promise<FsStat | undefined> {
  try {
    return await workspace.lstat(path)
  } catch (error) {
    if (isPassedOver(error)) return undefined
    throw error
  }
}

async function eachAtOnce(indexes: readonly number[], body: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < indexes.length) await body(indexes[next++] as number)
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, indexes.length) }, worker))
}
