import type { NearText } from './nearest-text.js'
import { differInForm, inAscii, normalized } from './unicode-form.js'
import { codePointBoundary } from './utf8.js'

const MAX_LINES_SHOWN = 20
const MAX_UNITS_SHOWN = 1200
const MAX_UNITS_QUOTED = 120
/**
 * Maximum number of code units to compare per line: a minified file is a single line, and `includes` may be slow on long repetitive texts.
 */
const MAX_UNITS_COMPARED = 2000

/** Describes the position of the nearest text, its content and the difference. */
export function describeNear(near: NearText): string {
  const lines = near.text.split('\n').map(clipLine)
  const sought = near.sought.map(clipLine)
  const what = difference(sought, lines)
  const at =
    lines.length === 1
      ? `Line ${near.line} is the closest match and differs`
      : `Lines ${near.line}-${near.line + lines.length - 1} are the closest match and differ`
  return `${at} in ${what}${firstDifference(near.line, sought, lines)}. The file has:\n${clipText(near.text)}`
}

const clipLine = (line: string): string => line.slice(0, MAX_UNITS_COMPARED)

function difference(sought: readonly string[], lines: readonly string[]): string {
  const alike = (fold: (line: string) => string): boolean =>
    sought.length === lines.length && sought.every((_, i) => isSameLine(sought, lines, i, fold))
  if (alike((line) => line)) {
    const isCut = sought.some((line) => line.length === MAX_UNITS_COMPARED)
    return isCut ? 'the rest of a long line' : 'the surrounding text: the rest of a line, blank lines or the line break'
  }
  if (alike(trim)) return indentationDifference(sought, lines)
  if (alike((line) => normalized(line.trim()))) return 'Unicode form (NFC, NFD)'
  if (alike((line) => line.replace(/\s+/g, ''))) return 'spacing'
  if (alike((line) => line.trim().toLowerCase())) return 'upper and lower case'
  if (alike((line) => line.replace(/[^\p{L}\p{N}]+/gu, ''))) return 'punctuation'
  const different = sought.filter((_, i) => !isSameLine(sought, lines, i, trim)).length
  return sought.length === 1 ? 'wording' : `${different} of ${sought.length} lines`
}

const trim = (line: string): string => line.trim()

/** Whether a sought line equals the line of the file. The first and the last sought line may be only parts of a line. */
function isSameLine(sought: readonly string[], lines: readonly string[], index: number, fold: (line: string) => string): boolean {
  const wanted = fold(sought[index] ?? '')
  const actual = fold(lines[index] ?? '')
  const isFirst = index === 0
  const isLast = index === sought.length - 1
  if (isFirst && isLast) return actual.includes(wanted)
  if (isFirst) return actual.endsWith(wanted)
  return isLast ? actual.startsWith(wanted) : actual === wanted
}

function indentationDifference(sought: readonly string[], lines: readonly string[]): string {
  const uses = (of: readonly string[], unit: string): boolean => of.some((line) => line.startsWith(unit))
  if (uses(lines, '\t') && !uses(sought, '\t')) return 'indentation: it indents with tabs'
  if (!uses(lines, '\t') && uses(sought, '\t')) return 'indentation: it indents with spaces'
  return 'indentation'
}

/** Quotes both sides of the first line that differs, around the difference. */
function firstDifference(line: number, sought: readonly string[], lines: readonly string[]): string {
  const index = sought.findIndex((_, i) => !isSameLine(sought, lines, i, trim))
  // The lines differ only in surrounding white space.
  if (index < 0) return ''
  const wanted = sought[index] ?? ''
  const actual = lines[index] ?? ''
  let same = 0
  while (same < wanted.length && wanted[same] === actual[same]) same++
  const from = Math.max(0, same - MAX_UNITS_QUOTED / 2)
  const form = differInForm(wanted.trim(), actual.trim()) ? inAscii : JSON.stringify
  const quote = (text: string): string => form(text.slice(from, from + MAX_UNITS_QUOTED))
  return `: line ${line + index} has ${quote(actual)}, old text has ${quote(wanted)}`
}

/** Truncates a long text to its first lines. */
export function clipText(text: string): string {
  const lines = text.split('\n')
  const shown = lines.slice(0, MAX_LINES_SHOWN).join('\n')
  if (shown.length > MAX_UNITS_SHOWN) return `${shown.slice(0, codePointBoundary(shown, MAX_UNITS_SHOWN))}...`
  return lines.length > MAX_LINES_SHOWN ? `${shown}\n...` : shown
}
