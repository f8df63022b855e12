import type { BuildMessage, PreviewEvent, SourcePosition } from '../../types/preview.js'
import { cleanText } from '../web/sanitize.js'

/** What `open_preview` and `read_preview` return. */
export interface PreviewOutput {
  /** Whether a page has loaded: since the call began, or before if nothing changed. */
  readonly loaded: boolean
  readonly url?: string
  readonly title?: string
  readonly text?: string
  readonly outline?: string
  /** Why `text` and `outline` are absent. */
  readonly note?: string
  readonly events: readonly PreviewEvent[]
  /** Number of events that the log no longer holds, or that this result omits. */
  readonly missed: number
  readonly next: number
  /** Media type of the picture that accompanies this result. */
  readonly picture?: string
}

const LONGEST = 20_000

/** Renders the result: the messages, then the page. */
export function renderPage({ loaded, url, title, text, outline, note, events, missed }: PreviewOutput): string {
  const messages = events.flatMap(renderEvent)
  return [
    loaded ? `${clean(url ?? 'The page')}${title ? ` ${JSON.stringify(clean(title))}` : ''}` : 'The page has not loaded.',
    ...(note === undefined ? [] : [clean(note)]),
    ...(missed > 0 ? [`[${missed} earlier messages are not listed]`] : []),
    ...(messages.length === 0 ? ['No messages.'] : messages),
    ...section('Visible text', text),
    ...section('Outline', outline),
  ].join('\n')
}

function section(name: string, text: string | undefined): readonly string[] {
  if (text === undefined) return []
  return ['', `${name}:`, clean(text) || '(none)']
}

/** Renders the lines of one event. No lines for an event that only reports how the page loads. */
function renderEvent(event: PreviewEvent): readonly string[] {
  switch (event.type) {
    case 'console':
      return [`[console.${event.level}] ${clean(event.text)}${at(event.position)}`]
    case 'error':
      return [
        `[${event.kind === 'rejection' ? 'unhandled rejection' : 'uncaught error'}] ${clean(event.message)}${at(event.position)}`,
        ...(event.stack ? [indented(clean(event.stack))] : []),
      ]
    case 'request_failed':
      return [`[request failed] ${clean(event.method)} ${clean(event.url)}: ${clean(event.reason)}`]
    case 'blocked':
      return [`[blocked by ${clean(event.directive)}] ${clean(event.url)}`]
    case 'build_failed':
      return renderMessages('build error', event.errors)
    case 'built':
      return renderMessages('build warning', event.warnings)
    case 'stopped':
      return [`[stopped] ${STOPPED[event.reason]}`]
    case 'dropped':
      return [`[${event.count} messages were dropped: the page sent too many at once]`]
    default:
      return []
  }
}

const STOPPED = {
  unresponsive: 'The page did not answer. Look for an endless loop, then open the preview again.',
  flood: 'The page sent too many messages. Open the preview again.',
  left: 'The page went to an address outside the preview. Open the preview again.',
}

/** Renders errors or warnings of a build, with their source lines. */
export function renderMessages(name: string, messages: readonly BuildMessage[]): readonly string[] {
  return messages.flatMap(({ text, file, line, column, code }) => [
    `[${name}] ${clean(text)}${file === undefined ? '' : at({ path: file, line: line ?? 1, column: column ?? 1 })}`,
    ...(code === undefined ? [] : [indented(clean(code))]),
  ])
}

const at = (position: SourcePosition | undefined): string =>
  position ? ` (${clean(position.path)}:${position.line}:${position.column})` : ''

const indented = (text: string): string => text.replace(/^/gm, '    ')

const clean = (text: string): string => cleanText(text, LONGEST)
