import { iconButton, textButton } from '../button.js'
import { type CallRecord, outcomeOf, summaryOf } from '../calls.js'
import { h } from '../dom.js'
import { formatCount, formatDuration } from '../format.js'
import { STANDARD } from '../presets/choice.js'
import { saveFile } from '../save-file.js'
import { visible, visibleText } from '../visible.js'
import { callsAsJson, fitsFilter, type PastCall } from './past-calls.js'

export interface History {
  readonly element: HTMLElement
  add(record: CallRecord): void
  /** Marks the shown call. */
  mark(record: CallRecord | undefined): void
  /** Clears the history; this cannot be undone. */
  begin(): void
}

export interface HistoryOptions {
  /** Loads the call into the form and shows its result. */
  readonly onChoose: (record: CallRecord) => void
  /** Repeats the call. */
  readonly onAgain: (record: CallRecord) => void
  /** Called with the number of calls. */
  readonly onCount: (count: number) => void
}

/** Maximum number of calls in the list. Older calls are dropped. */
const MOST = 1000
/** Number of rows drawn at once. A button draws the next ones. */
const PAGE = 100

/** The calls of this session, latest first. A new call adds a row without redrawing the others. */
export function createHistory(options: HistoryOptions): History {
  const anyTool = h('option', { value: '' }, 'All tools')
  const tool = h('select', { class: 'input history-tool', 'aria-label': 'Calls of', on: { change: draw } }, anyTool)
  const failed = h('input', { type: 'checkbox', class: 'check', on: { change: draw } })
  const count = h('span', { class: 'history-count', role: 'status' })
  const bar = h(
    'div',
    { class: 'history-bar', role: 'group', 'aria-label': 'History' },
    tool,
    h('label', { class: 'history-failed' }, failed, 'Failed only'),
    count,
    textButton('Export', save, { icon: 'download', class: 'small quiet', title: 'Save the calls that are listed, as JSON' }),
    textButton('Empty', clear, { icon: 'trash', class: 'small quiet', title: 'Empty the list' }),
  )
  const list = h('ol', { class: 'calls', tabindex: -1, 'aria-label': 'Calls' })
  const more = h('button', { type: 'button', class: 'button small', on: { click: showMore } })
  const nothing = h('p', { class: 'empty' }, 'Calls you make are listed here, to load again.')
  const back = textButton('Take that back', takeBack, { class: 'small' })
  const told = h('p', { role: 'status' })
  const cleared = h('div', { class: 'empty history-cleared' }, told, back)
  const element = h('div', { class: 'history' }, bar, list, more, nothing, cleared)
  const rows = new Map<CallRecord, HTMLElement>()
  /** Newest first. */
  let calls: PastCall[] = []
  /** Calls that were cleared but can still be restored. */
  let kept: PastCall[] = []
  let current: CallRecord | undefined
  let tools: readonly string[] = []
  let room = PAGE
  draw()

  function isWanted(call: PastCall): boolean {
    return fitsFilter(call, { tool: tool.value === '' ? undefined : tool.value, failed: failed.checked })
  }

  function shown(): PastCall[] {
    return calls.filter(isWanted)
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
    bar.hidden = calls.length === 0
    const text = fitting === calls.length ? '' : `${formatCount(fitting)} of ${formatCount(calls.length)}`
    if (count.textContent !== text) count.textContent = text
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
    // The pressed button may have moved or disappeared, so the focus moves to the first new row.
    list.children[from]?.querySelector<HTMLElement>('.past-call')?.focus()
  }

  function listTools(): void {
    const next = [...new Set(calls.map(({ record }) => record.tool))].sort()
    if (next.join() === tools.join()) return
    tools = next
    const chosen = tool.value
    tool.replaceChildren(anyTool, ...next.map((name) => h('option', { value: name }, name)))
    tool.value = next.includes(chosen) ? chosen : ''
  }

  /** Shows all calls again. */
  function resetFilter(): void {
    tool.value = ''
    failed.checked = false
  }

  function save(): void {
    saveFile(callsAsJson(shown()), 'toolport-calls.json')
  }

  function clear(): void {
    kept = calls
    calls = []
    resetFilter()
    listTools()
    told.textContent = `${formatCount(kept.length)} removed from the list. What the calls did stays.`
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

  /** Removes the last row if there are too many rows, unless the last row has the focus. */
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
      if (isWanted(call)) list.prepend(rowOf(call))
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
      resetFilter()
      listTools()
      draw()
    },
  }
}

/** A row of the call history, with a button to repeat the call. */
function historyRow(record: CallRecord, { onChoose, onAgain }: HistoryOptions): HTMLElement {
  const summary = summaryOf(record)
  const { words, isOk } = outcomeOf(record)
  const again = visibleText(`Run ${record.tool} again${summary ? `: ${summary}` : ''}`)
  return h(
    'li',
    {},
    h(
      'button',
      { type: 'button', class: 'past-call', on: { click: () => onChoose(record) } },
      h('span', { class: `dot ${isOk ? 'is-ok' : 'is-failed'}`, 'aria-hidden': 'true' }),
      h(
        'span',
        { class: 'call-tool' },
        h('code', {}, ...visible(record.tool)),
        record.preset === STANDARD ? null : h('span', { class: 'preset-tag' }, record.preset),
      ),
      h('span', { class: 'call-summary' }, ...visible(summary)),
      h('span', { class: 'call-status' }, words),
      h('span', { class: 'call-time' }, formatDuration(record.duration)),
    ),
    iconButton(again, 'run', () => onAgain(record), { class: 'run-again', title: 'Run it again' }),
  )
}

function markRow(row: HTMLElement | undefined, isCurrent: boolean): void {
  const button = row?.querySelector('.past-call')
  if (isCurrent) button?.setAttribute('aria-current', 'true')
  else button?.removeAttribute('aria-current')
}
