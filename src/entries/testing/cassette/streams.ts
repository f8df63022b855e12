import { fieldsOf } from '../model/request.js'
import { isPlain } from './values.js'

/** A line of server-sent events, or of JSON Lines. */
const EVENT_LINE = /^(data:\s*)?(\{.*\})(\s*)$/

/** The events of a streamed model answer: parts of AI SDK, or lines of an HTTP response. */
export function eventsOf(answer: unknown): readonly unknown[] {
  const { parts, text } = fieldsOf(answer)
  if (Array.isArray(parts)) return parts
  return typeof text === 'string' ? text.split('\n').map(eventOf) : []
}

function eventOf(line: string): unknown {
  try {
    return JSON.parse(EVENT_LINE.exec(line)?.[2] ?? 'null') as unknown
  } catch {
    return null
  }
}

/** Rewrites the texts of a streamed answer. `rewrite` gets all pieces of one text in order. */
export function rewriteStreams(answer: unknown, rewrite: (pieces: readonly string[]) => readonly string[]): unknown {
  const events = eventsOf(answer)
  const pieces = new Map<string, string[]>()
  for (const event of events) {
    mapTexts(event, keyOf(event), (key, text) => {
      const known = pieces.get(key)
      if (known) known.push(text)
      else pieces.set(key, [text])
      return text
    })
  }
  if (pieces.size === 0) return answer
  const rewritten = new Map([...pieces].map(([key, texts]) => [key, [...rewrite(texts)]]))
  const changed = events.map((event) => mapTexts(event, keyOf(event), (key) => rewritten.get(key)?.shift() ?? ''))
  const { parts, text } = fieldsOf(answer)
  if (Array.isArray(parts)) return { ...fieldsOf(answer), parts: changed }
  const lines = String(text).split('\n')
  return { ...fieldsOf(answer), text: lines.map((line, index) => withEvent(line, events[index], changed[index])).join('\n') }
}

function withEvent(line: string, before: unknown, after: unknown): string {
  const [old, now] = [JSON.stringify(before), JSON.stringify(after)]
  return old === now ? line : line.replace(EVENT_LINE, (_, data: string | undefined, __, end: string) => `${data ?? ''}${now}${end}`)
}

/** The key of the text block that an event belongs to. */
function keyOf(event: unknown): string {
  const { type, id, item_id, index } = fieldsOf(event)
  return [type, item_id ?? id ?? index].join(' ')
}

/** Replaces each text; `key` is its location. Objects other than plain data stay unchanged. */
function mapTexts(value: unknown, key: string, visit: (key: string, text: string) => string): unknown {
  if (typeof value === 'string') return visit(key, value)
  if (Array.isArray(value)) return value.map((item, at) => mapTexts(item, `${key}[${String(fieldsOf(item).index ?? at)}]`, visit))
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, mapTexts(field, `${key}.${name}`, visit)]))
}
