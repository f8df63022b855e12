import { type ToolResult, toModelText } from 'toolport'
import { type CallRecord, callJson, statusOf } from '../calls.js'
import { copyButton } from '../copy-button.js'
import { h } from '../dom.js'
import { formatCount, formatDuration, plural } from '../format.js'
import { createTabs } from '../tabs.js'
import { renderHistory } from './history.js'
import { type JsonTreeOptions, renderJson } from './json-tree.js'
import { renderModelView } from './model-view.js'

export interface ResultPane {
  readonly element: HTMLElement
  /** Shows a call and its result; undefined: the state before the first one. */
  show(record: CallRecord | undefined): void
  setHistory(records: readonly CallRecord[]): void
}

export interface ResultPaneOptions extends JsonTreeOptions {
  readonly onLoad: (record: CallRecord) => void
}

/** The result as data and as the model reads it, the call itself, and the calls before it. */
export function createResultPane(options: ResultPaneOptions): ResultPane {
  const [data, model, call, history] = [panel(), panel(), panel(), panel()]
  const tabs = createTabs('Result', [
    { label: 'Data', panel: data },
    { label: 'As the model reads it', panel: model },
    { label: 'Call', panel: call },
    { label: 'History', panel: history, class: 'tab-last' },
  ])
  const line = h('div', { class: 'result-outcome', role: 'status' })
  const bar = h('div', { class: 'result-line' }, line, copyButton('Copy what is shown', shownText))
  const element = h('section', { class: 'result', 'aria-label': 'Result' }, tabs.list, bar, data, model, call, history)
  let current: CallRecord | undefined
  let records: readonly CallRecord[] = []

  function drawHistory(): void {
    const label = tabs.tabs.at(-1)
    if (label) label.textContent = records.length ? `History ${formatCount(records.length)}` : 'History'
    history.replaceChildren(renderHistory(records, current, options.onLoad))
  }

  function shownText(): string {
    if (!current) return ''
    if (tabs.selected === 0) return JSON.stringify(current.result, null, 2)
    return tabs.selected === 1 ? toModelText(current.result) : callJson(current)
  }

  function show(record: CallRecord | undefined): void {
    current = record
    drawHistory()
    line.replaceChildren(...(record ? outcome(record) : []))
    bar.hidden = !record
    element.classList.toggle('is-empty', !record)
    if (!record) {
      const empty = (text: string): HTMLElement => h('p', { class: 'empty' }, text)
      data.replaceChildren(empty('Nothing has run yet. Fill in the form, or try an example, and press Run.'))
      model.replaceChildren(empty('The text that a model would get of the result.'))
      call.replaceChildren(empty('The call as an agent would send it.'))
      return
    }
    const { result } = record
    data.replaceChildren(...failure(result), renderJson(result.output, options))
    model.replaceChildren(renderModelView(result))
    call.replaceChildren(h('pre', { class: 'model-text' }, callJson(record)))
    for (const one of [data, model, call]) one.scrollTo(0, 0)
  }

  show(undefined)
  return {
    element,
    show,
    setHistory(next) {
      records = next
      drawHistory()
    },
  }
}

const panel = (): HTMLElement => h('div', { class: 'result-panel' })

function outcome(record: CallRecord): HTMLElement[] {
  const { tool, result, duration } = record
  return [
    h('span', { class: `pill ${result.ok ? 'is-ok' : 'is-failed'}` }, statusOf(record)),
    h('code', {}, tool),
    h('span', { class: 'result-facts' }, `${formatDuration(duration)} · ${plural(toModelText(result).length, 'character')} for the model`),
  ]
}

function failure(result: ToolResult): HTMLElement[] {
  if (result.ok) return []
  const { hint, code } = result.output
  return [
    h(
      'div',
      { class: 'failure' },
      h('p', { class: 'failure-message' }, result.error),
      hint ? h('p', {}, hint) : null,
      h('p', { class: 'failure-code' }, h('code', {}, code)),
    ),
  ]
}
