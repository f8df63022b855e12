import { fromBase64, toBase64 } from '../../../ops/base64.js'
import { encodeUtf8 } from '../../../ops/utf8.js'
import type { JsonValue } from '../../../types/tool.js'
import { Finder, textInBase64 } from './encodings.js'
import { Ids } from './ids.js'
import {
  FORMS,
  isCookies,
  isNamedSecret,
  isRandom,
  isSecret,
  isTelling,
  isToken,
  REDACTED,
  SCHEME,
  SURE_FORMS,
  secretsWithin,
} from './secrets.js'
import { eventsOf, rewriteStreams } from './streams.js'
import { recordable, TAG } from './values.js'

/** A part of a text and its replacement. */
interface Span {
  readonly start: number
  readonly end: number
  readonly by: string
}

/** Fields whose text may be the JSON of a tool's input. */
const INPUT_FIELD = /^(?:input|arguments)$/

/** Fields with bytes in base64. */
const BYTES_FIELDS: ReadonlySet<string> = new Set([TAG.bytes, 'base64'])

/** Cleans everything that goes into a cassette: redacts secrets, and numbers ids in order of appearance. */
export class Cleaner {
  readonly #own: readonly RegExp[]
  readonly #known = new Finder()
  readonly #ids = new Ids()

  /** `redact`: secrets to remove, as literal strings or patterns. */
  constructor(redact: readonly (string | RegExp)[]) {
    this.#own = redact.filter((secret) => typeof secret !== 'string').map(global)
    for (const secret of redact) if (typeof secret === 'string') this.#known.add(secret)
  }

  /** Returns a cleaner for already cleaned values. It redacts `secrets` and all secrets found so far, and does not replace ids. */
  late(secrets: readonly string[]): Cleaner {
    return new Cleaner([...this.#own, ...secrets, ...this.#known.secrets])
  }

  /** @throws TypeError for a value that cannot be recorded */
  clean(given: unknown, inCookies = false): JsonValue {
    const value = recordable(given)
    if (typeof value === 'string') return inCookies ? this.#hidden(value) : this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.clean(item, inCookies))
    // Normalise as JSON does, because values are compared with parsed ones: -0 becomes 0, NaN becomes null.
    if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return (value ?? null) as JsonValue
    const fields = Object.entries(value).filter(([, field]) => field !== undefined && typeof field !== 'function')
    const object = value as Readonly<Record<string, unknown>>
    const isNamed = isNamedSecret(object, inCookies)
    // Remember the values under names of secrets first, so that earlier fields of this object are redacted too.
    const isHidden = ([name, field]: readonly [string, unknown]): boolean =>
      isNamed ? name === 'value' : !isCookies(name, field) && !isToken(name, object) && isSecret(name, field)
    for (const field of fields) if (isHidden(field)) this.#hidden(field[1])
    const cleaned = new Map<string, JsonValue>()
    for (const [name, field] of fields) {
      if (INPUT_FIELD.test(name)) this.#learnInput(field)
      let key = this.#redacted(name)
      while (cleaned.has(key)) key += REDACTED
      if (isHidden([name, field])) cleaned.set(key, this.#hidden(field))
      else if (BYTES_FIELDS.has(name) && typeof field === 'string') cleaned.set(key, this.#bytes(field))
      else cleaned.set(key, this.clean(field, isCookies(name, field) || (inCookies && !isNamed)))
    }
    return Object.fromEntries(cleaned)
  }

  /** Cleans a model's answer: learns the answer's ids, and redacts secrets that are split over several stream events. */
  answer(value: unknown): JsonValue {
    this.learnIds(value)
    rewriteStreams(value, (pieces) => {
      this.#learnInput(pieces.join(''))
      return pieces
    })
    return this.clean(rewriteStreams(value, (pieces) => (pieces.length > 1 ? this.#pieces(pieces) : pieces)))
  }

  /** Collects the ids of a model request or answer, so that `clean` replaces these ids in later texts. */
  learnIds(value: unknown): void {
    this.#ids.learn(value)
    for (const event of eventsOf(value)) this.#ids.learn(event)
  }

  text(text: string): string {
    return this.#inBase64(text) ?? this.#pieces([text]).join('')
  }

  /** Cleans text in base64. Leaves binary data unchanged, because changed bytes could make the data unreadable. */
  #bytes(base64: string): string {
    return this.#inBase64(base64) ?? (fromBase64(base64) ? base64 : this.text(base64))
  }

  /** Cleans the text in a base64 string. Undefined if the string contains no text, or nothing to replace. */
  #inBase64(base64: string): string | undefined {
    const text = textInBase64(base64) ?? ''
    const cleaned = text && this.text(text)
    return cleaned === text ? undefined : toBase64(encodeUtf8(cleaned))
  }

  /** Finds the secrets in the joined pieces. Returns the parts of each secret: one part for each piece that contains some of it. */
  split(pieces: readonly string[]): readonly (readonly string[])[] {
    const joined = pieces.join('')
    const ends: number[] = []
    for (const piece of pieces) ends.push((ends.at(-1) ?? 0) + piece.length)
    return spansOf(this.#secretsIn(joined)).flatMap(({ start, end }) => {
      const cuts = [start, ...ends.filter((at) => at > start && at < end), end]
      const parts = cuts.slice(1).map((cut, index) => joined.slice(cuts[index], cut))
      return parts[0] === REDACTED ? [] : [parts]
    })
  }

  /** Cleans the pieces of one text. A replacement goes into the piece in which the secret begins. */
  #pieces(pieces: readonly string[]): string[] {
    const joined = pieces.join('')
    const spans = spansOf([...this.#secretsIn(joined), ...this.#ids.in(joined)])
    let from = 0
    return pieces.map((piece) => {
      const start = from
      from += piece.length
      return replaced(joined, start, from, spans)
    })
  }

  /** Redacts a secret value, and remembers it for all later texts. */
  #hidden(field: unknown): JsonValue {
    if (Array.isArray(field)) return field.map((item) => this.#hidden(item))
    if (typeof field !== 'string' || field === REDACTED) return REDACTED
    const bare = field.trim().replace(SCHEME, '')
    for (const secret of [field, bare]) if (isTelling(secret)) this.#known.add(secret)
    this.#learn(bare)
    return REDACTED
  }

  /** Remembers a secret and the secrets within it, except those that may be ordinary words. */
  #learn(secret: string): void {
    for (const one of secretsWithin(secret)) if (isRandom(one)) this.#known.add(one)
  }

  /** Learns secrets by name from the JSON of a tool's input. */
  #learnInput(text: unknown): void {
    if (typeof text !== 'string' || !text.startsWith('{')) return
    try {
      this.clean(JSON.parse(text))
    } catch {
      // Not JSON: treated as ordinary text.
    }
  }

  #redacted(text: string): string {
    return replaced(text, 0, text.length, spansOf(this.#secretsIn(text)))
  }

  #secretsIn(text: string): readonly Span[] {
    const found: Span[] = []
    const add = (start: number, end: number): unknown => found.push({ start, end, by: REDACTED })
    for (const form of SURE_FORMS)
      for (const { 0: all, 1: kept = '', index } of text.matchAll(form)) {
        this.#learn(all.slice(kept.length))
        add(index + kept.length, index + all.length)
      }
    for (const form of FORMS)
      for (const { 0: all, 1: kept = '', index } of text.matchAll(form)) add(index + kept.length, index + all.length)
    for (const pattern of this.#own) for (const { 0: all, index } of text.matchAll(pattern)) add(index, index + all.length)
    for (const { start, end } of this.#known.in(text)) add(start, end)
    return found
  }
}

/** Sorts spans and merges overlapping ones. A merged span is secret if one of its parts is. */
function spansOf(found: Iterable<Span>): readonly Span[] {
  const spans: Span[] = []
  for (const span of [...found].sort((a, b) => a.start - b.start)) {
    const last = spans.at(-1)
    if (span.end === span.start) continue
    if (!last || span.start >= last.end) spans.push(span)
    else spans[spans.length - 1] = { start: last.start, end: Math.max(last.end, span.end), by: last.by === REDACTED ? REDACTED : span.by }
  }
  return spans
}

function replaced(text: string, from: number, to: number, spans: readonly Span[]): string {
  let [cleaned, at] = ['', from]
  for (const { start, end, by } of spans) {
    if (end <= from || start >= to) continue
    cleaned += text.slice(at, Math.max(at, start)) + (start >= from ? by : '')
    at = Math.min(to, end)
  }
  return cleaned + text.slice(at, to)
}

const global = ({ source, flags }: RegExp): RegExp => new RegExp(source, [...new Set(`${flags.replace('y', '')}g`)].join(''))
