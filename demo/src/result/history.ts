import type { CallRecord } from '../calls.js'
import { h } from '../dom.js'
import { formatCount } from '../format.js'
import { saveFile } from '../save-file.js'
import { createHistoryBar } from './history-bar.js'
import { type HistoryRowOptions, historyRow, markRow } from './history-row.js'
import { callsAsJson, fitsFilter, type PastCall } from './past-calls.js'

export interface History {
  readonly element: HTMLElement
  add(record: CallRecord): void
  /** Marks the shown call. */
  mark(record: CallRecord | undefined): void
  /** Clears the history; this cannot be undone. */
  begin(): void
}

export interface HistoryOptions extends HistoryRowOptions {
  /** Called with the number of calls. */
  readonly onCount: (count: number) => void
}

/** Older calls are dropped. */
const MOST = 1000
/** Number of rows drawn at once. A button draws the next ones. */
const PAGE = 100

/** The calls of this session, latest first. A new call adds a row without redrawing the others. */
export function createHistory(options: HistoryOptions): History {
  const bar = createHistoryBar({ onFilter: draw, onExport: save, onClear: clear })
  const list = h('ol', { class: 'calls', tabindex: -1, 'aria-label': 'Calls' })
  const more = h('button', { type: 'button', class: 'button small', on: { click: showMore } })
  const nothing = h('p', { class: 'empty' }, 'Calls you make are listed here, to load again.')
  const back = h('button', { type: 'button', class: 'button small', on: { click: takeBack } }, 'Take that back')
  const cleared = h('div', { class: 'empty history-cleared' }, h('p', { role: 'status' }), back)
  const element = h('div', { class: 'history' }, bar.element, list, more, nothing, cleared)
  const rows = new Map<CallRecord, HTMLElement>()
  /** Newest first. */
  let calls: PastCall[] = []
  /** Calls that were cleared but can still be restored. */
  let kept: PastCall[] = []
  let current: CallRecord | undefined
  let room = PAGE
  draw()

  function shown(): PastCall[] {
    return calls.filter((call) => fitsFilter(call, bar.filter))
  }

  function rowOf({ record }: PastCall): HTMLElement {
    const row = historyRow(record, options)
    rows.set(record, row)
    if (record === current) markRow(row, true)
    return row
  }

  /** Redraws the whole list after the filter has changed. */
  function draw(): void {
    room = PAGE
    rows.clear()
    const fitting = shown()
    list.replaceChildren(...fitting.slice(0, room).map(rowOf))
    tell(fitting.length)
  }

  /** Updates the controls around the rows. */
  function tell(fitting: number): void {
    const rest = fitting - list.childElementCount
    more.hidden = rest <= 0
    more.textContent = `Show ${formatCount(Math.min(PAGE, rest))} more of ${formatCount(fitting)}`
    bar.element.hidden = calls.length === 0
    bar.setCount(fitting, calls.length)
    nothing.hidden = calls.length > 0 || kept.length > 0
    cleared.hidden = calls.length > 0 || kept.length === 0
    options.onCount(calls.length)
  }

  function showMore(): void {
    const fitting = shown()
    const from = list.childElementCount
    room = from + PAGE
    list.append(...fitting.slice(from, room).map(rowOf))
    tell(fitting.length)
    // The button may have moved or disappeared, so keyboard users continue at the first new row.
    list.children[from]?.querySelector<HTMLElement>('.past-call')?.focus()
  }

  function listTools(): void {
    bar.setTools([...new Set(calls.map(({ record }) => record.tool))].sort())
  }

  function save(): void {
    saveFile(callsAsJson(shown()), 'toolport-calls.json')
  }

  function clear(): void {
    kept = calls
    calls = []
    bar.reset()
    listTools()
    const told = cleared.querySelector('p')
    if (told) told.textContent = `${formatCount(kept.length)} removed from the list. What the calls did stays.`
    draw()
    back.focus()
  }

  function takeBack(): void {
    calls = [...calls, ...kept].slice(0, MOST)
    kept = []
    listTools()
    draw()
    list.focus()
  }

  /** Removes surplus rows, unless the last row has the focus. */
  function trim(): void {
    const last = list.lastElementChild
    if (list.childElementCount <= room || !last || last.contains(document.activeElement)) return
    last.remove()
    for (const [record, row] of rows) if (row === last) rows.delete(record)
  }

  return {
    element,
    add(record) {
      kept = []
      const call = { record, time: Date.now() }
      const forgotten = calls[MOST - 1]
      calls = [call, ...calls].slice(0, MOST)
      listTools()
      if (forgotten) rows.get(forgotten.record)?.remove()
      if (forgotten) rows.delete(forgotten.record)
      if (fitsFilter(call, bar.filter)) list.prepend(rowOf(call))
      trim()
      tell(shown().length)
    },
    mark(record) {
      markRow(current && rows.get(current), false)
      current = record
      markRow(current && rows.get(current), true)
    },
    begin() {
      calls = []
      kept = []
      current = undefined
      bar.reset()
      listTools()
      draw()
    },
  }
}
