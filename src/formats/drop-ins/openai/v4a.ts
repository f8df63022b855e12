import { InputError } from '../../../errors/index.js'
import { hunkSteps } from '../../../ops/patch/apply.js'
import { locateAsSdk } from '../../../ops/patch/locate-as-sdk.js'
import { parseSteps } from '../../../ops/patch/parse.js'
import type { Steps } from '../../../ops/steps.js'

/** Of the line that is quoted in an error. */
const MAX_QUOTED = 200
/** Any name: the hunks alone are used. */
const NAME = 'file'
const END_PATCH = '*** End Patch'
const END_OF_FILE = '*** End of File'

/** The content of a new file. @throws InputError for a line that does not begin with `+` */
export function contentOf(diff: string): string {
  const lines = linesOf(diff)
  const wrong = lines.findIndex((line) => !line.startsWith('+'))
  if (wrong >= 0) throw badLine(wrong, lines[wrong] ?? '', 'every line of a new file begins with "+"')
  return lines.map((line) => line.slice(1)).join('\n')
}

/**
 * In steps, the text with a diff applied that has hunks only. As the SDK's own `applyDiff`, but for what that does in silence: hunks that fit more
 * than one place, `@@` lines that are nowhere, and anything behind a header of another file are errors here.
 *
 * @throws InputError `invalid_input`, `no_match`, `ambiguous_match`
 */
export function* patchSteps(text: string, diff: string, subject: string): Steps<string> {
  const lines = linesOf(diff)
  const header = lines.findIndex((line) => line.startsWith('***') && line.trimEnd() !== END_OF_FILE)
  if (header >= 0)
    throw badLine(header, lines[header] ?? '', 'the diff has hunks only: @@ lines, and lines that begin with " ", "-" or "+"')
  const isAnchor = (line: string | undefined): boolean => line?.startsWith('@@') === true
  const numbers = lines.findIndex((line, i) => /^@@ -\d/.test(line) && (isAnchor(lines[i - 1]) || isAnchor(lines[i + 1])))
  if (numbers >= 0) throw badLine(numbers, lines[numbers] ?? '', 'a hunk with several @@ lines has no line numbers: leave them out')
  if (lines.every((line) => line.trim() === '')) throw new InputError('invalid_input', 'Cannot apply the diff: it is empty')
  // A line without anything is an empty one that stays, at the end of a hunk too.
  const patch = ['*** Begin Patch', `*** Update File: ${NAME}`, ...lines.map((line) => line || ' '), END_PATCH].join('\n')
  const sections = yield* parseSteps(patch)
  const hunks = sections.flatMap((section) => (section.kind === 'update' ? section.hunks : []))
  return (yield* hunkSteps(text, hunks, { subject, asSdk: locateAsSdk })).text
}

/** Without a line break behind the last one, and without the end of an envelope that has no beginning. */
function linesOf(diff: string): string[] {
  const lines = diff.split(/\r?\n/).map((line) => line.replace(/\r$/, ''))
  if (lines.at(-1) === '') lines.pop()
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return lines[last]?.trim() === END_PATCH ? lines.slice(0, last) : lines
}

function badLine(index: number, line: string, problem: string): InputError {
  const quoted = line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}...` : line
  const message = `line ${index + 1} is "${quoted}", but ${problem}`
  return new InputError('invalid_input', `Cannot apply the diff: ${message}`, { issues: [{ path: 'diff', message }] })
}
