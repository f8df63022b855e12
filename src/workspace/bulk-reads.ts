import type { FsAdapter, FsTimes, Scanned } from '../types/fs.js'
import type { WalkEntry, Workspace } from '../types/workspace.js'
import { baseName, parentPath } from './paths.js'
import { views } from './state.js'

type Entry = Pick<WalkEntry, 'path'> & Partial<Pick<WalkEntry, 'name'>>

/**
 * Reads the sizes and times of files that a walk found. For an undefined result, look up that file on its own. An empty list: look up all
 * files.
 */
export function timesBelow(workspace: Workspace, entries: readonly Entry[]): Promise<readonly (FsTimes | undefined)[]> {
  return eachFolder(workspace, entries, (fs, folder, names) => fs.timesBelow?.(folder, names))
}

/** Reads the contents of files that a walk found. For an undefined result, read that file on its own. An empty list: read all files. */
export function scanBelow(workspace: Workspace, entries: readonly Entry[], needle?: Uint8Array): Promise<readonly Scanned[]> {
  return eachFolder(workspace, entries, (fs, folder, names) => fs.scanBelow?.(folder, names, needle))
}

/** Maximum size of a file for `scanBelow`. */
export const SCANNED_FILE: number = 64 * 1024

/** Bytes of a file to scan at once. */
const SKIMMED = 1024 * 1024

/** Maximum length of a line in a file for which `lacks` is true. */
export const SKIMMED_LINE: number = 4 * SKIMMED

/**
 * Whether a file contains no NUL, no `needle` and no line longer than `SKIMMED_LINE`. Also false if that cannot be decided quickly. Calls
 * `pause` between two steps.
 */
export async function lacks(workspace: Workspace, path: string, needle: Uint8Array, pause: () => Promise<void>): Promise<boolean> {
  const tree = views.get(workspace)?.tree
  if (!tree?.fs.adapter.skim || tree.policy.hasRules) return false
  const length = SKIMMED + needle.length
  for (let offset = 0; ; offset += SKIMMED) {
    const count = await tree.fs.adapter.skim(tree.fs.toAdapter(path), needle, { offset, length }).catch(() => undefined)
    if (count === undefined) return false
    if (count < length) return true
    await pause()
  }
}

type Ask<T> = (adapter: FsAdapter, folder: string, names: readonly string[]) => Promise<readonly T[]> | undefined

/**
 * Calls `ask` once for each run of entries in one folder. Returns an empty list if path rules need a check of each path, or if the storage
 * lacks the method.
 */
async function eachFolder<T>(workspace: Workspace, entries: readonly Entry[], ask: Ask<T>): Promise<readonly (T | undefined)[]> {
  const tree = views.get(workspace)?.tree
  if (!tree || tree.policy.hasRules) return []
  const answers: (T | undefined)[] = []
  for (let start = 0; start < entries.length; ) {
    const folder = parentPath((entries[start] as Entry).path)
    const names: string[] = []
    for (let at = start; at < entries.length; at++) {
      const { path, name = baseName(path) } = entries[at] as Entry
      if (!path.startsWith(folder) || path.length !== name.length + (folder === '/' ? 1 : folder.length + 1)) break
      names.push(name)
    }
    const asked = ask(tree.fs.adapter, tree.fs.toAdapter(folder), names)
    if (!asked) return []
    // An entry was removed or replaced meanwhile. The caller handles each entry on its own and gets its error.
    answers.push(...(await asked.catch(() => names.map(() => undefined))))
    start += names.length
  }
  return answers
}
