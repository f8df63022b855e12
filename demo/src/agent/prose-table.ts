import { h, together } from '../dom.js'

type Align = 'left' | 'center' | 'right' | undefined

/** The head of a table: its first row and the alignment of its columns. */
export interface TableHead {
  readonly cells: readonly string[]
  readonly aligns: readonly Align[]
}

type Inline = (text: string) => DocumentFragment

/** Wider tables are not parsed as tables. */
const MOST_COLUMNS = 100

/** Matches a code span (its pipes are literal), an escaped pipe, or a cell separator. */
const MARK = /`[^`]+`|\\\||\|/g
const RULE = /^(:?)-+(:?)$/
/** The delimiter row below a head, possibly incomplete. */
const HALF_RULE = /^ {0,3}(?:\||:?-[-:|])[-:| \t]*$/
const ROW = /^ {0,3}\|/
/** A line that may still become a block other than a table row. */
const HALF_BLOCK = /^ {0,3}(?:#+|`+|~+|[-*+]|\d{1,3}[.)]?) ?$/

/** The table head, if a line and the line below form one. */
export function headOf(line: string, below: string): TableHead | undefined {
  if (!line.includes('|') || !below.includes('|')) return undefined
  const rules = cellsOf(below).map((cell) => RULE.exec(cell))
  if (rules.length === 0 || rules.length > MOST_COLUMNS || rules.includes(null)) return undefined
  const cells = cellsOf(line)
  return cells.length === rules.length ? { cells, aligns: rules.map(alignOf) } : undefined
}

/** An incomplete table head in the last `lines` of these lines. */
export function halfHeadOf(lines: readonly string[]): { readonly head: TableHead; readonly lines: 1 | 2 } | undefined {
  const last = lines.at(-1) ?? ''
  const above = lines.at(-2) ?? ''
  if (above.includes('|') && HALF_RULE.test(last)) {
    const cells = cellsOf(above)
    return cells.length > 0 && cellsOf(last).length <= cells.length && cells.length <= MOST_COLUMNS
      ? { head: { cells, aligns: [] }, lines: 2 }
      : undefined
  }
  // The line above was not a table head (checked above), so `last` can only be a head, not a delimiter row.
  if (!ROW.test(last) || ROW.test(above)) return undefined
  const cells = cellsOf(last)
  return cells.length <= MOST_COLUMNS ? { head: { cells, aligns: [] }, lines: 1 } : undefined
}

export const mayEndTable = (line: string): boolean => HALF_BLOCK.test(line)

/** Renders the head as Markdown, for a table that continues in another block. */
export const linesOf = ({ cells, aligns }: TableHead): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n|${aligns.map((align) => `${align === 'left' || align === 'center' ? ':' : ''}-${align === 'right' || align === 'center' ? ':' : ''}|`).join('')}\n`

export function drawTable(head: TableHead, lines: readonly string[], inline: Inline): HTMLElement {
  const heads = head.cells.map((cell, column) => {
    const props = { class: classOf(head.aligns[column]) }
    // An empty cell is not a heading.
    return cell === '' ? h('td', props) : h('th', { ...props, scope: 'col' }, inline(cell))
  })
  return h(
    'div',
    { class: 'prose-table', tabindex: 0, role: 'group', 'aria-label': 'Table' },
    h('table', {}, h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, together(lines.map((line) => drawRow(line, head, inline))))),
  )
}

/** Draws a row. Missing cells become one empty cell; surplus cells are joined into the last one, so that no text is lost. */
export function drawRow(line: string, { aligns }: TableHead, inline: Inline): HTMLElement {
  const cells = cellsOf(line)
  const last = aligns.length - 1
  const shown = cells.length > aligns.length ? [...cells.slice(0, last), cells.slice(last).join(' | ')] : cells
  const missing = aligns.length - shown.length
  return h(
    'tr',
    {},
    ...shown.map((cell, column) => h('td', { class: classOf(aligns[column]) }, inline(cell))),
    missing > 0 && h('td', { colspan: missing }),
  )
}

/** Splits a row into cells in linear time, because a line may be very long. */
function cellsOf(line: string): string[] {
  const row = trimmed(line)
  const cells: string[] = []
  let from = 0
  for (const { 0: mark, index } of row.matchAll(MARK)) {
    if (mark !== '|') continue
    if (index > 0) cells.push(row.slice(from, index))
    from = index + 1
  }
  if (from < row.length) cells.push(row.slice(from))
  return cells.map((cell) => trimmed(cell).replaceAll('\\|', '|'))
}

/** Removes surrounding blanks. Keeps invisible characters, which are marked later. */
export function trimmed(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isBlank(text[from])) from += 1
  while (to > from && isBlank(text[to - 1])) to -= 1
  return text.slice(from, to)
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t'

function alignOf(rule: RegExpExecArray | null): Align {
  const [, left, right] = rule ?? []
  if (left) return right ? 'center' : 'left'
  return right ? 'right' : undefined
}

const classOf = (align: Align): string | undefined => (align === 'center' || align === 'right' ? `is-${align}` : undefined)
