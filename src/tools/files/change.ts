import { visibleName } from '../../ops/visible-name.js'

/** Maximum bytes of a diff in a result: enough to check a change, without a second copy of a large file. */
export const MAX_DIFF_BYTES: number = 32 * 1024

export interface ChangeOutput {
  readonly path: string
  readonly created: boolean
  readonly bytes_before: number
  readonly bytes_after: number
  readonly replacements?: number
  readonly levels?: readonly string[]
  readonly dry_run?: boolean
  /** The style that a written text kept from the old file. */
  readonly kept?: readonly ('crlf' | 'bom')[]
  /** Text replaced a file that was not UTF-8 text. */
  readonly converted?: boolean
  /** Text replaced a file with both LF and CRLF. */
  readonly mixed?: boolean
  readonly hint?: string
  /** Unified diff; absent for binary content. */
  readonly diff?: string
}

const STYLES = { crlf: 'CRLF line endings', bom: 'the byte order mark' } as const

/** Describes which style of the old file a written text kept, and which it did not. */
export function styleWords({ kept = [], converted, mixed }: Pick<ChangeOutput, 'kept' | 'converted' | 'mixed'>): string {
  const words = kept.length > 0 ? `, kept ${kept.map((each) => STYLES[each]).join(' and ')}` : ''
  return `${words}${converted ? ', previously not UTF-8 text' : ''}${mixed ? ', mixed line endings replaced by those of content' : ''}`
}

/** Renders one line that describes the change, then the diff. */
export function renderChange(output: ChangeOutput): string {
  const { path, created, bytes_before, bytes_after, replacements, dry_run, hint, diff } = output
  const verb = dry_run ? 'Would change' : created ? 'Created' : replacements === undefined ? 'Wrote' : 'Edited'
  const count = replacements === undefined ? '' : `${replacements} ${replacements === 1 ? 'replacement' : 'replacements'}, `
  const sizes = created ? `${bytes_after} bytes` : `${bytes_before} to ${bytes_after} bytes`
  const levels = [...new Set(output.levels)].filter((level) => level !== 'exact')
  const tolerant = levels.length > 0 ? `\nMatched with tolerance: ${levels.join(', ')}` : ''
  return `${verb} ${visibleName(path)} (${count}${sizes}${styleWords(output)})${tolerant}${hint ? `\n${hint}` : ''}${diff ? `\n${diff}` : ''}`
}
