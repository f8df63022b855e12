import { InputError } from '../../errors/index.js'
import { codePointBoundary } from '../utf8.js'
import { visibleName } from '../visible-name.js'
import type { PatchLine } from './types.js'

const MAX_QUOTED = 200
/** Maximum number of lines, or places, in an error. */
export const MAX_LINES_NAMED = 20

/**
 * Creates the error for an argument that is not a patch: empty, JSON, other text. `details.reason` is `argument`. `begins`: the first line
 * of other text.
 */
export function notAPatch(problem: string, begins?: string): InputError {
  return refusal(problem, '', { reason: 'argument', problem, ...(begins !== undefined && { begins }) })
}

/**
 * Creates the error for a patch that violates the grammar of its format. `details.reason` is `format`. `line`: the one-based line of the
 * patch.
 */
export function badPatch(problem: string, line?: number, hint?: string): InputError {
  if (line === undefined) return refusal(problem, '', { reason: 'format', problem })
  return refusal(problem, ` (line ${line} of the patch)`, { reason: 'format', problem, line, ...(hint && { hint }) })
}

function refusal(problem: string, where: string, details: InputError['details']): InputError {
  return new InputError('invalid_input', `Cannot apply the patch: ${problem}${where}`, {
    issues: [{ path: 'patch', message: problem }],
    details,
  })
}

/** Identifies the hunk and the file of a message. */
export interface HunkPlace {
  /** The name of the file in messages: a path. */
  readonly subject: string
  /** Zero-based. */
  readonly index: number
  readonly total: number
  /** One-based line of the patch. */
  readonly line: number
  /** The earlier hunks, with their positions. */
  readonly before?: readonly { readonly at: number; readonly lines: readonly PatchLine[] }[]
}

/** Creates the error for a hunk that fits several places. `lines`: the one-based lines of these places. */
export function hunkAmbiguous(place: HunkPlace, what: string, lines: readonly number[]): InputError {
  const named = lines.slice(0, MAX_LINES_NAMED).join(', ')
  const rest = lines.length > MAX_LINES_NAMED ? ' and more' : ''
  return hunkError('ambiguous_match', place, `${what} at more than one place: lines ${named}${rest}`, {
    candidates: lines,
    hint: 'Include more lines around the change, or an @@ line with the enclosing function or class.',
  })
}

export function hunkError(
  code: InputError['code'],
  { subject, index, total, line }: HunkPlace,
  problem: string,
  details: Record<string, unknown> = {},
): InputError {
  const number = total === 1 ? 'its only hunk' : `hunk ${index + 1} of ${total}`
  return new InputError(code, `Cannot patch "${visibleName(subject)}": ${number} (line ${line} of the patch) ${problem}`, {
    issues: [{ path: 'patch', message: problem }],
    details: { path: subject, hunk: index + 1, line, ...details },
  })
}

/** Creates the error for a context line that was misread because it lacks the leading space. */
export function unmarkedLine(place: HunkPlace, line: string): InputError {
  return hunkError('no_match', place, `has ${quoted(line)}, which is a line of the file: begin each unchanged line with a space`)
}

/** Quotes a line for a message, truncated. */
export function quoted(line: string): string {
  return line.length > MAX_QUOTED ? `'${line.slice(0, codePointBoundary(line, MAX_QUOTED))}...'` : `'${line}'`
}
