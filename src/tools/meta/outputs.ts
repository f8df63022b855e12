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
  /** The kind of change. `replaced`: by an entry of another kind. */
  readonly change: 'created' | 'modified' | 'deleted' | 'replaced'
  /** The current kind; for a deletion, the former kind. */
  readonly kind: 'file' | 'dir' | 'symlink'
  /** The former kind of a replaced entry. */
  readonly kind_before?: 'file' | 'dir' | 'symlink'
  /** Size before the change. Absent for a missing entry, and for directories. */
  readonly bytes_before?: number
  readonly bytes_after?: number
  /** Permission bits in octal, if they differ. */
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

/** Renders one line per change: the kind of change, the path, and the sizes if they differ. */
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
  /** The checkpoint that undoes this restore. */
  readonly undo?: string
  readonly dry_run?: boolean
  readonly changes: readonly ShownChange[]
  readonly total: number
  readonly truncated: boolean
  /** Directories that stay because they contain other entries. */
  readonly left?: readonly string[]
  readonly diff?: string
}

/** Returns the line below a list that says that there are more. */
export const more = (next: string | undefined): string => (next === undefined ? '' : `\n[There are more: continue with cursor "${next}"]`)
