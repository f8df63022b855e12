import type { Session as Job } from 'toolport'
import { iconButton, textButton } from '../button.js'
import type { CallRecord } from '../calls.js'
import { h, uniqueId } from '../dom.js'
import { icon } from '../icons.js'
import { messageOf } from '../notice.js'
import type { Session } from '../session.js'
import { createSplitHandle } from '../split-handle.js'
import type { Loading } from '../while-working.js'
import type { HistoryStore } from './history.js'
import type { createJobView } from './job-view.js'
import { createJobsList, titleOf } from './jobs-list.js'
import { createShellTab, type ShellTab } from './shell-tab.js'
import { createTerminalTabs, type Tab } from './terminal-tabs.js'

export interface TerminalPane {
  readonly element: HTMLElement
  readonly isOpen: boolean
  use(session: Session): void
  /** Updates the working directory after a call. */
  follow(record: CallRecord): void
  /** Opens the pane and loads the terminal on first use. */
  open(): Promise<void>
  /** Opens and focuses the terminal. If it already has the focus, closes it and restores the previous focus. */
  toggle(): Promise<void>
  dispose(): void
}

export interface TerminalPaneOptions {
  readonly history: HistoryStore
  /** Key of the pane's height in the browser's storage. */
  readonly heightKey?: string | undefined
  readonly loading: Loading
  readonly onCall: (record: CallRecord) => Promise<void>
  /** Called when background work may have changed files. */
  readonly onActivity: () => void
  readonly onProblem: (text: string) => void
}

/** Content of a tab. The first terminal cannot be closed. */
interface Place {
  readonly tab: Tab
  readonly shell?: ShellTab
  readonly job?: Job
  focus(): void
  clear(): void
  close(): void
}

/** The terminals below the other panes, collapsed to a bar until opened. `container` is the element that shares its height. */
export function createTerminalPane(container: HTMLElement, options: TerminalPaneOptions): TerminalPane {
  const { history, heightKey, loading, onCall, onActivity, onProblem } = options
  const panels = h('div', { class: 'terminal-panels' })
  const jobs = createJobsList({ onOpen: (job) => void openJob(job), onActivity })
  const body = h('div', { class: 'terminal-body', id: uniqueId('terminal') }, panels, jobs.element)
  const tabs = createTerminalTabs('Terminals')
  const switcher = h(
    'button',
    { type: 'button', class: 'terminal-switch', 'aria-controls': body.id, on: { click: () => void (isOpen() ? shut() : visit()) } },
    icon('chevron'),
    'Terminal',
    h('kbd', { 'aria-hidden': 'true' }, 'Ctrl `'),
  )
  const hint = h('p', { class: 'terminal-hint', id: uniqueId('hint') }, 'Tab completes, Esc Tab leaves', h('span', {}, ', Ctrl C stops'))
  const stop = textButton('Stop', onStop, { icon: 'cross', class: 'small terminal-stop', hidden: true })
  const add = iconButton('New terminal', 'plus', () => void openShell())
  const clear = iconButton('Clear the terminal', 'clear', onClear)
  const close = iconButton('Close this terminal', 'cross', onClose)
  const element = h(
    'section',
    { class: 'pane pane-terminal', 'aria-label': 'Terminal' },
    createSplitHandle(container, 'Room above the terminal', { key: heightKey }),
    h('div', { class: 'pane-head' }, h('h2', {}, switcher), tabs.element, add, hint, stop, clear, close),
    body,
  )

  let session: Session | undefined
  let places: Place[] = []
  let shown: Place | undefined
  /** The element that had the focus before the terminal. */
  let before: Element | null = null
  let count = 0
  const first = addShell()
  show(false)
  shown = first
  first.tab.select()

  function show(open: boolean): void {
    element.classList.toggle('is-open', open)
    switcher.setAttribute('aria-expanded', String(open))
  }

  function isOpen(): boolean {
    return element.classList.contains('is-open')
  }

  async function open(): Promise<void> {
    show(true)
    await shown?.shell?.show()
  }

  async function visit(): Promise<void> {
    before = document.activeElement
    await open()
    shown?.focus()
  }

  /** Closes the pane and moves the focus out of it first. */
  function shut(): void {
    const isInside = (): boolean => body.contains(document.activeElement)
    if (isInside() && before instanceof HTMLElement) before.focus()
    if (isInside()) switcher.focus()
    show(false)
  }

  function addPlace(label: string, panel: HTMLElement, parts: Omit<Place, 'tab'>): Place {
    panels.append(panel)
    const tab = tabs.add({ label, panel, onShow: () => onShow(place) })
    const place: Place = { ...parts, tab }
    places.push(place)
    return place
  }

  function addShell(): Place {
    const shell = createShellTab({ history, hint: hint.id, onBusy: mark, onCall })
    count += 1
    return addPlace(`${count}`, shell.panel, { shell, focus: shell.focus, clear: shell.clear, close: shell.dispose })
  }

  async function openShell(): Promise<void> {
    if (!session) return
    const place = addShell()
    place.shell?.use(session, session.another())
    place.tab.select()
    await open()
    place.focus()
  }

  async function openJob(job: Job): Promise<void> {
    const own = session
    try {
      const { createJobView } = await loading('what it has printed', () => import('./job-view.js'))
      // The user may have switched to another workspace meanwhile.
      if (session !== own) return
      const place = places.find((one) => one.job?.id === job.id) ?? addJob(job, createJobView)
      // Does not take the focus if the user has moved on meanwhile.
      const isHere = document.activeElement === document.body || element.contains(document.activeElement)
      place.tab.select()
      if (isHere) place.focus()
    } catch (error) {
      onProblem(`What it has printed could not be loaded: ${messageOf(error)}`)
    }
  }

  function addJob(job: Job, createView: typeof createJobView): Place {
    const host = h('div', { class: 'terminal-host' })
    const panel = h('div', { class: 'terminal-panel' }, host)
    panels.append(panel)
    const view = createView(host, job)
    void job.exited.then(mark)
    return addPlace(titleOf(job), panel, { job, focus: view.focus, clear: view.clear, close: view.dispose })
  }

  function onShow(place: Place): void {
    shown = place
    if (isOpen()) void place.shell?.show()
    mark()
  }

  /** Updates the buttons for the shown tab. */
  function mark(): void {
    const runs = shown?.shell ? shown.shell.isBusy : shown?.job?.info.state === 'running'
    stop.hidden = !runs
    close.hidden = shown === places[0]
  }

  function onStop(): void {
    shown?.shell?.stop()
    void shown?.job?.stop().then(mark)
    shown?.focus()
  }

  function onClear(): void {
    shown?.clear()
    shown?.focus()
  }

  function onClose(): void {
    if (shown) leave(shown)
    places[0]?.tab.select()
    shown?.focus()
  }

  /** Closes a tab. Its foreground command stops; background jobs continue. */
  function leave(place: Place): void {
    places = places.filter((one) => one !== place)
    place.close()
    place.tab.remove()
  }

  function use(next: Session): void {
    session = next
    for (const place of places.slice(1)) leave(place)
    count = 1
    first.shell?.use(next, next.standard)
    jobs.use(next.runtime.sessions)
    first.tab.select()
  }

  return {
    element,
    get isOpen() {
      return isOpen()
    },
    use,
    follow: (record) => first.shell?.follow(record),
    open,
    toggle: async () => (isOpen() && body.contains(document.activeElement) ? shut() : visit()),
    dispose() {
      jobs.dispose()
      for (const place of places) place.close()
    },
  }
}
