import type { BuildMessage, PreviewEvent, SourcePosition } from 'toolport/preview'
import { h, uniqueId } from '../dom.js'
import { plural } from '../format.js'
import { icon } from '../icons.js'
import { visible, visibleNameText } from '../visible.js'

export interface ConsoleList {
  readonly element: HTMLElement
  add(event: PreviewEvent): void
  clear(): void
  dispose(): void
}

export interface ConsoleListOptions {
  readonly relative: (path: string) => string
  readonly onOpenPath: (path: string, line?: number) => void
}

interface Row {
  readonly kind: 'error' | 'warn' | 'note' | 'log'
  readonly text: string
  readonly position?: SourcePosition | undefined
}

const MOST_ROWS = 500
const LONGEST = 10_000
const PACE_MS = 50

const STOPPED = {
  unresponsive: 'The page did not answer and was stopped. Reload it.',
  flood: 'The page sent too many messages and was stopped. Reload it.',
  left: 'The page left the preview and was stopped. Reload it.',
} as const

/** The log messages and errors of the app. Opens automatically with the first error. */
export function createConsoleList({ relative, onOpenPath }: ConsoleListOptions): ConsoleList {
  const list = h('ol', { class: 'preview-log', id: uniqueId('log'), 'aria-label': 'Messages of the app', tabindex: 0, hidden: true })
  const count = h('span', { class: 'preview-count' })
  const toggle = h(
    'button',
    {
      type: 'button',
      class: 'preview-console',
      'aria-controls': list.id,
      'aria-expanded': 'false',
      on: { click: () => show(list.hidden !== false) },
    },
    icon('chevron'),
    'Console',
    count,
  )
  const clearButton = h(
    'button',
    { type: 'button', class: 'button icon-button quiet small', 'aria-label': 'Clear the console', title: 'Clear', on: { click: clear } },
    icon('clear'),
  )
  const element = h('div', { class: 'preview-messages' }, h('div', { class: 'preview-console-head' }, toggle, clearButton), list)
  let waiting: Row[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasOpened = false

  function show(isShown: boolean): void {
    list.hidden = !isShown
    toggle.setAttribute('aria-expanded', String(isShown))
    if (isShown) list.scrollTop = list.scrollHeight
  }

  /** Draws messages in batches, because a program may log without end. */
  function draw(): void {
    timer = undefined
    const isAtEnd = list.scrollTop + list.clientHeight > list.scrollHeight - 40
    list.append(...waiting.slice(-MOST_ROWS).map(rowOf))
    while (list.childElementCount > MOST_ROWS) list.firstChild?.remove()
    if (!hasOpened && waiting.some(({ kind }) => kind === 'error')) {
      hasOpened = true
      show(true)
    }
    waiting = []
    if (isAtEnd) list.scrollTop = list.scrollHeight
    tellCount()
  }

  function tellCount(): void {
    const errors = list.querySelectorAll('.is-error').length
    const rows = list.childElementCount
    count.classList.toggle('has-errors', errors > 0)
    count.textContent = errors > 0 ? plural(errors, 'error') : rows > 0 ? plural(rows, 'message') : ''
  }

  function rowOf({ kind, text, position }: Row): HTMLElement {
    const said = h('span', { class: 'preview-text' }, ...visible(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text))
    return h('li', { class: `is-${kind}` }, said, position && place(position))
  }

  function place({ path, line }: SourcePosition): HTMLElement {
    const short = relative(path)
    const name = `${visibleNameText(short)}:${line}`
    return h('button', { type: 'button', class: 'json-path', title: `Open ${name}`, on: { click: () => onOpenPath(short, line) } }, name)
  }

  function clear(): void {
    waiting = []
    list.replaceChildren()
    hasOpened = false
    tellCount()
  }

  return {
    element,
    add(event) {
      const rows = rowsOf(event)
      if (rows.length === 0) return
      waiting.push(...rows)
      timer ??= setTimeout(draw, PACE_MS)
    },
    clear,
    dispose: () => clearTimeout(timer),
  }
}

function rowsOf(event: PreviewEvent): readonly Row[] {
  switch (event.type) {
    case 'console': {
      const kind = event.level === 'error' || event.level === 'warn' ? event.level : 'log'
      return [{ kind, text: event.text, position: event.position }]
    }
    case 'error':
      return [{ kind: 'error', text: `Uncaught ${event.stack ?? event.message}`, position: event.position }]
    case 'request_failed':
      return [{ kind: 'error', text: `${event.method} ${event.url} failed: ${event.reason}` }]
    case 'blocked':
      return [{ kind: 'error', text: `Blocked ${event.url}: the preview has no network (${event.directive})` }]
    case 'build_failed':
      return event.errors.map((error) => messageRow('error', error))
    case 'built':
      return event.warnings.map((warning) => messageRow('warn', warning))
    case 'stopped':
      return [{ kind: 'error', text: STOPPED[event.reason] }]
    case 'dropped':
      return [{ kind: 'note', text: `${plural(event.count, 'message')} dropped: too many came at once` }]
    case 'changed':
      return event.update === 'page' ? [{ kind: 'note', text: 'Files changed: the page reloads' }] : []
    default:
      return []
  }
}

function messageRow(kind: 'error' | 'warn', { text, file, line = 1, column = 1, code }: BuildMessage): Row {
  const position = file === undefined ? undefined : { path: file, line, column }
  return { kind, text: code === undefined ? text : `${text}\n${code}`, position }
}
