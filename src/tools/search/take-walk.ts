import type { WalkEntry, WalkOptions, Workspace } from '../../types/workspace.js'
import type { Skipped } from './skipped.js'

export interface Taken {
  readonly entries: readonly WalkEntry[]
  /** Whether there are more entries, or the walk was stopped. */
  readonly more: boolean
  /** Numbers of directories that could not be listed, of invalid names, and of entries other than files, directories and links. */
  readonly skipped: Skipped
}

/** Returns the first `limit` entries of a walk. An aborted walk returns its entries so far. */
export async function takeWalk(
  workspace: Workspace,
  path: string,
  limit: number,
  options: WalkOptions & { readonly signal: AbortSignal },
): Promise<Taken> {
  const entries: WalkEntry[] = []
  const skipped = { unreadable: 0, names: 0, special: 0 }
  const onError = (_: string, error: unknown): void => {
    skipped[reasonOf(error)]++
  }
  try {
    for await (const run of workspace.walk(path, { ...options, usable: true, onError })) {
      for (const entry of run) {
        if (entries.length === limit) return { entries, more: true, skipped }
        entries.push(entry)
      }
    }
  } catch (error) {
    if (!options.signal.aborted || entries.length === 0) throw error
    return { entries, more: true, skipped }
  }
  return { entries, more: false, skipped }
}

/** Why a walk skipped an entry. */
export function reasonOf(error: unknown): 'unreadable' | 'names' | 'special' {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return code === 'invalid_path' ? 'names' : code === 'ENOTSUP' ? 'special' : 'unreadable'
}
