type Segment = PropertyKey

const PLAIN = /^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u
const LONGEST = 100

/** `['edits', 0, 'old_string']` as `edits[0].old_string`; other names in brackets: `headers["a b"]`. Empty for the input itself. */
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

/** What stands at a path, by own properties only; undefined when nothing does. */
export function valueAt(value: unknown, path: readonly Segment[]): unknown {
  let current = value
  for (const segment of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment)) return undefined
    current = Reflect.get(current, segment)
  }
  return current
}

/** At most `units` UTF-16 units and a mark for the rest, never half a surrogate pair. */
export function shorten(text: string, units: number): string {
  if (text.length <= units) return text
  const last = text.charCodeAt(units - 1)
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units)}…`
}
