import { isKept } from '../homes/homes.js'
import type { Session } from '../session.js'
import type { Draft, DraftStore } from './drafts.js'
import { isDirty, type OpenFile } from './open-file.js'

export interface DraftKeeper {
  /** Takes up another workspace, after the texts of the last one are kept. */
  use(session: Pick<Session, 'home' | 'name'>): void
  /** What the workspace has kept. */
  kept(): readonly Draft[]
  /** Keeps what is not saved of a file, and forgets what is, in a moment. False: the last time there was no room for it. */
  note(one: OpenFile): boolean
  forget(path: string): void
  dispose(): void
}

/** Pause in typing after which the text is kept. */
const PAUSE_MS = 400

/** Keeps texts that are not saved while they are edited, and at the latest when the page is left. */
export function createDraftKeeper(store: DraftStore, files: () => readonly OpenFile[]): DraftKeeper {
  let workspace: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const noted = new Set<OpenFile>()
  const without = new Set<OpenFile>()

  function flush(): void {
    clearTimeout(timer)
    const known = files()
    for (const one of noted) if (known.includes(one)) keep(one)
    noted.clear()
  }

  function keep(one: OpenFile): void {
    if (workspace === undefined) return
    without.delete(one)
    if (!isDirty(one)) store.remove(workspace, one.path)
    else if (one.buffer) {
      const base = one.file?.kind === 'text' ? { base: one.file.text } : {}
      const isRoom = store.put(workspace, { path: one.path, text: one.buffer.text, ...base, time: Date.now() })
      if (!isRoom) without.add(one)
    }
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
    use(session) {
      flush()
      noted.clear()
      without.clear()
      workspace = `${isKept(session.home) ? session.home.kind : 'memory'}:${session.name}`
    },
    kept: () => (workspace === undefined ? [] : store.list(workspace)),
    note(one) {
      noted.add(one)
      clearTimeout(timer)
      timer = setTimeout(flush, PAUSE_MS)
      return !without.has(one)
    },
    forget(path) {
      for (const one of noted) if (one.path === path) noted.delete(one)
      for (const one of without) if (one.path === path) without.delete(one)
      if (workspace !== undefined) store.remove(workspace, path)
    },
    dispose() {
      flush()
      window.removeEventListener('beforeunload', onLeave)
      window.removeEventListener('pagehide', flush)
      document.removeEventListener('visibilitychange', onHide)
    },
  }
}
