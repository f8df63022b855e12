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
  /** Which call is shown. */
  mark(record: CallRecord | undefined): void
  /** Begins anew: nothing can be taken back. */
  begin(): void
}

export interface HistoryOptions extends HistoryRowOptions {
  /** How many calls there are. */
  readonly onCount: (count: number) => void
}

/** Older calls are forgotten. */
const MOST = 1000
/** Rows drawn at once; a button brings the next ones. */
const PAGE = 100

/** The calls of this session, the latest first. A new one adds a row, and leaves the others as they are. */
export function createHistory(options: HistoryOptions): History {
  const bar = createHistoryBar({ onFilter: draw, onExport: save, onClear: clear })
  const list = h('ol', { class: 'calls', tabindex: -1, 'aria-label': 'Calls' })
  const more = h('button', { type: 'button', class: 'button small', on: { click: showMore } })
  const nothing = h('p', { class: 'empty' }, 'Calls you make are listed here, to load again.')
  const back = h('button', { type: 'button', class: 'button small', on: { click: takeBack } }, 'Take that back')
  const cleared = h('div', { class: 'empty history-cleared' }, h('p', { role: 'status' }), back)
  const element = h('div', { class: 'history' }, bar.element, list, more, nothing, cleared)
  const rows = new Map<CallRecord, HTMLElement>()
  /** The newest first. */
  let calls: PastCall[] = []
  /** Emptied, and not yet forgotten. */
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

  /** All of it anew: what is shown is another choice. */
  function draw(): void {
    room = PAGE
    rows.clear()
    const fitting = shown()
    list.replaceChildren(...fitting.slice(0, room).map(rowOf))
    tell(fitting.length)
  }

  /** What stands around the rows. */
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
    // The button may be gone, or further down: whoever works with keys goes on at the first of the new ones.
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

  /** No more rows than there is room for, unless somebody is there. */
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
