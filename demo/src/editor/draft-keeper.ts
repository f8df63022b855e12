import { type Home, isKept } from '../homes/homes.js'
import type { Session } from '../session.js'
import { type Draft, type DraftStore, draftsKey, isSame } from './drafts.js'
import { isDirty, type OpenFile } from './open-file.js'
import { markPage } from './page-mark.js'

export interface DraftKeeper {
  /** Takes up another workspace, after the texts of the last one are kept. */
  use(session: Pick<Session, 'home'>): void
  /**
   * The same files are open in a copy of the workspace: what is kept of them is kept for that, and so is what is offered. A workspace that is
   * kept itself keeps its own, where the copy is not kept.
   */
  goOn(session: Pick<Session, 'home'>): Promise<void>
  /** How many texts there is no room for: they are gone with the workspace. */
  lacking(): number
  /** What earlier visits to the workspace have left; not what other pages have that are open. */
  left(): Promise<readonly Draft[]>
  /** Keeps what is not saved of a file, and forgets what is, in a moment. False: the last time there was no room for it. */
  note(one: OpenFile): boolean
  /** A file takes on what an earlier visit has left. That is kept until what the file has now is. */
  adopt(one: OpenFile, draft: Draft): void
  /** Forgets what an earlier visit has left. */
  discard(draft: Draft): void
  /** Nothing of a file is kept any more, under the path that it has now. */
  forget(one: OpenFile): void
  dispose(): void
}

/** Pause in typing after which the text is kept. */
const PAUSE_MS = 400

/** Keeps texts that are not saved while they are edited, and at the latest when the page is left. */
export function createDraftKeeper(store: DraftStore, files: () => readonly OpenFile[]): DraftKeeper {
  const page = markPage()
  let workspace = ''
  let isWorkspaceKept = false
  let visits = 0
  let visit = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const noted = new Set<OpenFile>()
  const without = new Set<OpenFile>()
  const adopted = new Map<OpenFile, Draft>()

  function flush(): void {
    clearTimeout(timer)
    const known = files()
    for (const one of noted) if (known.includes(one)) keep(one)
    noted.clear()
  }

  function keep(one: OpenFile): void {
    without.delete(one)
    if (!isDirty(one)) forget(one)
    else if (one.buffer) {
      const base = one.file?.kind === 'text' ? { base: one.file.text } : {}
      const isRoom = store.put(workspace, { path: one.path, text: one.buffer.text, ...base, time: Date.now(), visit })
      if (isRoom) release(one)
      else without.add(one)
    }
  }

  function release(one: OpenFile): void {
    const draft = adopted.get(one)
    if (draft) store.remove(workspace, draft)
    adopted.delete(one)
  }

  function forget(one: OpenFile): void {
    noted.delete(one)
    without.delete(one)
    release(one)
    store.remove(workspace, { path: one.path, visit })
  }

  function begin(home: Home): void {
    for (const known of [noted, without, adopted]) known.clear()
    workspace = draftsKey(home)
    isWorkspaceKept = isKept(home)
    visit = `${page.id}/${++visits}`
  }

  async function left(): Promise<readonly Draft[]> {
    const others = store.list(workspace).filter((draft) => draft.visit !== visit)
    const open = others.length ? await page.open() : undefined
    return others.filter((draft) => pageOf(draft) === page.id || !open?.has(pageOf(draft)))
  }

  function lack(path: string): void {
    const one = files().find((file) => file.path === path && isDirty(file))
    if (one) without.add(one)
  }

  function onLeave(event: BeforeUnloadEvent): void {
    flush()
    // There was no room for these: the browser asks.
    if (without.size) event.preventDefault()
  }
  function onHide(): void {
    if (document.visibilityState === 'hidden') flush()
  }
  window.addEventListener('beforeunload', onLeave)
  window.addEventListener('pagehide', flush)
  document.addEventListener('visibilitychange', onHide)

  return {
    use({ home }) {
      flush()
      begin(home)
    },
    async goOn({ home }) {
      flush()
      const [from, mine, taken, lacked] = [workspace, visit, new Map(adopted), [...without]]
      const offered = left()
      const staysThere = isWorkspaceKept && !isKept(home)
      begin(home)
      const [to, own] = [workspace, visit]
      const pass = (draft: Draft, as = draft.visit): boolean =>
        staysThere ? store.put(to, { ...draft, visit: as }) : store.move(from, to, draft, as)
      // First, and at once, what the open files have: what is typed from now on is kept for the copy, too.
      for (const draft of store.list(from)) if (draft.visit === mine && !pass(draft, own)) lack(draft.path)
      for (const [one, draft] of taken) {
        adopted.set(one, draft)
        if (!pass(draft)) lack(one.path)
      }
      for (const one of lacked) keep(one)
      // By then, yet another workspace may be open.
      for (const draft of await offered) if (![...taken.values()].some((one) => isSame(one, draft))) pass(draft)
    },
    lacking() {
      flush()
      return without.size
    },
    left,
    note(one) {
      noted.add(one)
      clearTimeout(timer)
      timer = setTimeout(flush, PAUSE_MS)
      return !without.has(one)
    },
    adopt: (one, draft) => void adopted.set(one, draft),
    discard: (draft) => store.remove(workspace, draft),
    forget,
    dispose() {
      flush()
      page.remove()
      window.removeEventListener('beforeunload', onLeave)
      window.removeEventListener('pagehide', flush)
      document.removeEventListener('visibilitychange', onHide)
    },
  }
}

const pageOf = ({ visit }: Draft): string => visit.replace(/\/.*/, '')
