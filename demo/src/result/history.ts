import { type CallRecord, statusOf, summaryOf } from '../calls.js'
import { h } from '../dom.js'
import { formatDuration } from '../format.js'
import { STANDARD } from '../presets/choice.js'

/** The calls of this session, the latest first. */
export function renderHistory(
  records: readonly CallRecord[],
  current: CallRecord | undefined,
  onChoose: (record: CallRecord) => void,
): HTMLElement {
  if (records.length === 0) return h('p', { class: 'empty' }, 'Calls you make are listed here, to load again.')
  const rows = records.map((record) =>
    h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          class: 'past-call',
          'aria-current': record === current ? 'true' : undefined,
          on: { click: () => onChoose(record) },
        },
        h('span', { class: `dot ${record.result.ok ? 'is-ok' : 'is-failed'}`, 'aria-hidden': 'true' }),
        h(
          'span',
          { class: 'call-tool' },
          h('code', {}, record.tool),
          record.preset === STANDARD ? null : h('span', { class: 'preset-tag' }, record.preset),
        ),
        h('span', { class: 'call-summary' }, summaryOf(record)),
        h('span', { class: 'call-status' }, statusOf(record)),
        h('span', { class: 'call-time' }, formatDuration(record.duration)),
      ),
    ),
  )
  return h('ol', { class: 'calls' }, ...rows)
}
