import { codePointBoundary } from './utf8.js'

const MAX_LINE = 2000
// Characters shown in front of a match that is too far behind for the beginning of its line to be shown.
const LEAD = 200

/** A line as it is shown: over 2,000 characters only the part around `at` is left, with marks for what was cut. */
export function cutLine(line: string, at = 0): string {
  if (line.length <= MAX_LINE) return line
  const latest = line.length - MAX_LINE
  const start = at + LEAD <= MAX_LINE ? 0 : codePointBoundary(line, Math.min(at - LEAD, latest))
  const end = at - LEAD >= latest ? line.length : codePointBoundary(line, start + MAX_LINE)
  const before = start > 0 ? `[${start} characters cut]` : ''
  const after = end < line.length ? `[${line.length - end} characters cut]` : ''
  return before + line.slice(start, end) + after
}
