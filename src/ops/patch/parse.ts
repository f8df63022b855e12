import { finish, type Steps } from '../steps.js'
import { envelopeSteps } from './envelope.js'
import { badPatch, notAPatch, quoted } from './errors.js'
import type { FilePatch } from './types.js'
import { diffSteps } from './unified.js'

const BEGIN = '*** Begin Patch'
const ENVELOPE_LINE = /^\s*\*\*\* (?:Begin Patch|End Patch|(?:Add|Update|Delete) File:)/m
const DIFF_LINE = /^(?:diff --git |--- .*\r?\n\+\+\+ )/m
const HUNK_LINE = /^@@/m
const HEREDOC = /^(?:apply_patch\s+)?<<-?\s*(['"]?)(\w+)\1\s*$/
const FENCE = /^```\w*\s*$/

/**
 * Reads a patch: the `*** Begin Patch` envelope, or a unified diff with or without git's headers. Which one it is shows by its lines. A
 * heredoc or a code fence around it is taken off; CRLF at every line's end is the transport's.
 *
 * @throws {InputError} `invalid_input`, with `details.reason` `argument` (this is no patch) or `format` (it is, and is malformed)
 */
export function parsePatch(patch: string): FilePatch[] {
  return finish(parseSteps(patch))
}

/** `parsePatch` in steps. */
export function* parseSteps(patch: string): Steps<FilePatch[]> {
  const text = patch.charCodeAt(0) === 0xfeff ? patch.slice(1) : patch
  if (text.trim() === '') throw notAPatch('it is empty')
  if (!text.trim().includes('\n') && text.includes('\\n'))
    throw notAPatch('its line breaks are escaped (\\n): give a plain string with real ones')
  const lines = unwrap(text)
  yield
  const first = lines[0]?.trim() ?? ''
  const isEnvelope = first === BEGIN || (ENVELOPE_LINE.test(text) && !DIFF_LINE.test(text))
  if (isEnvelope) return yield* envelopeSteps(lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1))
  if (DIFF_LINE.test(text)) return yield* diffSteps(lines)
  if (HUNK_LINE.test(text)) throw badPatch('it has hunks, but no line that names their file: begin with "--- a/path" and "+++ b/path"')
  throw otherText(text.trim(), first)
}

/** The lines, without what is around the patch and without line breaks. The last line of a diff may well be a blank one. */
function unwrap(text: string): string[] {
  let lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const isText = (line: string): boolean => line.trim() !== ''
  lines = lines.slice(lines.findIndex(isText))
  if (lines[0]?.endsWith('\r')) lines = lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  const end = lines.findLastIndex(isText)
  const first = lines[0]?.trim() ?? ''
  const last = lines[end]?.trim()
  const wrapped = FENCE.test(first) ? last === '```' : last === HEREDOC.exec(first)?.[2]
  if (!wrapped || end < 2) return lines
  const inner = lines.slice(1, end)
  return inner.slice(Math.max(0, inner.findIndex(isText)))
}

function otherText(text: string, first: string): ReturnType<typeof notAPatch> {
  if (/^[[{"]/.test(text) && isJson(text)) return notAPatch('it is JSON: give the text of the patch itself, as a plain string')
  const begins = quoted(first)
  return notAPatch(
    `it begins with ${begins}: give a patch that begins with '${BEGIN}', or a unified diff with ---, +++ and @@ lines`,
    begins,
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return /^[[{]\s*"/.test(text)
  }
}
