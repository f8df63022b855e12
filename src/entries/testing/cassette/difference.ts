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

/** Whether `recorded` is `now` with parts redacted. For base64, compares the decoded texts. */
function isRedactionOf(recorded: string, now: string): boolean {
  const [first = '', ...others] = recorded.split(REDACTED_PARTS)
  const last = others.pop()
  if (last === undefined) {
    const text = textInBase64(recorded)
    return text?.includes(REDACTED) === true && isRedactionOf(text, textInBase64(now) ?? '')
  }
  if (!now.startsWith(first)) return false
  let at = first.length
  for (const part of others) {
    const found = now.indexOf(part, at + LEAST_SECRET)
    if (found < 0 || !isSecretPart(now.slice(at, found))) return false
    at = found + part.length
  }
  return now.endsWith(last) && isSecretPart(now.slice(at, now.length - last.length))
}

/** Whether a part may be a secret: redacted in the replay as well, or long enough. A text beside a redacted secret is a change. */
const isSecretPart = (part: string): boolean =>
  part.includes(REDACTED) ? part.replaceAll(REDACTED, '') === '' : part.length >= LEAST_SECRET

const SHOWN = 60

/** Formats two values as lines of a message. Shortens long texts to the part around the first difference. */
export function shownDifference({ recorded, now }: Difference): string {
  if (typeof recorded !== 'string' || typeof now !== 'string') return lines(cut(json(recorded)), cut(json(now)))
  let at = 0
  while (at < recorded.length && recorded[at] === now[at]) at++
  const from = Math.max(0, at - SHOWN / 2)
  const part = (text: string): string =>
    `${from > 0 ? '…' : ''}${JSON.stringify(text.slice(from, from + SHOWN))}${text.length > from + SHOWN ? '…' : ''}`
  const before = recorded.slice(0, at).split('\n')
  const place = `  place:    line ${before.length}, column ${(before.at(-1) ?? '').length + 1} of the text`
  return `${lines(part(recorded), part(now))}\n${place}`
}

const lines = (recorded: string, now: string): string => `  recorded: ${recorded}\n  now:      ${now}`

export const json = (value: unknown): string => JSON.stringify(value) ?? 'nothing'

export const cut = (text: string, most = 300): string => (text.length > most ? `${text.slice(0, most)}…` : text)
