import { type Home, isKept } from '../homes/homes.js'
import type { Session } from '../session.js'
import { type Draft, type DraftStore, draftsKey, isSame } from './drafts.js'
import { isDirty, type OpenFile } from './open-file.js'

export interface DraftKeeper {
  /** Switches to another workspace, after saving the drafts of the previous one. */
  use(session: Pick<Session, 'home'>): void
  /**
   * Continues in a copy of the workspace with the same open files. Drafts and offered drafts move to the copy. If the old workspace is
   * stored and the copy is not, the old workspace keeps its drafts.
   */
  goOn(session: Pick<Session, 'home'>): Promise<void>
  /** Number of drafts that did not fit into the browser's storage. They are lost with the workspace. */
  lacking(): number
  /** Drafts from earlier visits to the workspace, except those of other open pages. */
  left(): Promise<readonly Draft[]>
  /**
   * Schedules saving the draft of a file, or deleting the draft if the file has no unsaved changes. False: the last attempt found no room.
   */
  note(one: OpenFile): boolean
  /** A file takes over a draft from an earlier visit. The draft stays stored until the file's own draft is stored. */
  adopt(one: OpenFile, draft: Draft): void
  /** Deletes a draft from an earlier visit. */
  discard(draft: Draft): void
  /** Deletes the draft of a file, under the file's current path. */
  forget(one: OpenFile): void
  dispose(): void
}

/** Debounce after typing before the draft is saved, milliseconds. */
const PAUSE_MS = 400

/** Saves drafts of unsaved files while the user edits, and at the latest when the user leaves the page. */
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
    // Some drafts did not fit: the browser asks before leaving.
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
      // Moves the drafts of the open files first, before the first await: what the user types next is already saved for the copy.
      for (const draft of store.list(from)) if (draft.visit === mine && !pass(draft, own)) lack(draft.path)
      for (const [one, draft] of taken) {
        adopted.set(one, draft)
        if (!pass(draft)) lack(one.path)
      }
      for (const one of lacked) keep(one)
      // When `offered` resolves, the user may have opened yet another workspace.
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

/** Tells other pages of the browser that this page is open. */
interface PageMark {
  readonly id: string
  /** Ids of all open pages, including this one. Empty if the browser does not support locks. */
  open(): Promise<ReadonlySet<string>>
  remove(): void
}

const PREFIX = 'toolport.page.'

/** The mark is a Web Lock: the browser releases the lock when the page closes or crashes. */
function markPage(): PageMark {
  const id = `${Date.now()}-${Math.random().toString(36).slice(2)}`
  // Locks exist only in secure contexts.
  const locks: LockManager | undefined = navigator.locks
  let remove = (): void => undefined
  const removed = new Promise<void>((resolve) => {
    remove = resolve
  })
  locks?.request(PREFIX + id, () => removed).catch(() => undefined)
  return {
    id,
    async open() {
      const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {}
      return new Set(held.map(({ name = '' }) => name.slice(PREFIX.length)))
    },
    remove: () => remove(),
  }
}
