import { h } from '../dom.js'
import { formatCount } from '../format.js'
import { icon } from '../icons.js'
import type { CallFilter } from './past-calls.js'

export interface HistoryBar {
  readonly element: HTMLElement
  readonly filter: CallFilter
  /** Sets the tools of the filter menu. */
  setTools(names: readonly string[]): void
  /** Shows how many of all calls match the filter. */
  setCount(shown: number, all: number): void
  /** Resets the filter. */
  reset(): void
}

export interface HistoryBarOptions {
  readonly onFilter: () => void
  readonly onExport: () => void
  readonly onClear: () => void
}

/** The toolbar of the history: filter, export, clear. */
export function createHistoryBar({ onFilter, onExport, onClear }: HistoryBarOptions): HistoryBar {
  const all = h('option', { value: '' }, 'All tools')
  const tool = h('select', { class: 'input history-tool', 'aria-label': 'Calls of', on: { change: onFilter } }, all)
  const failed = h('input', { type: 'checkbox', class: 'check', on: { change: onFilter } })
  const count = h('span', { class: 'history-count', role: 'status' })
  const element = h(
    'div',
    { class: 'history-bar', role: 'group', 'aria-label': 'History' },
    tool,
    h('label', { class: 'history-failed' }, failed, 'Failed only'),
    count,
    h(
      'button',
      { type: 'button', class: 'button small quiet', title: 'Save the calls that are listed, as JSON', on: { click: onExport } },
      icon('download'),
      'Export',
    ),
    h('button', { type: 'button', class: 'button small quiet', title: 'Empty the list', on: { click: onClear } }, icon('trash'), 'Empty'),
  )
  let names: readonly string[] = []

  return {
    element,
    get filter() {
      return { tool: tool.value === '' ? undefined : tool.value, failed: failed.checked }
    },
    setTools(next) {
      if (next.length === names.length && next.every((name, index) => name === names[index])) return
      names = next
      const chosen = tool.value
      tool.replaceChildren(all, ...next.map((name) => h('option', { value: name }, name)))
      tool.value = next.includes(chosen) ? chosen : ''
    },
    setCount(shown, of) {
      const text = shown === of ? '' : `${formatCount(shown)} of ${formatCount(of)}`
      if (count.textContent !== text) count.textContent = text
    },
    reset() {
      tool.value = ''
      failed.checked = false
    },
  }
}
