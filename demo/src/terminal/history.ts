const MAX = 500
/** Longer commands are remembered until the page is closed, and no longer. */
const LONGEST_KEPT = 10_000

/** The commands of all terminals, the latest last. */
export interface HistoryStore {
  readonly entries: readonly string[]
  /** Puts it at the end, unless it is there already. */
  add(text: string): void
}

/** `key`: where the browser keeps them for the next visit; without one, or where it keeps nothing, they are those of this page. */
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
    // A browser that keeps nothing, or has no room left.
  }
}

export interface History {
  /** Puts it at the end, unless it is there already, and goes back to the end. */
  add(text: string): void
  /** The entry before or after the shown one; undefined: there is none. `draft` is what comes after the last entry. */
  move(step: -1 | 1, draft: string): string | undefined
  /** Back to the end: the next step up gives the latest entry. */
  rewind(): void
}

/** The place of one terminal in the history of all. While it is in the midst of it, what the others add is not seen. */
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
