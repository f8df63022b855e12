import type { Session as Job } from 'toolport'
import type { CallRecord } from '../calls.js'
import { h, uniqueId } from '../dom.js'
import { type IconName, icon } from '../icons.js'
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
  /** Tells where a call has left the shell. */
  follow(record: CallRecord): void
  /** Opens it, and loads the terminal the first time. */
  open(): Promise<void>
  /** Goes there, and opens it if need be. From there it closes it, and goes back. */
  toggle(): Promise<void>
  dispose(): void
}

export interface TerminalPaneOptions {
  readonly history: HistoryStore
  /** Where the browser keeps how high it is. */
  readonly heightKey?: string | undefined
  readonly loading: Loading
  readonly onCall: (record: CallRecord) => Promise<void>
  /** Something that runs in the background may have changed files. */
  readonly onActivity: () => void
  readonly onProblem: (text: string) => void
}

/** What a tab shows. The first terminal always stays. */
interface Place {
  readonly tab: Tab
  readonly shell?: ShellTab
  readonly job?: Job
  focus(): void
  clear(): void
  close(): void
}

/** The terminals below the other panes, closed to a bar until they are wanted. `container` is what they share the height with. */
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
  const stop = h(
    'button',
    { type: 'button', class: 'button small terminal-stop', hidden: true, on: { click: onStop } },
    icon('cross'),
    'Stop',
  )
  const add = headButton('New terminal', 'plus', () => void openShell())
  const clear = headButton('Clear the terminal', 'clear', onClear)
  const close = headButton('Close this terminal', 'cross', onClose)
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
  /** Where one was before one came here. */
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

  /** The focus stays in the page, and is not lost with what is hidden. */
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
      // Another workspace may be open by now.
      if (session !== own) return
      const place = places.find((one) => one.job?.id === job.id) ?? addJob(job, createJobView)
      // Whoever has gone on elsewhere meanwhile stays there.
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

  /** The buttons are those of what is shown. */
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

  /** What runs in a terminal is stopped with it; a job goes on. */
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

function headButton(label: string, name: IconName, onClick: () => void): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: 'button icon-button quiet small', 'aria-label': label, title: label, on: { click: onClick } },
    icon(name),
  )
}
