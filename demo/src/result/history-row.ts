import { type CallRecord, outcomeOf, summaryOf } from '../calls.js'
import { h } from '../dom.js'
import { formatDuration } from '../format.js'
import { icon } from '../icons.js'
import { STANDARD } from '../presets/choice.js'
import { visible, visibleText } from '../visible.js'

export interface HistoryRowOptions {
  /** Loads the call into the form and shows its result. */
  readonly onChoose: (record: CallRecord) => void
  /** Repeats the call. */
  readonly onAgain: (record: CallRecord) => void
}

/** A row of the call history, with a button to repeat the call. */
export function historyRow(record: CallRecord, { onChoose, onAgain }: HistoryRowOptions): HTMLElement {
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
    h(
      'button',
      {
        type: 'button',
        class: 'button icon-button quiet small run-again',
        'aria-label': again,
        title: 'Run it again',
        on: { click: () => onAgain(record) },
      },
      icon('run'),
    ),
  )
}

export function markRow(row: HTMLElement | undefined, isCurrent: boolean): void {
  const button = row?.querySelector('.past-call')
  if (isCurrent) button?.setAttribute('aria-current', 'true')
  else button?.removeAttribute('aria-current')
}
