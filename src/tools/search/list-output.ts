import type { WalkEntry } from '../../types/workspace.js'
import type { Skipped } from './skipped.js'

/** What `list_files` is asked, defaults filled in. */
export interface ListInput {
  readonly path: string
  readonly recursive: boolean
  readonly max_depth: number
  readonly hidden: boolean
  readonly ignore: boolean
  readonly limit: number
  readonly cursor?: string | undefined
}

export interface ListedEntry {
  readonly path: string
  readonly kind: WalkEntry['kind']
  /** Bytes; files only. */
  readonly size?: number
}

export interface ListFilesOutput {
  readonly entries: readonly ListedEntry[]
  /** Of the whole list; where it is known. */
  readonly total?: number
  /** What was passed over; of an empty answer also what its rules leave out. */
  readonly skipped?: Skipped
  readonly truncated: boolean
  readonly next?: string
}
