const MAX = 500
/** Longer commands are not stored and are lost when the page closes. */
const LONGEST_KEPT = 10_000

/** The commands of all terminals, latest last. */
export interface HistoryStore {
  readonly entries: readonly string[]
  /** Appends a command unless it is already the last one. */
  add(text: string): void
}

/** `key`: key in the browser's storage. Without a key, or if storage is blocked, commands stay in memory. */
export function createHistoryStore(key?: string): HistoryStore {
  let entries = key === undefined ? [] : kept(key)
  return {
    get entries() {
      return entries
    },
    add(text) {
      if (entries.at(-1) === text) return
      entries = [...entries, text].slice(-MAX)
      if (key !== undefined) keep(key, entries)
    },
  }
}

function kept(key: string): readonly string[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(read) ? read.filter((entry) => typeof entry === 'string').slice(-MAX) : []
  } catch {
    return []
  }
}

function keep(key: string, entries: readonly string[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(entries.filter(({ length }) => length <= LONGEST_KEPT)))
  } catch {
    // Storage is blocked or full.
  }
}

export interface History {
  /** Appends a command unless it is already the last one, and returns to the end. */
  add(text: string): void
  /** The previous or next entry. Undefined: no such entry. `draft` is the text after the last entry. */
  move(step: -1 | 1, draft: string): string | undefined
  /** Returns to the end, so that the next step up gives the latest entry. */
  rewind(): void
}

/** The position of one terminal in the shared history. While the user browses, commands of other terminals are not visible. */
export function createHistory(store: HistoryStore = createHistoryStore()): History {
  let entries = store.entries
  let at = entries.length
  let kept = ''
  const rewind = (): void => {
    entries = store.entries
    at = entries.length
  }
  return {
    add(text) {
      store.add(text)
      rewind()
    },
    move(step, draft) {
      if (at === entries.length) rewind()
      const next = at + step
      if (next < 0 || next > entries.length) return undefined
      if (at === entries.length) kept = draft
      at = next
      return entries[next] ?? kept
    },
    rewind,
  }
}
