import type { CallRecord } from '../calls.js'
import { h, uniqueId } from '../dom.js'
import { icon } from '../icons.js'
import type { Session } from '../session.js'
import { createSplitHandle } from '../split-handle.js'
import { createSessionRunner, type SessionRunner } from './session-runner.js'
import type { TerminalView } from './terminal.js'

export interface TerminalPane {
  readonly element: HTMLElement
  readonly isOpen: boolean
  use(session: Session): void
  /** Tells where a call has left the shell. */
  follow(record: CallRecord): void
  /** Opens it, and loads the terminal the first time. */
  open(): Promise<void>
  /** Opens it and goes there, or closes it. */
  toggle(): Promise<void>
  dispose(): void
}

const GREETING = 'A bash on the files of this page. Try: grep -rl zod src | wc -l'

/** The terminal below the other panes, closed to a bar until it is wanted. `container` is what it shares its height with. */
export function createTerminalPane(container: HTMLElement, onCall: (record: CallRecord) => Promise<void>): TerminalPane {
  const host = h('div', { class: 'terminal-host' })
  const problem = h('p', { class: 'empty', role: 'alert', hidden: true })
  const body = h('div', { class: 'terminal-body', id: uniqueId('terminal') }, host, problem)
  const switcher = h(
    'button',
    { type: 'button', class: 'terminal-switch', 'aria-controls': body.id, on: { click: () => void toggle() } },
    icon('chevron'),
    'Terminal',
    h('kbd', { 'aria-hidden': 'true' }, 'Ctrl `'),
  )
  const hint = h('p', { class: 'terminal-hint', id: uniqueId('hint') }, 'Tab to leave, Ctrl C to stop')
  const stop = h(
    'button',
    { type: 'button', class: 'button small terminal-stop', hidden: true, on: { click: onStop } },
    icon('cross'),
    'Stop',
  )
  const clear = h(
    'button',
    {
      type: 'button',
      class: 'button icon-button quiet small',
      'aria-label': 'Clear the terminal',
      title: 'Clear the terminal',
      on: { click: onClear },
    },
    icon('clear'),
  )
  const element = h(
    'section',
    { class: 'pane pane-terminal', 'aria-label': 'Terminal' },
    createSplitHandle(container, 'Room above the terminal'),
    h('div', { class: 'pane-head' }, h('h2', {}, switcher), hint, stop, clear),
    body,
  )

  let runner: SessionRunner | undefined
  let loading: Promise<void> | undefined
  let view: TerminalView | undefined
  let disposed = false
  show(false)

  function show(open: boolean): void {
    element.classList.toggle('is-open', open)
    switcher.setAttribute('aria-expanded', String(open))
  }

  async function open(): Promise<void> {
    show(true)
    loading ??= load()
    await loading
  }

  async function toggle(): Promise<void> {
    if (element.classList.contains('is-open')) {
      // The focus stays in the page, and is not lost with what is hidden.
      if (body.contains(document.activeElement)) switcher.focus()
      show(false)
      return
    }
    await open()
    view?.focus()
  }

  async function load(): Promise<void> {
    problem.hidden = true
    try {
      const { createTerminal } = await import('./terminal.js')
      if (disposed) return
      view = createTerminal(host, (busy) => {
        stop.hidden = !busy
      })
      host.querySelector('textarea')?.setAttribute('aria-describedby', hint.id)
      // The runner knows already where calls of the form have left the shell.
      if (runner) view.use(runner, GREETING)
    } catch (error) {
      loading = undefined
      problem.textContent = `The terminal could not be loaded: ${error instanceof Error ? error.message : String(error)}`
      problem.hidden = false
    }
  }

  function onStop(): void {
    view?.stop()
    view?.focus()
  }

  function onClear(): void {
    view?.clear()
    view?.focus()
  }

  function use(next: Session): void {
    // What a call of a workspace changed that is not shown any more is not shown either.
    const own = createSessionRunner(next, async (record) => {
      if (runner === own) await onCall(record)
    })
    runner = own
    view?.use(own, GREETING)
  }

  return {
    element,
    get isOpen() {
      return element.classList.contains('is-open')
    },
    use,
    follow: (record) => {
      runner?.follow(record)
      view?.showPrompt()
    },
    open,
    toggle,
    dispose() {
      disposed = true
      view?.dispose()
    },
  }
}
