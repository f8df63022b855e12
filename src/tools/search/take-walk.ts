import type { WalkEntry, WalkOptions, Workspace } from '../../types/workspace.js'

export interface Taken {
  readonly entries: readonly WalkEntry[]
  /** There is something behind the last one, or the walk was stopped. */
  readonly more: boolean
  /** Directories that could not be listed. */
  readonly unreadable: number
}

/** The first `limit` entries of a walk. One that is aborted gives what it found until then. */
export async function takeWalk(
  workspace: Workspace,
  path: string,
  limit: number,
  options: WalkOptions & { readonly signal: AbortSignal },
): Promise<Taken> {
  const entries: WalkEntry[] = []
  let unreadable = 0
  const onError = (): void => {
    unreadable++
  }
  try {
    for await (const run of workspace.walk(path, { ...options, onError })) {
      for (const entry of run) {
        if (entries.length === limit) return { entries, more: true, unreadable }
        entries.push(entry)
      }
    }
  } catch (error) {
    if (!options.signal.aborted || entries.length === 0) throw error
    return { entries, more: true, unreadable }
  }
  return { entries, more: false, unreadable }
}

/** What an answer says of directories that could not be listed: nothing where there are none. */
export function skippedOf(unreadable: number): { readonly skipped?: { readonly unreadable: number } } {
  return unreadable > 0 ? { skipped: { unreadable } } : {}
}

/** The line below a list for the same. */
export function skippedNote(skipped: { readonly unreadable: number } | undefined): string {
  return skipped ? `\n[Not listed: ${skipped.unreadable} unreadable directories]` : ''
}
