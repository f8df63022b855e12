import { stringLiteral } from './escapes.js'

/** Values up to this width stay on one line. */
const WIDTH = 80

type Entry = readonly [key: string, value: unknown]

/** Formats a JSON value as readable TypeScript. `indent`: indentation steps of the first line. */
export function literal(value: unknown, indent = 0): string {
  if (typeof value === 'string') return stringLiteral(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, indent + 1))
    return lines('[', items, ']', indent)
  }
  const properties = entriesOf(value).map(([key, item]) => `${keyLiteral(key)}: ${literal(item, indent + 1)}`)
  return lines('{', properties, '}', indent)
}

const entriesOf = (value: object): Entry[] => Object.entries(value).filter(([, item]) => item !== undefined)

function lines(open: string, parts: readonly string[], close: string, indent: number): string {
  if (parts.length === 0) return open + close
  const room = open === '{' ? ' ' : ''
  const short = `${open}${room}${parts.join(', ')}${room}${close}`
  if (short.length + 2 * indent <= WIDTH && !short.includes('\n')) return short
  const step = '  '.repeat(indent)
  return `${open}\n${parts.map((part) => `${step}  ${part},\n`).join('')}${step}${close}`
}

/** As a plain key, `__proto__` would set the prototype of the object. */
const PROTO = '__proto__'

function keyLiteral(key: string): string {
  if (key === PROTO) return `['${PROTO}']`
  if (/^[A-Za-z_$][\w$]*$/.test(key)) return key
  const text = stringLiteral(key)
  // A template literal is only valid as a computed key.
  return text.startsWith('`') ? `[${text}]` : text
}
