import { textButton } from '../button.js'
import { h } from '../dom.js'
import { formatCount, plural } from '../format.js'
import { visible, visibleName, visibleNameText } from '../visible.js'
import { hasDiff, renderDiff } from './diff.js'

export interface JsonTreeOptions {
  /** Opens a file that the data mention. */
  readonly onOpenPath: (path: string, line?: number) => void
  /** Whether a text is a path of the workspace. */
  readonly isPath: (text: string) => boolean
  /** Shortens a path: makes it relative to the root. */
  readonly relative: (path: string) => string
}

type Entry = readonly [key: string, value: unknown]

const PAGE = 100
const LONG_TEXT = 4_000
const SHORT_LIST = 120
/** Branches with up to this many entries are expanded, unless they are nested deeply. */
const SHORT_BRANCH = 8

/** Renders JSON as a tree whose branches are drawn when expanded. Workspace paths become buttons; diffs are coloured. */
export function renderJson(value: unknown, options: JsonTreeOptions): HTMLElement {
  return h('div', { class: 'json' }, node(undefined, value, options, 0, undefined))
}

function node(key: string | undefined, value: unknown, options: JsonTreeOptions, depth: number, parent: unknown): HTMLElement {
  if (typeof value === 'object' && value !== null) return branch(key, value, options, depth)
  if (typeof value === 'string' && (value.includes('\n') || value.length > 160)) return longText(key, value)
  return h('div', { class: 'json-row' }, ...keyOf(key), leaf(value, options, parent))
}

function keyOf(key: string | undefined): HTMLElement[] {
  return key === undefined ? [] : [h('span', { class: 'json-key' }, ...visible(key))]
}

function leaf(value: unknown, { isPath, relative, onOpenPath }: JsonTreeOptions, parent: unknown, column?: string): HTMLElement {
  if (typeof value !== 'string') return h('span', { class: `json-${value === null ? 'null' : typeof value}` }, String(value))
  const shown = column === 'path' ? relative(value) : value
  const title = shown === value ? undefined : visibleNameText(value)
  if (!isPath(value))
    return h('span', { class: 'json-string', title }, ...(value === '' ? ['""'] : (column === 'path' ? visibleName : visible)(shown)))
  return h(
    'button',
    { type: 'button', class: 'json-path', title: `Open ${visibleNameText(value)}`, on: { click: () => onOpenPath(value, lineOf(parent)) } },
    ...visibleName(shown),
  )
}

/** The line number next to a path, as in a grep match. */
function lineOf(parent: unknown): number | undefined {
  if (typeof parent !== 'object' || parent === null) return undefined
  const line = 'line' in parent ? parent.line : 'start_line' in parent ? parent.start_line : undefined
  return typeof line === 'number' ? line : undefined
}

function longText(key: string | undefined, value: string): HTMLElement {
  const holder = h('div', { class: 'json-text', tabindex: 0, role: 'group', 'aria-label': key ?? 'Text' })
  const show = (text: string): void => holder.replaceChildren(hasDiff(text) ? renderDiff(text) : h('pre', {}, ...visible(text)))
  if (value.length <= LONG_TEXT) show(value)
  else {
    show(value.slice(0, LONG_TEXT))
    holder.append(textButton(`Show all ${formatCount(value.length)} characters`, () => show(value), { class: 'small' }))
  }
  return h('div', { class: 'json-block' }, ...keyOf(key), holder)
}

function branch(key: string | undefined, value: object, options: JsonTreeOptions, depth: number): HTMLElement {
  const entries = Object.entries(value)
  const isList = Array.isArray(value)
  const size = isList ? plural(entries.length, 'item') : plural(entries.length, 'key')
  if (entries.length === 0) return h('div', { class: 'json-row' }, ...keyOf(key), h('span', { class: 'json-null' }, isList ? '[ ]' : '{ }'))
  const short = isList ? shortList(value, options) : undefined
  if (short) return h('div', { class: 'json-row' }, ...keyOf(key), short)
  const body = h('div', { class: 'json-children' })
  if (depth === 0) {
    fill(body, entries, options, depth, value)
    return body
  }
  const details = h('details', { class: 'json-branch' }, h('summary', {}, ...keyOf(key), preview(value, size)), body)
  details.addEventListener('toggle', () => {
    if (details.open && !body.hasChildNodes()) fill(body, entries, options, depth, value)
  })
  details.open = depth < 2 || entries.length <= 1 || (depth < 4 && entries.length <= SHORT_BRANCH)
  if (details.open) fill(body, entries, options, depth, value)
  return details
}

/** A short list of numbers or words, drawn on one line. Undefined for every other list. */
function shortList(list: readonly unknown[], { isPath }: JsonTreeOptions): HTMLElement | undefined {
  const plain = list.every((one) => typeof one === 'number' || (typeof one === 'string' && !isPath(one) && !one.includes('\n')))
  const text = plain ? list.join(', ') : ''
  return plain && text.length <= SHORT_LIST
    ? h('span', { class: typeof list[0] === 'number' ? 'json-number' : 'json-string' }, ...visible(`[ ${text} ]`))
    : undefined
}

/** Preview of a collapsed branch. */
function preview(value: object, size: string): HTMLElement {
  const told = Array.isArray(value)
    ? ''
    : Object.values(value)
        .filter((one) => typeof one === 'string' || typeof one === 'number')
        .slice(0, 3)
        .join('  ')
        .slice(0, 90)
  return h('span', { class: 'json-size' }, ...visible(told || size))
}

function fill(body: HTMLElement, entries: readonly Entry[], options: JsonTreeOptions, depth: number, parent: unknown): void {
  const columns = Array.isArray(parent) ? columnsOf(parent) : undefined
  if (!columns) {
    fillPaged(body, entries, ([key, value]) => node(key, value, options, depth + 1, parent))
    return
  }
  const table = createTable(columns)
  body.append(table.element)
  fillPaged(
    table.body,
    entries,
    ([, row]) => tableRow(row as Readonly<Record<string, unknown>>, columns, (value, column) => leaf(value, options, row, column)),
    table.element,
  )
}

/** Draws a page of entries. The button for the next page follows the entries or, if given, the element `around`. */
function fillPaged(body: HTMLElement, entries: readonly Entry[], draw: (entry: Entry) => HTMLElement, around?: HTMLElement): void {
  body.append(...entries.slice(0, PAGE).map(draw))
  const rest = entries.slice(PAGE)
  if (rest.length === 0) return
  const next = (): void => {
    more.remove()
    fillPaged(body, rest, draw, around)
  }
  const label = `Show ${formatCount(Math.min(PAGE, rest.length))} more of ${formatCount(rest.length)}`
  const more = textButton(label, next, { class: 'small' })
  if (around) around.after(more)
  else body.append(more)
}

type Row = Readonly<Record<string, unknown>>

const MAX_COLUMNS = 6
/** Maximum length of a row, characters. Longer values are prose, such as web search results, which do not fit into a table. */
const MAX_ROW = 240

const isFlat = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (Array.isArray(value) && value.every((one) => typeof one === 'string'))

/** The columns of a list that is best shown as a table: at least two flat records with few keys. Otherwise undefined. */
function columnsOf(list: readonly unknown[]): readonly string[] | undefined {
  const columns = new Set<string>()
  for (const item of list) {
    if (typeof item !== 'object' || item === null || Array.isArray(item) || !Object.values(item).every(isFlat)) return undefined
    for (const key of Object.keys(item)) columns.add(key)
    if (columns.size > MAX_COLUMNS || lengthOf(item) > MAX_ROW) return undefined
  }
  return list.length >= 2 && columns.size >= 2 ? [...columns] : undefined
}

const lengthOf = (item: object): number => Object.values(item).reduce<number>((sum, value) => sum + String(value ?? '').length, 0)

/** Creates an empty table and returns its body for the rows. */
function createTable(columns: readonly string[]): { element: HTMLElement; body: HTMLElement } {
  const body = h('tbody')
  const head = h('thead', {}, h('tr', {}, ...columns.map((column) => h('th', { scope: 'col' }, column))))
  return { element: h('div', { class: 'json-table', tabindex: 0, role: 'group', 'aria-label': 'Table' }, h('table', {}, head, body)), body }
}

/** Draws a row. `leaf` draws a plain value. */
function tableRow(row: Row, columns: readonly string[], leaf: (value: unknown, column: string) => HTMLElement): HTMLElement {
  const cells = columns.map((column) => {
    const value = row[column]
    if (value === undefined) return h('td')
    const text = Array.isArray(value) ? value.join('\n') : value
    return h('td', { class: typeof value === 'number' ? 'is-number' : undefined }, leaf(text, column))
  })
  return h('tr', {}, ...cells)
}
