import { isRecord } from '../../ops/is-record.js'
import type { PreviewReport, PreviewSnapshot } from '../../types/preview.js'
import type { Positions } from './positions.js'
import type { ClientReport, RawPlace } from './protocol.js'

const MOST_TEXT = 10_100
const LEVELS = new Set(['debug', 'log', 'info', 'warn', 'error'])

/**
 * Reads a report of the page: checks each field, and maps places in scripts to workspace files. Returns undefined for an invalid report.
 * The app can forge reports.
 */
export async function readReport(value: unknown, positions: Positions): Promise<PreviewReport | undefined> {
  const report = checked(value)
  if (report?.type === 'console') {
    const { position } = await positions.stack(report.stack)
    return { type: 'console', level: report.level, text: report.text, ...(position && { position }) }
  }
  if (report?.type !== 'error') return report
  const stack = await positions.stack(report.stack)
  const position = stack.position ?? (report.place && (await positions.locate(report.place)))
  return {
    type: 'error',
    kind: report.kind,
    message: report.message,
    ...(stack.text && { stack: stack.text }),
    ...(position && { position }),
  }
}

/** Reads a snapshot of the page. Replaces invalid fields and shortens long ones, because the app can forge snapshots. */
export function readSnapshot(value: unknown): PreviewSnapshot {
  const { url, title, text: shown, outline } = isRecord(value) ? value : {}
  return { url: text(url), title: text(title), text: text(shown, MOST_TEXT * 2), outline: text(outline, MOST_TEXT * 2) }
}

function checked(value: unknown): ClientReport | undefined {
  if (!isRecord(value)) return undefined
  const { type, url, title, level, stack, kind, message, place, method, status, reason, directive, count } = value
  if (type === 'loaded') return { type, url: text(url), title: text(title) }
  if (type === 'navigated') return { type, url: text(url) }
  if (type === 'console' && LEVELS.has(level as string)) {
    return { type, level: level as 'log', text: text(value.text), stack: text(stack) }
  }
  if (type === 'error' && (kind === 'uncaught' || kind === 'rejection')) {
    const raw = readPlace(place)
    return { type, kind, message: text(message), stack: text(stack), ...(raw && { place: raw }) }
  }
  if (type === 'request_failed') {
    return { type, method: text(method, 20), url: text(url), reason: text(reason), ...(whole(status) && { status }) }
  }
  if (type === 'blocked') return { type, url: text(url), directive: text(directive, 100) }
  return type === 'dropped' && whole(count) ? { type, count } : undefined
}

function readPlace(value: unknown): RawPlace | undefined {
  if (!isRecord(value)) return undefined
  const { url, line, column } = value
  return whole(line) && whole(column) ? { url: text(url), line, column } : undefined
}

const text = (value: unknown, most = MOST_TEXT): string => (typeof value === 'string' ? value.slice(0, most) : '')
const whole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
