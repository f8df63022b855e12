import type { Session, Sessions } from 'toolport'
import { iconButton } from '../button.js'
import { h } from '../dom.js'
import { endOf } from './end-of.js'

export interface JobsList {
  readonly element: HTMLElement
  use(sessions: Sessions): void
  dispose(): void
}

export interface JobsListOptions {
  readonly onOpen: (session: Session) => void
  /** Called when a session has started, printed or ended, because it may have changed files. */
  readonly onActivity: () => void
}

/** Maximum length of the last line, characters. */
const LINE = 200
/** Minimum time between updates, milliseconds. */
const PACE = 200

/** The background sessions, newest first, each with its last line of output. Hidden if there are none. */
export function createJobsList({ onOpen, onActivity }: JobsListOptions): JobsList {
  const list = h('ul', { class: 'jobs' })
  const element = h('section', { class: 'terminal-jobs', 'aria-label': 'Background jobs', hidden: true }, h('h3', {}, 'Background'), list)
  const lastLines = new Map<string, string>()
  let silences: (() => void)[] = []
  let known = new Set<string>()
  let sessions: Sessions | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function drawSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      draw()
      onActivity()
    }, PACE)
  }

  function follow(session: Session): void {
    known.add(session.id)
    silences.push(
      session.onOutput(({ text }) => {
        const line = lastLineOf((lastLines.get(session.id) ?? '') + text)
        lastLines.set(session.id, line)
        drawSoon()
      }),
    )
  }

  function draw(): void {
    const all = sessions?.list() ?? []
    for (const session of all) if (!known.has(session.id)) follow(session)
    element.hidden = all.length === 0
    // Keeps the focus on the same button.
    const focused =
      document.activeElement instanceof HTMLElement && list.contains(document.activeElement)
        ? document.activeElement.dataset.key
        : undefined
    list.replaceChildren(...all.map(item))
    if (focused !== undefined) list.querySelector<HTMLElement>(`[data-key="${focused}"]`)?.focus()
  }

  function item(session: Session): HTMLElement {
    const { id, info } = session
    const runs = info.state === 'running'
    const line = (lastLines.get(id) ?? '').trim()
    const state = endOf(session)
    return h(
      'li',
      { class: `job is-${info.state}${!runs && info.exitCode !== 0 ? ' is-failed' : ''}` },
      h(
        'button',
        { type: 'button', class: 'job-open', 'data-key': `open-${id}`, title: info.command, on: { click: () => onOpen(session) } },
        h('span', { class: 'job-name' }, titleOf(session)),
        h('span', { class: 'job-state' }, state),
        line !== '' && h('span', { class: 'job-line' }, line),
      ),
      runs && iconButton(`Stop ${titleOf(session)}`, 'cross', () => void session.stop(), { 'data-key': `stop-${id}`, title: 'Stop' }),
    )
  }

  function leave(): void {
    clearTimeout(timer)
    timer = undefined
    for (const silence of silences) silence()
    silences = []
    known = new Set()
    lastLines.clear()
  }

  return {
    element,
    use(next) {
      leave()
      sessions = next
      silences.push(next.onChange(drawSoon))
      draw()
    },
    dispose: leave,
  }
}

/** Default names of sessions. */
const UNNAMED: readonly string[] = ['background-bash', 'background-js']

/** The session's own name, or else its command. */
export function titleOf({ info: { name, command } }: Session): string {
  return UNNAMED.includes(name) ? command : name
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is left out.
const SEQUENCE = /\u001b(?:\[[0-9;?]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|.)/g

/** The last non-empty line. Drops the text before it. */
function lastLineOf(text: string): string {
  const lines = text
    .slice(-4 * LINE)
    .replaceAll(SEQUENCE, '')
    .split(/\r?\n|\r/)
  const last = lines.at(-1) ?? ''
  const shown = last.trim() === '' ? (lines.findLast((line) => line.trim() !== '') ?? '') : last
  // An incomplete line continues with the next output.
  return last.trim() === '' ? `${shown.slice(-LINE)}\n` : shown.slice(-LINE)
}
