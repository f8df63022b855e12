import { type CallRecord, statusOf, summaryOf } from '../calls.js'
import { h } from '../dom.js'
import { formatDuration } from '../format.js'
import { icon } from '../icons.js'
import { STANDARD } from '../presets/choice.js'
import { visible, visibleText } from '../visible.js'

export interface HistoryRowOptions {
  /** Loads the call into the form, and shows what came of it. */
  readonly onChoose: (record: CallRecord) => void
  /** Makes the same call again. */
  readonly onAgain: (record: CallRecord) => void
}

/** What a command that ran has failed with; undefined: it has not. */
function exitOf({ result }: CallRecord): number | undefined {
  const output: unknown = result.ok ? result.output : undefined
  const code = typeof output === 'object' && output !== null && 'exit_code' in output ? output.exit_code : 0
  return typeof code === 'number' && code !== 0 ? code : undefined
}

/** One call of the history, to be looked at and to be made again. */
export function historyRow(record: CallRecord, { onChoose, onAgain }: HistoryRowOptions): HTMLElement {
  const summary = summaryOf(record)
  const exit = exitOf(record)
  const again = visibleText(`Run ${record.tool} again${summary ? `: ${summary}` : ''}`)
  return h(
    'li',
    {},
    h(
      'button',
      { type: 'button', class: 'past-call', on: { click: () => onChoose(record) } },
      h('span', { class: `dot ${record.result.ok && exit === undefined ? 'is-ok' : 'is-failed'}`, 'aria-hidden': 'true' }),
      h(
        'span',
        { class: 'call-tool' },
        h('code', {}, ...visible(record.tool)),
        record.preset === STANDARD ? null : h('span', { class: 'preset-tag' }, record.preset),
      ),
      h('span', { class: 'call-summary' }, ...visible(summary)),
      h('span', { class: 'call-status' }, exit === undefined ? statusOf(record) : `exit ${exit}`),
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
