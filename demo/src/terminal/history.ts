const MAX = 500

export interface History {
  /** Puts it at the end, unless it is there already, and goes back to the end. */
  add(text: string): void
  /** The entry before or after the shown one; undefined: there is none. `draft` is what comes after the last entry. */
  move(step: -1 | 1, draft: string): string | undefined
  /** Back to the end: the next step up gives the latest entry. */
  rewind(): void
}

/** Commands of this page, the latest last. */
export function createHistory(): History {
  let entries: string[] = []
  let at = 0
  let kept = ''
  return {
    add(text) {
      if (entries.at(-1) !== text) entries = [...entries, text].slice(-MAX)
      at = entries.length
    },
    move(step, draft) {
      const next = at + step
      if (next < 0 || next > entries.length) return undefined
      if (at === entries.length) kept = draft
      at = next
      return entries[next] ?? kept
    },
    rewind() {
      at = entries.length
    },
  }
}
