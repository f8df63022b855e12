import { textButton } from '../button.js'
import { h } from '../dom.js'
import { messageOf } from '../notice.js'
import type { Session, Snapshot } from '../session.js'
import type { Loading } from '../while-working.js'
import type { QuickOpen } from './quick-open.js'
import type { SearchView } from './search-view.js'
import { IS_MAC } from './shortcuts.js'

export interface LateSearch {
  /** Element for the pane. */
  readonly element: HTMLElement
  use(session: Session): void
  /** Call after each snapshot of the workspace. */
  seen(snapshot: Snapshot): void
  /** Call when a file is shown. The file becomes one of the first suggestions. */
  opened(path: string): void
  /** Call when the search becomes visible: loads its code. `isWanted`: the user wants to type. */
  shown(isWanted?: boolean): void
  /** Opens the dialog that finds a file by name. */
  goToFile(): Promise<void>
  dispose(): void
}

export interface LateSearchOptions {
  /** Container of the dialog. */
  readonly host: HTMLElement
  readonly loading: Loading
  /** Makes `element` visible. */
  readonly onShow: () => void
  /** Called when the user presses Escape: moves the focus back to where the user was. */
  readonly onLeave: () => void
  readonly onOpen: (path: string, line?: number) => void
  /** Opens a file and focuses it. */
  readonly onGo: (path: string, line?: number) => void
}

interface Loaded {
  readonly view: SearchView
  readonly quickOpen: QuickOpen
}

const MOST_RECENT = 20
/** Maximum length of a selection that is used as the search text, characters. */
const LONGEST_CHOICE = 200

/** The search and its global shortcuts. Its code loads on first use. */
export function createLateSearch({ host, loading: whileLoading, onShow, onLeave, onOpen, onGo }: LateSearchOptions): LateSearch {
  const element = h('div', { class: 'search-place' })
  let session: Session | undefined
  let snapshot: Snapshot | undefined
  let recent: readonly string[] = []
  let loading: Promise<Loaded> | undefined
  let parts: Loaded | undefined
  let isDisposed = false
  // Captured before an editor or terminal handles the keys.
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

  /** Loads the search. If loading fails, shows the error in place of the search and returns undefined. The next call retries. */
  async function loaded(): Promise<Loaded | undefined> {
    if (!loading) element.replaceChildren(h('p', { class: 'empty' }, 'Loading the search…'))
    loading ??= load()
    try {
      const all = await loading
      return isDisposed ? undefined : all
    } catch (error) {
      loading = undefined
      const again = textButton('Try again', () => void loaded(), { class: 'small' })
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
    // The search pane also shows that its code is loading, but the pane may be hidden.
    const all = await whileLoading('the search', loaded)
    // The open file is not suggested.
    if (all && session) all.quickOpen.open(session, recent.slice(1))
    // Loading failed: opens the search pane, which shows the error.
    else if (!isDisposed) onShow()
  }

  function onKey(event: KeyboardEvent): void {
    const { ctrlKey, metaKey, altKey, shiftKey, key } = event
    if (altKey || !(IS_MAC ? metaKey && !ctrlKey : ctrlKey && !metaKey)) return
    const letter = key.toLowerCase()
    const isSearch = shiftKey && letter === 'f'
    if (!isSearch && (shiftKey || letter !== 'p' || isTerminals(event))) return
    // Another open dialog has priority.
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

/** In a terminal, Control+P means the previous command. */
const isTerminals = ({ target, ctrlKey }: KeyboardEvent): boolean =>
  ctrlKey && target instanceof Element && target.closest('.pane-terminal') !== null

/** The selection in the open file, if it is within one line. */
function chosenText(): string | undefined {
  const selection = getSelection()
  const node = selection?.anchorNode
  const at = node instanceof Element ? node : node?.parentElement
  if (!selection || !at?.closest('.pane-view')) return undefined
  const text = selection.toString()
  return text.trim() !== '' && text.length <= LONGEST_CHOICE && !text.includes('\n') ? text : undefined
}
