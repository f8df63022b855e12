import { finish, type Steps } from '../steps.js'
import { envelopeSteps } from './envelope.js'
import { badPatch, notAPatch, quoted } from './errors.js'
import type { FilePatch } from './types.js'
import { diffSteps } from './unified.js'

const BEGIN = '*** Begin Patch'
const ENVELOPE_LINE = /^[ \t]*\*\*\* (?:Begin Patch|End Patch|(?:Add|Update|Delete) File:)/m
const DIFF_LINE = /^(?:diff --git |--- .*\r?\n\+\+\+ )/m
const HUNK_LINE = /^@@/m
/** Lines parsed in one step. */
const LINES_A_STEP = 16_384
/** Maximum number of lines in a patch. An operation on all lines at once takes some milliseconds for this many. */
const MAX_LINES = 250_000
const MAX_LINE_UNITS = 2 * 1024 * 1024

/**
 * Parses a patch: the `*** Begin Patch` envelope, or a unified diff with or without git headers. Detects the format by the lines. If the
 * first line with text ends in CRLF, CRs at line ends are not part of the patch. `commandSteps` removes other text around the patch.
 *
 * @throws {InputError} `invalid_input`, with `details.reason` `argument` (not a patch) or `format` (malformed)
 */
export function parsePatch(patch: string): FilePatch[] {
  return finish(parseSteps(patch))
}

/** Parses like `parsePatch`, in steps. `unwrap` extracts the lines of the patch from the text around them. */
export function* parseSteps(patch: string, unwrap?: (lines: string[]) => string[]): Steps<FilePatch[]> {
  const text = patch.charCodeAt(0) === 0xfeff ? patch.slice(1) : patch
  if (!/\S/.test(text)) throw notAPatch('it is empty')
  const all = yield* splitSteps(text)
  const lines = unwrap?.(all) ?? all
  if (lines.length === 1 && text.includes('\\n') && !isJson(text.trim()))
    throw notAPatch('its line breaks are escaped (\\n): pass a plain string with real line breaks')
  yield
  const first = lines[0]?.trim() ?? ''
  const isEnvelope = first === BEGIN || (ENVELOPE_LINE.test(text) && !DIFF_LINE.test(text))
  if (isEnvelope) return yield* envelopeSteps(lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1))
  const isIndented = first.startsWith('diff --git ') || (first.startsWith('--- ') && lines[1]?.startsWith('+++ '))
  if (isIndented || DIFF_LINE.test(text)) return yield* diffSteps(lines)
  if (HUNK_LINE.test(text)) throw badPatch('it has hunks, but no line that names their file: begin with "--- a/path" and "+++ b/path"')
  throw otherText(text.trim(), first)
}

/** Splits into lines, in steps. If the first line with text ends in CRLF, removes the CR at the end of every line. */
function* splitSteps(text: string): Steps<string[]> {
  const lines: string[] = []
  const begins = text.search(/\S/)
  const isCrlf = text[text.indexOf('\n', begins) - 1] === '\r'
  for (let from = 0; from < text.length; ) {
    const at = text.indexOf('\n', from)
    const end = at < 0 ? text.length : at
    if (end - from > MAX_LINE_UNITS) throw badPatch(`it has a line of more than ${MAX_LINE_UNITS} characters`, lines.length + 1)
    lines.push(text.slice(from, isCrlf && end > from && text[end - 1] === '\r' ? end - 1 : end))
    from = end + 1
    if (lines.length > MAX_LINES) throw badPatch(`it has more than ${MAX_LINES} lines: split the patch`)
    if (lines.length % LINES_A_STEP === 0) yield
  }
  return lines
}

function otherText(text: string, first: string): ReturnType<typeof notAPatch> {
  if (isJson(text)) return notAPatch('it is JSON: pass the patch itself as a plain string')
  if (first.startsWith('\x1b[')) return notAPatch('it has terminal colors (ESC [ ... m): remove them, for example with git diff --no-color')
  const begins = quoted(first)
  return notAPatch(
    `it begins with ${begins}: pass a patch that begins with '${BEGIN}', or a unified diff with ---, +++ and @@ lines`,
    begins,
  )
}

function isJson(text: string): boolean {
  if (!/^[[{"]/.test(text) || text.length > MAX_LINE_UNITS) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return /^[[{]\s*"/.test(text)
  }
}
