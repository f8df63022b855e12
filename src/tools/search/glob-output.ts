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
  /** Of all that fit; where it is known. */
  readonly total?: number
  /** What was passed over; of an empty answer also what its rules leave out. */
  readonly skipped?: Skipped
  /** How the globs were read, where that is not as they are written; of an empty answer why one may be a mistake. */
  readonly hint?: string
  readonly truncated: boolean
  readonly next?: string
}
