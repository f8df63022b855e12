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
  /** Skipped entries; for an empty result also what its rules exclude. */
  readonly skipped?: Skipped
  /** How the globs were read, if not as written; for an empty result why one may be a mistake. */
  readonly hint?: string
  readonly truncated: boolean
  readonly next?: string
}
