import { InputError } from '../../errors/index.js'
import { clipText } from '../nearest-difference.js'
import { codePointBoundary } from '../utf8.js'

const MAX_QUOTED = 200
const MAX_LINES_NAMED = 20

/** The argument is no patch at all: empty, JSON, something else. `details.reason` is `argument`. */
export function notAPatch(problem: string): InputError {
  return new InputError('invalid_input', `Cannot apply the patch: ${problem}`, {
    issues: [{ path: 'patch', message: problem }],
    details: { reason: 'argument', problem },
  })
}

/** A patch that breaks its format's grammar. `details.reason` is `format`; `line` is that of the patch, 1-based. */
export function badPatch(problem: string, line?: number): InputError {
  const where = line === undefined ? '' : ` (line ${line} of the patch)`
  return new InputError('invalid_input', `Cannot apply the patch: ${problem}${where}`, {
    issues: [{ path: 'patch', message: problem }],
    details: { reason: 'format', problem, ...(line !== undefined && { line }) },
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
}

/** A hunk whose lines, or whose `@@` line, are not where they have to be. */
export function hunkNotFound(place: HunkPlace, what: readonly string[], problem: string, details: Record<string, unknown>): InputError {
  const expected = clipText(what.join('\n'))
  const error = hunkError('no_match', place, problem, { expected: what.slice(0, MAX_LINES_NAMED), ...details })
  error.message += `\nExpected:\n${expected}`
  return error
}

/** `lines` are those of the candidates, 1-based. */
export function hunkAmbiguous(place: HunkPlace, what: string, lines: readonly number[], more: boolean): InputError {
  const named = lines.slice(0, MAX_LINES_NAMED).join(', ')
  const rest = more || lines.length > MAX_LINES_NAMED ? ' and more' : ''
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
  return new InputError(code, `Cannot patch "${subject}": ${number} (line ${line} of the patch) ${problem}`, {
    issues: [{ path: 'patch', message: `${number}: ${problem}` }],
    details: { path: subject, hunk: index + 1, line, ...details },
  })
}

/** A line as a message quotes it. */
export function quoted(line: string): string {
  return line.length > MAX_QUOTED ? `'${line.slice(0, codePointBoundary(line, MAX_QUOTED))}...'` : `'${line}'`
}
