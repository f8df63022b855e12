import type { WalkEntry, WalkOptions, Workspace } from '../../types/workspace.js'
import type { Skipped } from './skipped.js'

export interface Taken {
  readonly entries: readonly WalkEntry[]
  /** There is something behind the last one, or the walk was stopped. */
  readonly more: boolean
  /** Directories that could not be listed, names that cannot be used, and what is no file, directory or link. */
  readonly skipped: Skipped
}

/** The first `limit` entries of a walk. One that is aborted gives what it found until then. */
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

/** Why a walk passed over an entry. */
export function reasonOf(error: unknown): 'unreadable' | 'names' | 'special' {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return code === 'invalid_path' ? 'names' : code === 'ENOTSUP' ? 'special' : 'unreadable'
}
