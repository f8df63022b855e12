import { h } from '../dom.js'
import { messageOf } from '../notice.js'
import type { Session, Snapshot } from '../session.js'
import type { Loading } from '../while-working.js'
import type { QuickOpen } from './quick-open.js'
import type { SearchView } from './search-view.js'
import { IS_MAC } from './shortcuts.js'

export interface LateSearch {
  /** What the pane shows of it. */
  readonly element: HTMLElement
  use(session: Session): void
  /** The workspace has been looked at. */
  seen(snapshot: Snapshot): void
  /** A file is shown: it is among the first to be offered. */
  opened(path: string): void
  /** Its place is shown: what is in it is loaded. `isWanted`: somebody wants to type. */
  shown(isWanted?: boolean): void
  /** Asks for a file by its name. */
  goToFile(): Promise<void>
  dispose(): void
}

export interface LateSearchOptions {
  /** Holds the dialog that asks for a file. */
  readonly host: HTMLElement
  readonly loading: Loading
  /** Shows the place of `element`. */
  readonly onShow: () => void
  /** Escape: back to where one was. */
  readonly onLeave: () => void
  readonly onOpen: (path: string, line?: number) => void
  /** Opens a file to work in it. */
  readonly onGo: (path: string, line?: number) => void
}

interface Loaded {
  readonly view: SearchView
  readonly quickOpen: QuickOpen
}

const MOST_RECENT = 20
/** A longer choice is not what is looked for. */
const LONGEST_CHOICE = 200

/** The search, and the keys that call for it from anywhere. Its own parts are loaded when it is first wanted. */
export function createLateSearch({ host, loading: whileLoading, onShow, onLeave, onOpen, onGo }: LateSearchOptions): LateSearch {
  const element = h('div', { class: 'search-place' })
  let session: Session | undefined
  let snapshot: Snapshot | undefined
  let recent: readonly string[] = []
  let loading: Promise<Loaded> | undefined
  let parts: Loaded | undefined
  let isDisposed = false
  // Before an editor or a terminal takes them.
  document.addEventListener('keydown', onKey, true)

  async function load(): Promise<Loaded> {
    const [{ createSearchView }, { createQuickOpen }] = await Promise.all([import('./search-view.js'), import('./quick-open.js')])
    const view = createSearchView({ onOpen, onLeave, onGoToFile: () => void goToFile() })
    element.replaceChildren(view.element)
    if (session) view.use(session)
    if (snapshot) view.seen(snapshot)
    parts = { view, quickOpen: createQuickOpen({ host, onGo }) }
    return parts
  }

  /** Undefined where it cannot be loaded, which its place says. The next call tries again. */
  async function loaded(): Promise<Loaded | undefined> {
    if (!loading) element.replaceChildren(h('p', { class: 'empty' }, 'Loading the search…'))
    loading ??= load()
    try {
      const all = await loading
      return isDisposed ? undefined : all
    } catch (error) {
      loading = undefined
      const again = h('button', { type: 'button', class: 'button small', on: { click: () => void loaded() } }, 'Try again')
      element.replaceChildren(
        h('div', { class: 'empty', role: 'alert' }, h('strong', {}, 'The search could not be loaded'), h('p', {}, messageOf(error)), again),
      )
      return undefined
    }
  }

  async function open(): Promise<void> {
    const chosen = chosenText()
    onShow()
    const all = await loaded()
    all?.view.focus(chosen)
  }

  async function goToFile(): Promise<void> {
    // Its place, which says so too, may not be shown.
    const all = await whileLoading('the search', loaded)
    // What is open already is not what is wanted.
    if (all && session) all.quickOpen.open(session, recent.slice(1))
    // That it cannot be loaded is told in the place of the search.
    else if (!isDisposed) onShow()
  }

  function onKey(event: KeyboardEvent): void {
    const { ctrlKey, metaKey, altKey, shiftKey, key } = event
    if (altKey || !(IS_MAC ? metaKey && !ctrlKey : ctrlKey && !metaKey)) return
    const letter = key.toLowerCase()
    const isSearch = shiftKey && letter === 'f'
    if (!isSearch && (shiftKey || letter !== 'p' || isTerminals(event))) return
    // Whatever else is asked comes first.
    const asked = document.querySelector('dialog:modal')
    if (asked && (isSearch || !asked.classList.contains('quick-open'))) return
    event.preventDefault()
    event.stopPropagation()
    void (isSearch ? open() : goToFile())
  }

  return {
    element,
    use(next) {
      session = next
      snapshot = undefined
      recent = []
      parts?.quickOpen.close()
      parts?.view.use(next)
    },
    seen(next) {
      snapshot = next
      parts?.view.seen(next)
    },
    opened(path) {
      recent = [path, ...recent.filter((one) => one !== path)].slice(0, MOST_RECENT)
    },
    shown(isWanted = false) {
      void loaded().then((all) => isWanted && all?.view.focus())
    },
    goToFile,
    dispose() {
      isDisposed = true
      document.removeEventListener('keydown', onKey, true)
      parts?.quickOpen.close()
      parts?.view.dispose()
    },
  }
}

/** There, Control P is the command before. */
const isTerminals = ({ target, ctrlKey }: KeyboardEvent): boolean =>
  ctrlKey && target instanceof Element && target.closest('.pane-terminal') !== null

/** What is chosen in the file that is open, where it is on one line. */
function chosenText(): string | undefined {
  const selection = getSelection()
  const node = selection?.anchorNode
  const at = node instanceof Element ? node : node?.parentElement
  if (!selection || !at?.closest('.pane-view')) return undefined
  const text = selection.toString()
  return text.trim() !== '' && text.length <= LONGEST_CHOICE && !text.includes('\n') ? text : undefined
}
