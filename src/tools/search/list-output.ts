import type { WalkEntry } from '../../types/workspace.js'
import type { Skipped } from './skipped.js'

/** Input of `list_files`, with defaults. */
export interface ListInput {
  readonly path: string
  readonly recursive: boolean
  readonly max_depth: number
  readonly hidden: boolean
  readonly ignore: boolean
  readonly details: boolean
  readonly limit: number
  readonly cursor?: string | undefined
}

export interface ListedEntry {
  readonly path: string
  readonly kind: WalkEntry['kind']
  /** Size in bytes; only for files. */
  readonly size?: number
  /** With `details`: time of the last change in ISO 8601, UTC. Absent if the storage stores no times. */
  readonly modified?: string
  /** With `details`: permissions as four octal digits. Absent if the storage stores none. */
  readonly mode?: string
}

export interface ListFilesOutput {
  readonly entries: readonly ListedEntry[]
  /** Number of entries in the whole list, if known. */
  readonly total?: number
  /** Numbers of skipped entries. For an empty result, also counts what the rules of the call exclude. */
  readonly skipped?: Skipped
  readonly truncated: boolean
  readonly next?: string
}
