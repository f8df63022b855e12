import { chunkedText } from '../chunked-text.js'
import type { Steps } from '../steps.js'
import { isOld } from './hunk-lines.js'
import type { LineTable } from './line-table.js'
import type { Located } from './locate.js'
import type { PatchLine } from './types.js'

type Break = '\n' | '\r\n'

/** Hunks applied in one step. */
const HUNKS_A_STEP = 256
/** Lines processed in one step. */
const LINES_A_STEP = 16_384

/**
 * Applies hunks that are in ascending order and do not overlap. Context lines keep the bytes of the file. A new line gets the separator of
 * the line that it replaces, or else of a neighbouring line. If the hunk's old lines have the same separators as the file, new lines keep
 * the hunk's separators.
 */
export function* spliceSteps(table: LineTable, hunks: readonly Located[], asSdk: boolean): Steps<string> {
  const { text, starts, count } = table
  const isCrlf = yield* hasCrlfOnly(table)
  const out = chunkedText()
  /** Number of lines of the file that are copied or dropped. */
  let done = 0
  /** Whether the output so far ends without a line break. */
  let open = false
  /** The last line of the output with its line break; undefined if the line comes from the file. */
  let last: { readonly line: PatchLine; readonly end: Break } | undefined
  const copyTo = (line: number): void => {
    if (line <= done) return
    out.push(text.slice(starts[done], starts[line]))
    done = line
    open = line === count && table.ending(count - 1) === ''
    last = undefined
  }
  for (const [i, located] of hunks.entries()) {
    const ends = asSdk && !isCrlf ? [] : newEndings(table, isCrlf, located)
    let at = located.at
    for (const [k, line] of located.lines.entries()) {
      if (line.mark === ' ') {
        at++
        continue
      }
      copyTo(at)
      if (line.mark === '-') {
        done = ++at
        continue
      }
      const end = ends[k] ?? '\n'
      if (open) out.push(end)
      out.push(line.text + end)
      open = false
      last = { line, end }
      if (k % LINES_A_STEP === LINES_A_STEP - 1) yield
    }
    copyTo(at)
    if (i % HUNKS_A_STEP === 0) yield
  }
  copyTo(count)
  const result = out.join()
  if (!last?.line.noNewline && !staysOpen(table, hunks.at(-1))) return result
  const end = last?.end ?? (result.endsWith('\r\n') ? '\r\n' : '\n')
  return result.endsWith(end) ? result.slice(0, -end.length) : result
}

/** Returns the separator for each new line of the hunk. */
function newEndings(table: LineTable, isCrlf: boolean, { hunk, at, lines }: Located): Break[] {
  // An envelope does not specify separators.
  if (isCrlf && hunk.from === 'envelope') return lines.map(() => '\r\n')
  if (knowsEndings(table, at, lines)) return lines.map(({ cr }) => (cr ? '\r\n' : '\n'))
  const ends: Break[] = []
  let line = at
  for (let from = 0; from < lines.length; ) {
    if (lines[from]?.mark === ' ') {
      from++
      line++
      continue
    }
    let to = from
    while (to < lines.length && lines[to]?.mark !== ' ') to++
    // Between two context lines, the added lines replace the removed lines one by one.
    const removed = lines.slice(from, to).filter(({ mark }) => mark === '-').length
    for (let i = from, nth = 0; i < to; i++) {
      if (lines[i]?.mark !== '+') continue
      const replaced = removed === 0 ? '' : table.ending(line + Math.min(nth, removed - 1))
      ends[i] = replaced || neighbour(table, line)
      nth++
    }
    line += removed
    from = to
  }
  return ends
}

/** Whether each old line has the same line break as in the file. A hunk without old lines must contain a CR. */
function knowsEndings(table: LineTable, at: number, lines: readonly PatchLine[]): boolean {
  let line = at
  let agreeing = 0
  for (const { mark, cr, noNewline } of lines) {
    if (mark === '+') continue
    const end = table.ending(line++)
    if (end === '' || noNewline) continue
    if ((end === '\r\n') !== (cr === true)) return false
    agreeing++
  }
  return agreeing > 0 || lines.some(({ cr }) => cr)
}

/** Returns the separator of the line before `line`, else of `line` itself, else of the line two before. */
function neighbour(table: LineTable, line: number): Break {
  for (const near of [line - 1, line, line - 2]) {
    const end = near >= 0 && near < table.count ? table.ending(near) : ''
    if (end !== '') return end
  }
  return '\n'
}

/** Whether the file has no final separator, and the last hunk does not specify one. */
function staysOpen(table: LineTable, located: Located | undefined): boolean {
  if (!located || table.count === 0 || table.ending(table.count - 1) !== '') return false
  const old = located.lines.filter(isOld)
  return located.at + old.length < table.count || !old.at(-1)?.noNewline
}

function* hasCrlfOnly(table: LineTable): Steps<boolean> {
  let found = false
  for (let i = 0; i < table.count; i++) {
    const ending = table.ending(i)
    if (ending === '\n') return false
    found ||= ending === '\r\n'
    if (i % LINES_A_STEP === LINES_A_STEP - 1) yield
  }
  return found
}
