import type { WalkEntry, Workspace } from '../types/workspace.js'
import { viewOf } from './state.js'

/** Bytes that a storage searches in one step: about a millisecond. */
const A_STEP = 256 * 1024
/** Longer files are read and searched in steps. */
const MAX_FILE = 64 * 1024

/**
 * Whether each file that a walk found may hold one of these texts, asked of the storage without reading the file. True for all of them
 * where a rule has to be asked for each path first. Waits for `pause` after each step.
 */
export async function mayHold(
  workspace: Workspace,
  files: readonly WalkEntry[],
  texts: readonly string[],
  pause: (bytes: number) => Promise<void> | undefined,
): Promise<boolean[]> {
  const { fs, policy } = viewOf(workspace).tree
  const answers = files.map(() => true)
  if (!fs.adapter.mayHold || policy.hasRules) return answers
  for (let from = 0, to = 0; from < files.length; from = to) {
    const { folder } = files[from] as WalkEntry
    const names: string[] = []
    const places: number[] = []
    let bytes = 0
    for (; to < files.length && bytes < A_STEP; to++) {
      const { folder: own, name, size = Number.POSITIVE_INFINITY } = files[to] as WalkEntry
      if (own !== folder) break
      if (size > MAX_FILE) continue
      names.push(name)
      places.push(to)
      bytes += size
    }
    // Whatever went wrong: reading the files tells.
    const found = await fs.adapter.mayHold(fs.toAdapter(folder), names, texts).catch(() => [])
    for (const [k, place] of places.entries()) answers[place] = found[k] ?? true
    await pause(bytes)
  }
  return answers
}
