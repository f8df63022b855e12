import { FsError } from '../../errors/index.js'
import type { FsStat, FsTimes } from '../../types/fs.js'
import type { WalkEntry, Workspace } from '../../types/workspace.js'
import { timesBelow } from '../../workspace/bulk-reads.js'
import { Slicer } from '../../workspace/slicer.js'

type Located = Pick<WalkEntry, 'path'>

/** Maximum number of concurrent requests to the storage. */
const AT_ONCE = 16
/** Estimated cost of one request in microseconds. */
const STAT_COST = 4

/** Returns the sizes of files. Looks up only sizes that the listing lacks. Undefined for files that were removed meanwhile. */
export async function sizesOf(workspace: Workspace, entries: readonly WalkEntry[]): Promise<(number | undefined)[]> {
  const sizes = entries.map(({ size }) => size)
  const unknown = await askTogether(
    workspace,
    entries,
    indexesOf(entries, ({ kind, size }) => kind === 'file' && size === undefined),
    (i, { size }) => {
      sizes[i] = size
    },
  )
  await eachAtOnce(workspace, unknown, async (i) => {
    sizes[i] = (await statOf(workspace, entries[i] as WalkEntry))?.size
  })
  return sizes
}

/** Returns all attributes. Undefined for entries that were removed meanwhile. */
export async function statsOf(workspace: Workspace, entries: readonly Located[]): Promise<(FsStat | undefined)[]> {
  const stats: (FsStat | undefined)[] = entries.map(() => undefined)
  await eachAtOnce(workspace, [...entries.keys()], async (i) => {
    stats[i] = await statOf(workspace, entries[i] as Located)
  })
  return stats
}

/** Returns modification times in milliseconds since the epoch; 0 for entries that were removed meanwhile. */
export async function timesOf(workspace: Workspace, entries: readonly Located[]): Promise<number[]> {
  const times = entries.map(() => 0)
  const unknown = await askTogether(
    workspace,
    entries,
    indexesOf(entries, () => true),
    (i, { mtimeMs }) => {
      times[i] = mtimeMs
    },
  )
  await eachAtOnce(workspace, unknown, async (i) => {
    times[i] = (await statOf(workspace, entries[i] as Located))?.mtimeMs ?? 0
  })
  return times
}

/**
 * Whether an error concerns only one entry, not the whole search: the entry was removed, became a link that leads outside, or is forbidden.
 */
export function isPassedOver(error: unknown): boolean {
  const { name } = error as { readonly name?: unknown }
  return FsError.is(error) || name === 'PolicyError' || name === 'WorkspaceError'
}

async function statOf(workspace: Workspace, { path }: Located): Promise<FsStat | undefined> {
  try {
    return await workspace.lstat(path)
  } catch (error) {
    if (isPassedOver(error)) return undefined
    throw error
  }
}

function indexesOf<Entry>(entries: readonly Entry[], isWanted: (entry: Entry) => boolean): number[] {
  return entries.flatMap((entry, i) => (isWanted(entry) ? [i] : []))
}

/** Looks up whole directories if the storage can. Returns the indexes of the entries to look up one by one. */
async function askTogether(
  workspace: Workspace,
  entries: readonly Located[],
  indexes: readonly number[],
  tell: (index: number, times: FsTimes) => void,
): Promise<number[]> {
  const found = await timesBelow(
    workspace,
    indexes.map((i) => entries[i] as Located),
  )
  return indexes.filter((index, i) => {
    const times = found[i]
    if (times) tell(index, times)
    return !times
  })
}

async function eachAtOnce({ host }: Workspace, indexes: readonly number[], body: (index: number) => Promise<void>): Promise<void> {
  // Pause now and then: a storage in memory answers at once, so no other task would run.
  const slicer = new Slicer(host)
  let next = 0
  // All workers share one pause. Otherwise each of them would start its own.
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
