import { FsError } from '../errors/index.js'
import type { FsTimes, Scanned } from '../types/fs.js'
import type { WalkEntry, Workspace } from '../types/workspace.js'
import { parentPath } from './paths.js'
import { views } from './state.js'
import type { VirtualFs } from './virtual-fs.js'

type Entry = Pick<WalkEntry, 'path' | 'name'>

/** Sizes and times of files that a walk has found; undefined for those to be asked for one by one. */
export function timesBelow(workspace: Workspace, entries: readonly Entry[]): Promise<readonly (FsTimes | undefined)[]> {
  return eachFolder(workspace, entries, (fs, folder, names) => fs.timesBelow(folder, names))
}

/** Contents of files that a walk has found; undefined for those to be read one by one. */
export function scanBelow(workspace: Workspace, entries: readonly Entry[], needle?: Uint8Array): Promise<readonly Scanned[]> {
  return eachFolder(workspace, entries, (fs, folder, names) => fs.scanBelow(folder, names, needle))
}

type Ask<T> = (fs: VirtualFs, folder: string, names: readonly string[]) => Promise<readonly T[] | undefined>

/** Empty where rules have to be asked about each path, or the storage has no such part. */
async function eachFolder<T>(workspace: Workspace, entries: readonly Entry[], ask: Ask<T>): Promise<readonly (T | undefined)[]> {
  const tree = views.get(workspace)?.tree
  if (!tree || tree.policy.hasRules) return []
  const answers: (T | undefined)[] = []
  for (let start = 0; start < entries.length; ) {
    const folder = parentPath((entries[start] as Entry).path)
    const end = endOfFolder(entries, start, folder)
    const names = entries.slice(start, end).map(({ name }) => name)
    const found = await ask(tree.fs, folder, names).catch((error: unknown) => {
      // Gone, or no directory any more: each entry says so by itself.
      if (FsError.is(error)) return names.map(() => undefined)
      throw error
    })
    if (!found) return []
    answers.push(...found)
    start = end
  }
  return answers
}

function endOfFolder(entries: readonly Entry[], start: number, folder: string): number {
  let end = start + 1
  while (end < entries.length && parentPath((entries[end] as Entry).path) === folder) end++
  return end
}
