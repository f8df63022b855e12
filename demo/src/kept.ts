/** Reads a value from the browser's storage. `at` undefined: nothing is stored. Undefined: no value, or an invalid one. */
export function readKept<T>(at: string | undefined, isOurs: (value: unknown) => value is T): T | undefined {
  if (at === undefined) return undefined
  try {
    const value: unknown = JSON.parse(localStorage.getItem(at) ?? 'null')
    return isOurs(value) ? value : undefined
  } catch {
    return undefined // Storage is blocked, or holds invalid data.
  }
}

/** Stores a value. `value` undefined: deletes it. */
export function writeKept(at: string | undefined, value: object | undefined): void {
  if (at === undefined) return
  try {
    if (value === undefined) localStorage.removeItem(at)
    else localStorage.setItem(at, JSON.stringify(value))
  } catch {
    // Storage is blocked: the value lasts only as long as the page.
  }
}
