import { createRuntime, searchTools, type ToolRuntime } from 'toolport'
import { iconButton, textButton } from '../button.js'
import { h } from '../dom.js'
import { messageOf } from '../notice.js'
import type { Session, Snapshot } from '../session.js'
import { ToolFailed } from './files.js'
import type { Query } from './query.js'
import { createResultList } from './result-list.js'
import { createSearchForm } from './search-form.js'
import { type SearchRun, startSearch } from './search-run.js'
import { FILE_KEYS } from './shortcuts.js'
import { countOf, emptyOf, footOf, refusalOf, stateOf } from './words.js'

export interface SearchView {
  readonly element: HTMLElement
  /** Switches to another workspace and repeats the search there. */
  use(session: Session): void
  /** Call after each snapshot of the workspace. */
  seen(snapshot: Pick<Snapshot, 'revision' | 'files'>): void
  /** Focuses the search text. If `text` is given, searches for it. */
  focus(text?: string): void
  dispose(): void
}

export interface SearchViewOptions {
  readonly onOpen: (path: string, line: number) => void
  /** Called when the user presses Escape. */
  readonly onLeave: () => void
  /** Called when the user wants to find a file by name. */
  readonly onGoToFile: () => void
}

/** The search whose results are shown. */
interface Last {
  readonly query: Query
  readonly run: SearchRun
  /** Revision of the workspace when the search began. Undefined: not known yet. */
  revision: number | undefined
}

/** Debounce after typing, milliseconds. */
const TYPING_MS = 150

/** Searches the text of all files with the tools of the workspace, and shows results as they arrive. */
export function createSearchView({ onOpen, onLeave, onGoToFile }: SearchViewOptions): SearchView {
  const form = createSearchForm({ onChange, onBelow: () => results.focus() })
  const results = createResultList({ onOpen, onAbove: () => form.focus() })
  const count = h('p', { class: 'search-count' })
  const told = h('p', { class: 'visually-hidden', role: 'status' })
  const stop = textButton('Stop', stopHere, { class: 'small', hidden: true })
  const again = iconButton('Search again', 'reset', search)
  const close = iconButton('Close all files', 'collapse', results.closeAll)
  const state = h('div', { class: 'search-state' }, count, stop, again, close)
  const bar = h('progress', { class: 'search-progress', 'aria-label': 'Searching', hidden: true })
  const stale = h(
    'p',
    { class: 'search-stale', hidden: true },
    'Files have changed since. ',
    textButton('Search again', searchAgain, { class: 'small' }),
  )
  const empty = h('div', { class: 'empty' })
  const foot = h('p', { class: 'pane-foot' })
  const element = h('div', { class: 'search', on: { keydown: onKey } }, form.element, state, bar, stale, results.element, empty, foot, told)
  const goToFile = h(
    'button',
    { type: 'button', class: 'button small', 'aria-keyshortcuts': FILE_KEYS.aria, on: { click: onGoToFile } },
    'Open a file by its name',
    h('kbd', { 'aria-hidden': 'true' }, FILE_KEYS.shown),
  )

  let runtime: ToolRuntime | undefined
  let last: Last | undefined
  /** The last known state of the workspace. Undefined: not known yet. */
  let workspace: Pick<Snapshot, 'revision' | 'files'> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function onChange(isTyped: boolean): void {
    // The old results no longer match the query.
    forget()
    draw()
    if (isTyped) timer = setTimeout(search, TYPING_MS)
    else search()
  }

  function forget(): void {
    clearTimeout(timer)
    last?.run.stop()
    last = undefined
    results.clear()
    form.tell()
  }

  function search(): void {
    forget()
    const { query } = form
    if (runtime && query.text !== '') last = begin(runtime, query)
    draw()
  }

  function begin(own: ToolRuntime, query: Query): Last {
    const run = startSearch(own, query, {
      onFound: results.add,
      onChange() {
        if (run.state === 'failed') tellProblem(run.problem)
        draw()
        if (run.state === 'done') tell()
      },
    })
    return { query, run, revision: workspace?.revision }
  }

  function searchAgain(): void {
    search()
    // The button that had the focus has disappeared.
    again.focus()
  }

  function stopHere(): void {
    last?.run.stop()
    draw()
    tell()
  }

  function tellProblem(problem: unknown): void {
    const text = messageOf(problem)
    if (problem instanceof ToolFailed && problem.tool === 'glob') form.tell({ about: 'files', text })
    else form.tell({ about: 'text', text: refusalOf(form.query, text) })
  }

  /** Announces the outcome to screen readers. A running search announces nothing. */
  function tell(): void {
    const parts = [count, ...empty.querySelectorAll('strong, p'), ...foot.children]
    told.textContent = parts.flatMap(({ textContent }) => textContent || []).join(' ')
  }

  function draw(): void {
    const run = last?.run
    const isWaiting = run?.state === 'running' && run.isSlow
    const notes = run ? footOf(run) : []
    count.textContent = run ? stateOf(run, countOf(results.count, results.files.length)) : ''
    if (!isWaiting && document.activeElement === stop) form.focus()
    stop.hidden = bar.hidden = !isWaiting
    again.hidden = run === undefined
    close.hidden = results.count === 0
    state.hidden = run === undefined || (run.state === 'failed' && results.count === 0)
    stale.hidden = run === undefined || run.state === 'running' || last?.revision === workspace?.revision
    results.element.setAttribute('aria-busy', String(run?.state === 'running'))
    foot.replaceChildren(...notes.map((note) => h('span', {}, note)))
    foot.hidden = notes.length === 0
    drawEmpty()
  }

  function drawEmpty(): void {
    if (workspace?.files === 0 && results.count === 0) showEmpty('Nothing to search', 'There are no files yet.')
    else if (last?.run.state === 'done' && results.count === 0) showEmpty(...emptyOf(last.query, last.run))
    else if (form.query.text !== '') showEmpty()
    else showEmpty('Search in all files', 'Text that is saved, by the tools grep and glob.', goToFile)
  }

  function showEmpty(heading?: string, text = '', action?: HTMLElement): void {
    empty.hidden = heading === undefined
    // Replacing the button would drop its focus.
    if (action && empty.contains(action)) return
    empty.replaceChildren(h('strong', {}, heading ?? ''), h('p', {}, text), ...(action ? [action] : []))
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.isComposing) return
    event.preventDefault()
    onLeave()
  }

  draw()
  return {
    element,
    use(session) {
      workspace = undefined
      runtime = createRuntime({ workspace: session.workspace, tools: searchTools(), limits: { outputBytes: WHOLE } })
      search()
    },
    seen({ revision, files }) {
      workspace = { revision, files }
      if (last) last.revision ??= revision
      draw()
    },
    focus(text) {
      const isOther = text !== undefined && text !== form.query.text
      form.focus(text)
      if (isOther) search()
    },
    dispose: forget,
  }
}

/** No model reads these results, so the tools must not shorten them. */
const WHOLE = 2 ** 40
