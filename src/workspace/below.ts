import type { FsAdapter, FsTimes, Scanned } from '../types/fs.js'
import type { WalkEntry, Workspace } from '../types/workspace.js'
import { parentPath } from './paths.js'
import { views } from './state.js'

type Entry = Pick<WalkEntry, 'path' | 'name'>

/** Sizes and times of files that a walk has found; undefined for those to be asked for one by one. */
export function timesBelow(workspace: Workspace, entries: readonly Entry[]): Promise<readonly (FsTimes | undefined)[]> {
  return eachFolder(workspace, entries, (fs, folder, names) => fs.timesBelow?.(folder, names))
}

/** Contents of files that a walk has found; undefined for those to be read one by one. */
export function scanBelow(workspace: Workspace, entries: readonly Entry[], needle?: Uint8Array): Promise<readonly Scanned[]> {
  return eachFolder(workspace, entries, (fs, folder, names) => fs.scanBelow?.(folder, names, needle))
}

type Ask<T> = (adapter: FsAdapter, folder: string, names: readonly string[]) => Promise<readonly T[]> | undefined

/** Empty where rules have to be asked about each path, or the storage has no such part. */
async function eachFolder<T>(workspace: Workspace, entries: readonly Entry[], ask: Ask<T>): Promise<readonly (T | undefined)[]> {
  const tree = views.get(workspace)?.tree
  if (!tree || tree.policy.hasRules) return []
  const answers: (T | undefined)[] = []
  for (let start = 0; start < entries.length; ) {
    const folder = parentPath((entries[start] as Entry).path)
    const end = endOfFolder(entries, start, folder)
    const names = entries.slice(start, end).map(({ name }) => name)
    const asked = ask(tree.fs.adapter, tree.fs.toAdapter(folder), names)
    if (!asked) return []
    // Gone, or no directory any more: each entry says so by itself.
    answers.push(...(await asked.catch(() => names.map(() => undefined))))
    start = end
  }
  return answers
}

function endOfFolder(entries: readonly Entry[], start: number, folder: string): number {
  let end = start + 1
  while (end < entries.length && parentPath((entries[end] as Entry).path) === folder) end++
  return end
}
