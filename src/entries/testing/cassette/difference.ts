import { textInBase64 } from './encodings.js'
import { LEAST_SECRET, REDACTED } from './secrets.js'

/** Thrown for a cassette that cannot be read, and for a replay that differs from its cassette. */
export class CassetteError extends Error {
  /** The line of the cassette, from 1; undefined if the error has no line. */
  readonly line: number | undefined

  constructor(message: string, line?: number) {
    super(message)
    this.name = 'CassetteError'
    this.line = line
  }
}

/** The first difference between two JSON values. */
export interface Difference {
  /** Path to the value, such as `input.edits[0].old_string`. Empty if the values differ as a whole. */
  readonly path: string
  readonly recorded: unknown
  readonly now: unknown
}

/**
 * Finds the first difference, in the recorded order of keys. Ignores the order of keys, keys whose value is undefined, and redacted parts,
 * because a replay may not know a secret that the recording found later.
 */
export function firstDifference(recorded: unknown, now: unknown, path = ''): Difference | undefined {
  if (Object.is(recorded, now)) return undefined
  if (typeof recorded === 'string' && typeof now === 'string' && isRedactionOf(recorded, now)) return undefined
  if (typeof recorded !== 'object' || typeof now !== 'object' || recorded === null || now === null) return { path, recorded, now }
  if (Array.isArray(recorded) !== Array.isArray(now)) return { path, recorded, now }
  const [before, after] = [recorded as Record<string, unknown>, now as Record<string, unknown>]
  for (const [key, other] of pairedKeys(before, after)) {
    const below = Array.isArray(recorded) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    const found = firstDifference(before[key], after[other], below)
    if (found) return found
  }
  return undefined
}

/** Maps recorded keys to the corresponding current keys, followed by additional current keys. */
function pairedKeys(before: object, after: object): Map<string, string> {
  const further = new Set(Object.keys(after).filter((key) => !Object.hasOwn(before, key)))
  const pairs = new Map<string, string>()
  for (const key of Object.keys(before)) {
    const other = Object.hasOwn(after, key) ? key : ([...further].find((name) => isRedactionOf(key, name)) ?? key)
    further.delete(other)
    pairs.set(key, other)
  }
  for (const key of further) pairs.set(key, key)
  return pairs
}

const REDACTED_PARTS = /(?:\[redacted\])+/

/** Two texts to compare: decoded if `recorded` is base64 of a redacted text. `now` becomes `…` if it is not base64 of a text. */
function readable(recorded: string, now: string): readonly [recorded: string, now: string] {
  const text = textInBase64(recorded)
  return text?.includes(REDACTED) ? [text, textInBase64(now) ?? '…'] : [recorded, now]
}

/** Whether `recorded` is `now` with parts redacted. */
function isRedactionOf(recorded: string, now: string): boolean {
  const [before, after] = readable(recorded, now)
  const [first = '', ...others] = before.split(REDACTED_PARTS)
  const last = others.pop()
  if (last === undefined || !after.startsWith(first)) return false
  let at = first.length
  for (const part of others) {
    const found = after.indexOf(part, at + LEAST_SECRET)
    if (found < 0 || !isSecretPart(after.slice(at, found))) return false
    at = found + part.length
  }
  return after.endsWith(last) && isSecretPart(after.slice(at, after.length - last.length))
}

/** Whether a part may be a redacted secret: `[redacted]` alone, or a text that is long enough. Other text next to `[redacted]` differs. */
const isSecretPart = (part: string): boolean =>
  part.includes(REDACTED) ? part.replaceAll(REDACTED, '') === '' : part.length >= LEAST_SECRET

const SHOWN = 60

/** Divides two texts at their first difference. Takes the equal part from `recorded`, because `now` may contain secrets there. */
function divided(recorded: string, now: string): readonly [same: string, before: string, after: string] {
  let [at, end] = [0, 0]
  const parts = recorded.split(/((?:\[redacted\])+)/)
  for (const [index, part] of parts.entries()) {
    const until = at + part.length
    if (part.startsWith(REDACTED) && !now.startsWith(REDACTED, end)) {
      const next = endOfSecret(now, end, parts[index + 1] ?? '')
      if (!isSecretPart(now.slice(end, next))) break
      at = until
      end = next
    }
    for (; at < until && recorded[at] === now[end]; at++) end++
    if (at < until) break
  }
  const [same, before] = [recorded.slice(0, at), recorded.slice(at)]
  return [same, before, hidden(now.slice(end), before.includes(REDACTED) || same !== now.slice(0, end))]
}

/** Finds the end of a secret: there follows as much as possible of the recorded text behind it. Returns `start` if there is no end. */
function endOfSecret(now: string, start: number, following: string): number {
  for (let length = Math.min(following.length, SHOWN / 2); length >= Math.min(following.length, 3); length--) {
    const end = length === 0 ? now.length : now.indexOf(following.slice(0, length), start + LEAST_SECRET)
    if (end >= 0) return end
  }
  return start
}

/** Hides a current text beside a redacted part, because the text may contain a secret. Shows a text that is too short for one. */
const hidden = (text: string, isRedacted: boolean): string => (isRedacted && text.length >= LEAST_SECRET ? '…' : text)

/**
 * Formats two values as lines of a message. Shortens long texts to the part around the first difference. `isRedacted`: whether the recorded
 * entry has a redacted part.
 */
export function shownDifference({ recorded, now }: Difference, isRedacted: boolean): string {
  if (typeof recorded !== 'string' || typeof now !== 'string') return lines(cut(json(recorded)), cut(hidden(json(now), isRedacted)))
  const [same, before, after] = divided(...readable(recorded, now))
  const from = Math.max(0, same.length - SHOWN / 2)
  const part = (rest: string): string => {
    const text = same.slice(from) + rest
    return `${from > 0 ? '…' : ''}${JSON.stringify(text.slice(0, SHOWN))}${text.length > SHOWN ? '…' : ''}`
  }
  const above = same.split('\n')
  const place = `  place:    line ${above.length}, column ${(above.at(-1) ?? '').length + 1} of the text`
  return `${lines(part(before), part(after))}\n${place}`
}

const lines = (recorded: string, now: string): string => `  recorded: ${recorded}\n  now:      ${now}`

export const json = (value: unknown): string => JSON.stringify(value) ?? 'nothing'

export const cut = (text: string, most = 300): string => (text.length > most ? `${text.slice(0, most)}…` : text)
