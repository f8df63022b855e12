import type { FileKind } from '../../types/fs.js'
import type { Skipped } from './skipped.js'

export interface GlobInput {
  readonly pattern: string | readonly string[]
  readonly path: string
  readonly kind: FileKind | 'any'
  readonly hidden: boolean
  readonly ignore: boolean
  readonly sort: 'path' | 'newest'
  readonly limit: number
  readonly cursor?: string | undefined
}

export interface GlobOutput {
  readonly paths: readonly string[]
  /** Number of all matches, if known. */
  readonly total?: number
  /** Counts of skipped entries. An empty result also counts the entries that the options of the call exclude, such as hidden files. */
  readonly skipped?: Skipped
  /** Explains globs that match nothing as written: how the tool read them instead, or what may be wrong with them. */
  readonly hint?: string
  readonly truncated: boolean
  readonly next?: string
}
