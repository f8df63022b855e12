/** What the browser's storage has under a key; `at` undefined: nothing is kept. Undefined: nothing, or none of ours. */
export function readKept<T>(at: string | undefined, isOurs: (value: unknown) => value is T): T | undefined {
  if (at === undefined) return undefined
  try {
    const value: unknown = JSON.parse(localStorage.getItem(at) ?? 'null')
    return isOurs(value) ? value : undefined
  } catch {
    return undefined // Storage is blocked, or holds what is not ours.
  }
}

/** `value` undefined: it is forgotten. */
export function writeKept(at: string | undefined, value: object | undefined): void {
  if (at === undefined) return
  try {
    if (value === undefined) localStorage.removeItem(at)
    else localStorage.setItem(at, JSON.stringify(value))
  } catch {
    // Storage is blocked: it lasts as long as the page.
  }
}
