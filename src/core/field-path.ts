type Segment = PropertyKey

const PLAIN = /^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u
const LONGEST = 100

/**
 * Formats `['edits', 0, 'old_string']` as `edits[0].old_string`, with other names in brackets: `headers["a b"]`. Empty for the whole input.
 */
export function formatPath(path: readonly Segment[]): string {
  let text = ''
  for (const segment of path) {
    if (typeof segment === 'number') {
      text += `[${segment}]`
      continue
    }
    const name = shorten(String(segment), LONGEST)
    if (!PLAIN.test(name)) text += `[${JSON.stringify(name)}]`
    else text += text === '' ? name : `.${name}`
  }
  return text
}

/** Returns the value at a path, through own properties only; undefined if there is no value. */
export function valueAt(value: unknown, path: readonly Segment[]): unknown {
  let current = value
  for (const segment of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment)) return undefined
    current = Reflect.get(current, segment)
  }
  return current
}

/** Truncates to at most `units` UTF-16 units plus a mark for the rest. Never splits a surrogate pair. */
export function shorten(text: string, units: number): string {
  if (text.length <= units) return text
  const last = text.charCodeAt(units - 1)
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units)}…`
}
