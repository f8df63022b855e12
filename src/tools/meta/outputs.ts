export interface ListCheckpointsOutput {
  readonly checkpoints: readonly {
    readonly id: string
    readonly time: string
    readonly label?: string
    readonly lost?: readonly string[]
  }[]
  readonly total: number
  readonly truncated: boolean
  readonly next?: string
}

export interface ShownChange {
  readonly path: string
  /** `replaced`: by an entry of another kind. */
  readonly change: 'created' | 'modified' | 'deleted' | 'replaced'
  /** What it is now; of what was deleted, what it was. */
  readonly kind: 'file' | 'dir' | 'symlink'
  /** Of what was replaced. */
  readonly kind_before?: 'file' | 'dir' | 'symlink'
  /** Absent where nothing was there, and for directories. */
  readonly bytes_before?: number
  readonly bytes_after?: number
  /** Permissions, octal, where they differ. */
  readonly mode_before?: string
  readonly mode_after?: string
}

export interface DiffCheckpointOutput {
  readonly checkpoint: string
  readonly to: string
  readonly changes: readonly ShownChange[]
  readonly total: number
  readonly truncated: boolean
  readonly next?: string
  readonly diff?: string
}

const LETTERS = { created: 'A', modified: 'M', deleted: 'D', replaced: 'R' } as const

/** A line each: what happened, the path, and the bytes where they differ. */
export function listed(changes: readonly ShownChange[]): string {
  return changes
    .map(({ path, change, kind, bytes_before: before, bytes_after: after, mode_before, mode_after }) => {
      const mark = kind === 'dir' ? '/' : kind === 'symlink' ? '@' : ''
      const sizes = before !== undefined && after !== undefined && before !== after ? `\t${before} to ${after} bytes` : ''
      const modes = mode_before === undefined || mode_after === undefined ? '' : `\tmode ${mode_before} to ${mode_after}`
      return `${LETTERS[change]} ${path}${mark}${sizes}${modes}`
    })
    .join('\n')
}

export interface RestoreCheckpointOutput {
  readonly checkpoint: string
  /** The checkpoint to restore to undo this. */
  readonly undo?: string
  readonly dry_run?: boolean
  readonly changes: readonly ShownChange[]
  readonly total: number
  readonly truncated: boolean
  /** Directories that stay. */
  readonly left?: readonly string[]
  readonly diff?: string
}

/** The line below a list that says that there is more. */
export const more = (next: string | undefined): string => (next === undefined ? '' : `\n[There are more: continue with cursor "${next}"]`)
