import { h } from '../dom.js'

type Row = Readonly<Record<string, unknown>>

const MAX_COLUMNS = 6
/** Maximum length of a row, characters. Longer values are prose, such as web search results, which do not fit into a table. */
const MAX_ROW = 240

const isFlat = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (Array.isArray(value) && value.every((one) => typeof one === 'string'))

/** The columns of a list that is best shown as a table: at least two flat records with few keys. Otherwise undefined. */
export function columnsOf(list: readonly unknown[]): readonly string[] | undefined {
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
export function createTable(columns: readonly string[]): { element: HTMLElement; body: HTMLElement } {
  const body = h('tbody')
  const head = h('thead', {}, h('tr', {}, ...columns.map((column) => h('th', { scope: 'col' }, column))))
  return { element: h('div', { class: 'json-table', tabindex: 0, role: 'group', 'aria-label': 'Table' }, h('table', {}, head, body)), body }
}

/** Draws a row. `leaf` draws a plain value. */
export function tableRow(row: Row, columns: readonly string[], leaf: (value: unknown, column: string) => HTMLElement): HTMLElement {
  const cells = columns.map((column) => {
    const value = row[column]
    if (value === undefined) return h('td')
    const text = Array.isArray(value) ? value.join('\n') : value
    return h('td', { class: typeof value === 'number' ? 'is-number' : undefined }, leaf(text, column))
  })
  return h('tr', {}, ...cells)
}
