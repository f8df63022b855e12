import { type ToolResult, toModelText } from 'toolport'
import { type CallRecord, callJson, outcomeOf } from '../calls.js'
import { copyButton } from '../copy-button.js'
import { h } from '../dom.js'
import { formatCount, formatDuration, plural } from '../format.js'
import { STANDARD } from '../presets/choice.js'
import { createTabs } from '../tabs.js'
import { visible } from '../visible.js'
import { createHistory } from './history.js'
import { type JsonTreeOptions, renderJson } from './json-tree.js'
import { renderModelView } from './model-view.js'

export interface ResultPane {
  readonly element: HTMLElement
  /** Shows a call and its result. Undefined: the initial state. */
  show(record: CallRecord | undefined): void
  /** Adds a call to the history. */
  list(record: CallRecord): void
  /** Resets the pane and the history. */
  begin(): void
  /** Focuses the selected tab. */
  focus(): void
}

export interface ResultPaneOptions extends JsonTreeOptions {
  readonly onLoad: (record: CallRecord) => void
  readonly onAgain: (record: CallRecord) => void
}

/** Shows the result as data, as the model reads it and in the wire format, the call itself, and earlier calls. */
export function createResultPane(options: ResultPaneOptions): ResultPane {
  const [data, model, wire, call, past] = [panel(), panel(), panel(), panel(), panel()]
  const tabs = createTabs('Result', [
    { label: 'Data', panel: data },
    { label: 'As the model reads it', panel: model },
    { label: 'Wire', panel: wire },
    { label: 'Call', panel: call },
    { label: 'History', panel: past, class: 'tab-last' },
  ])
  const line = h('div', { class: 'result-outcome', role: 'status' })
  const bar = h('div', { class: 'result-line' }, line, copyButton('Copy what is shown', shownText))
  const element = h('section', { class: 'result', 'aria-label': 'Result' }, tabs.list, bar, data, model, wire, call, past)
  const history = createHistory({
    onChoose: options.onLoad,
    onAgain: options.onAgain,
    onCount(count) {
      const label = tabs.tabs.at(-1)
      if (label) label.textContent = count ? `History ${formatCount(count)}` : 'History'
    },
  })
  past.append(history.element)
  let current: CallRecord | undefined

  function shownText(): string {
    if (!current) return ''
    if (tabs.selected === 0) return JSON.stringify(current.result, null, 2)
    if (tabs.selected === 1) return toModelText(current.result)
    return tabs.selected === 2 ? JSON.stringify(current.wire, null, 2) : callJson(current)
  }

  function show(record: CallRecord | undefined): void {
    current = record
    history.mark(record)
    line.replaceChildren(...(record ? outcome(record) : []))
    bar.hidden = !record
    element.classList.toggle('is-empty', !record)
    if (!record) {
      const empty = (text: string): HTMLElement => h('p', { class: 'empty' }, text)
      data.replaceChildren(empty('Nothing has run yet. Fill in the form, or try an example, and press Run.'))
      model.replaceChildren(empty('The text that a model would get of the result.'))
      wire.replaceChildren(empty('The result in the shape that the preset gives it.'))
      call.replaceChildren(empty('The call as an agent would send it.'))
      return
    }
    const { result } = record
    data.replaceChildren(...failure(result), renderJson(result.output, options))
    model.replaceChildren(renderModelView(result))
    wire.replaceChildren(h('p', { class: 'note wire-note' }, wireNote(record)), renderJson(record.wire, options))
    call.replaceChildren(...longPre(callJson(record)))
    for (const one of [data, model, wire, call]) one.scrollTo(0, 0)
  }

  show(undefined)
  return {
    element,
    show,
    list: history.add,
    begin() {
      history.begin()
      show(undefined)
    },
    focus: () => tabs.tabs[tabs.selected]?.focus(),
  }
}

/** Maximum number of characters shown, because laying out more would freeze the page. */
const SHOWN = 200_000

function longPre(text: string): HTMLElement[] {
  const note = text.length > SHOWN ? [h('p', { class: 'note' }, 'Only the beginning is shown here.')] : []
  return [h('pre', { class: 'model-text' }, ...visible(text.slice(0, SHOWN))), ...note]
}

function wireNote({ preset, result, wire }: CallRecord): string {
  return wire === result
    ? `The preset ${preset} has no shape of its own: this is the result as the runtime gives it.`
    : `The result in the shape of ${preset}: what toWire makes of it.`
}

const panel = (): HTMLElement => h('div', { class: 'result-panel' })

function outcome(record: CallRecord): HTMLElement[] {
  const { preset, tool, result, duration } = record
  const { words, isOk } = outcomeOf(record)
  return [
    h('span', { class: `pill ${isOk ? 'is-ok' : 'is-failed'}` }, words),
    h('code', {}, tool),
    ...(preset === STANDARD ? [] : [h('span', { class: 'preset-tag' }, preset)]),
    h('span', { class: 'result-facts' }, `${formatDuration(duration)} · ${plural(toModelText(result).length, 'character')} for the model`),
  ]
}

function failure(result: ToolResult): HTMLElement[] {
  if (result.ok) return []
  const { hint, code, status } = result.output
  return [
    h(
      'div',
      { class: 'failure' },
      h('p', { class: 'failure-message' }, ...visible(result.error)),
      hint ? h('p', {}, ...visible(hint)) : null,
      h(
        'p',
        { class: 'failure-code' },
        h('code', {}, code),
        // The result of a denied call consists only of this text.
        status === 'denied' && ' · Denied: the model reads these words.',
      ),
    ),
  ]
}
