/**
 * Returns functions that format values for reports. The preview inserts the source text of `clientText` into the page, so it must not use
 * anything else of this file.
 */
export function clientText(): {
  /** Shortens a text. */
  clip(text: string): string
  describe(value: unknown): string
  /** Formats the arguments of a console call. */
  format(values: unknown[]): string
} {
  const MOST_TEXT = 10_000
  const clip = (text: string): string => (text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text)
  const describe = (value: unknown, depth = 0, seen: unknown[] = []): string => {
    try {
      if (typeof value === 'string') return depth === 0 ? value : JSON.stringify(value.slice(0, MOST_TEXT))
      if (typeof value === 'function') return `[Function ${value.name}]`
      if (typeof value === 'bigint') return `${value}n`
      if (typeof value !== 'object' || value === null) return String(value)
      if (value instanceof Error) return depth === 0 && value.stack ? value.stack : `${value.name}: ${value.message}`
      if (value instanceof Element) return `<${value.tagName.toLowerCase()}${value.id ? ` id="${value.id}"` : ''}>`
      if (seen.includes(value)) return '[Circular]'
      if (depth > 3) return Array.isArray(value) ? '[Array]' : '[Object]'
      const inner = (one: unknown): string => describe(one, depth + 1, [...seen, value])
      const more = (all: number, shown: number): string[] => (all > shown ? [`… ${all - shown} more`] : [])
      if (Array.isArray(value)) return `[${[...value.slice(0, 50).map(inner), ...more(value.length, 50)].join(', ')}]`
      if (value instanceof Map) return `Map(${value.size}) ${inner(Object.fromEntries([...value].slice(0, 50)))}`
      if (value instanceof Set) return `Set(${value.size}) ${inner([...value].slice(0, 50))}`
      if (value instanceof Date || value instanceof RegExp) return String(value)
      const keys = Object.keys(value)
      const name = value.constructor?.name
      const fields = keys.slice(0, 50).map((key) => {
        const field = Object.getOwnPropertyDescriptor(value, key)
        return `${key}: ${field && 'value' in field ? inner(field.value) : '[Getter]'}`
      })
      return `${name && name !== 'Object' ? `${name} ` : ''}{ ${[...fields, ...more(keys.length, 50)].join(', ')} }`
    } catch {
      return '[unreadable]'
    }
  }
  const format = (values: unknown[]): string => {
    const [first, ...rest] = values
    if (typeof first !== 'string' || !first.includes('%')) return clip(values.map((value) => describe(value)).join(' '))
    const text = first.replace(/%([sdifoOjc%])/g, (all, kind: string) => {
      if (kind === '%') return '%'
      if (rest.length === 0) return all
      const value = rest.shift()
      return kind === 'c' ? '' : describe(kind === 'i' || kind === 'd' ? Number(value) : value)
    })
    return clip([text, ...rest.map((value) => describe(value))].join(' '))
  }
  return { clip, describe, format }
}
