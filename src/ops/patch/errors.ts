import { InputError } from '../../errors/index.js'
import { codePointBoundary } from '../utf8.js'
import { visibleName } from '../visible-name.js'
import type { PatchLine } from './types.js'

const MAX_QUOTED = 200
/** Lines, or places, that an error names. */
export const MAX_LINES_NAMED = 20

/** The argument is no patch at all: empty, JSON, something else. `details.reason` is `argument`; `begins`: the first line of other text. */
export function notAPatch(problem: string, begins?: string): InputError {
  return refusal(problem, '', { reason: 'argument', problem, ...(begins !== undefined && { begins }) })
}

/** A patch that breaks its format's grammar. `details.reason` is `format`; `line` is that of the patch, 1-based. */
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

/** Which hunk of which file a message is about. */
export interface HunkPlace {
  /** As messages name the file: a path. */
  readonly subject: string
  /** 0-based. */
  readonly index: number
  readonly total: number
  /** Line of the patch, 1-based. */
  readonly line: number
  /** The hunks before it, with their places. */
  readonly before?: readonly { readonly at: number; readonly lines: readonly PatchLine[] }[]
}

/** `lines` are those of the candidates, 1-based. */
export function hunkAmbiguous(place: HunkPlace, what: string, lines: readonly number[]): InputError {
  const named = lines.slice(0, MAX_LINES_NAMED).join(', ')
  const rest = lines.length > MAX_LINES_NAMED ? ' and more' : ''
  return hunkError('ambiguous_match', place, `${what} at more than one place: lines ${named}${rest}`, {
    candidates: lines,
    hint: 'Include more of the lines around the change, or an @@ line that names the function or class it is in.',
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

/** A line that stays was taken for something else, as it lacks the space before it. */
export function unmarkedLine(place: HunkPlace, line: string): InputError {
  return hunkError('no_match', place, `has ${quoted(line)}, which is a line of the file: begin each line that stays with a space`)
}

/** A line as a message quotes it. */
export function quoted(line: string): string {
  return line.length > MAX_QUOTED ? `'${line.slice(0, codePointBoundary(line, MAX_QUOTED))}...'` : `'${line}'`
}
