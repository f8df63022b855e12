import { chunkedText } from './chunked-text.js'
import { detectEol } from './lines.js'
import type { Steps } from './steps.js'

/** Fewer edits, or a shorter text, take as long one by one. */
const MIN_EDITS = 8
const MIN_UNITS = 65_536
/** Code units of which a hash is kept, so that all old texts are found in one pass. Shorter texts are looked up one by one. */
const WINDOWS = [48, 24, 12, 8]
/** Of one old text. With more it is hardly one that stands once. */
const MAX_PLACES = 64
const UNITS_A_STEP = 500_000
const BASE = 16_777_619
const FLAGS = 65_536

export interface TextEdit {
  /** Text that stands in the file once. Not empty. */
  readonly oldString: string
  /** Taken literally; its line endings become those of the place it goes to. */
  readonly newString: string
  /** Replace every match at the level found instead of insisting on one. Default false. */
  readonly replaceAll?: boolean
}

/** A part of the original text, and what stands there now. */
interface Span {
  readonly from: number
  readonly to: number
  readonly text: string
}

interface Prepared {
  /** With the line endings of the text. Undefined: only `applyEdit` can tell. */
  readonly old: string | undefined
  readonly fresh: string
  /** Where it stands in the original text. */
  readonly places: number[]
}

/** Edits of a long text, each applied to the result of the one before, that look through the text once and not once for each edit. */
export interface EditBatch {
  /** Applies the next edit, whose old text has to stand exactly once, and says how it was found; undefined: it was not applied. */
  next(): 'exact' | 'eol' | undefined
  /** The result so far. */
  text(): string
}

/** Undefined where it would not be faster. */
export function* openBatch(text: string, edits: readonly TextEdit[]): Steps<EditBatch | undefined> {
  const end = edits.findIndex(({ replaceAll }) => replaceAll)
  const plain = end < 0 ? edits : edits.slice(0, end)
  const eol = detectEol(text)
  if (plain.length < MIN_EDITS || text.length < MIN_UNITS || eol === 'mixed') return undefined
  const known = new Map<string, number[]>()
  const prepared = plain.map((edit) => prepare(edit, eol === 'crlf' ? '\r\n' : '\n', known))
  for (const [i, window] of WINDOWS.entries()) yield* findPlaces(text, prepared, window, WINDOWS[i - 1] ?? Number.POSITIVE_INFINITY)
  return batchOf(text, plain, prepared)
}

/** `known`: the places of each old text, which equal ones share. */
function prepare({ oldString, newString }: TextEdit, eol: '\n' | '\r\n', known: Map<string, number[]>): Prepared {
  const old = oldString.replace(/\r?\n/g, eol)
  const fresh = newString.replace(/\r?\n/g, eol)
  // A CR that ends no line could become the half of a line break.
  const hasLoneCr = [old, fresh].some((each) => /\r(?!\n)/.test(each))
  const isOther = (eol === '\n' && oldString.includes('\r')) || (eol === '\r\n' && old.startsWith('\r\n'))
  const isShort = old.length < (WINDOWS.at(-1) ?? 0)
  const places = known.get(old) ?? []
  known.set(old, places)
  return { old: hasLoneCr || isOther || isShort || oldString === newString ? undefined : old, fresh, places }
}

/** Rabin and Karp's search for the old texts of at least `window` code units, and of fewer than `below`. */
function* findPlaces(text: string, prepared: readonly Prepared[], window: number, below: number): Steps<void> {
  // Old texts may share their beginning: one look-up finds all of a length that stand at a place.
  const byHash = new Map<number, Map<number, Map<string, number[]>>>()
  const flags = new Uint8Array(FLAGS)
  for (const { old, places } of prepared) {
    if (old === undefined || old.length < window || old.length >= below) continue
    let hash = 0
    for (let i = 0; i < window; i++) hash = (Math.imul(hash, BASE) + old.charCodeAt(i)) | 0
    flags[hash & (FLAGS - 1)] = 1
    const lengths = byHash.get(hash) ?? new Map<number, Map<string, number[]>>()
    byHash.set(hash, lengths.set(old.length, (lengths.get(old.length) ?? new Map<string, number[]>()).set(old, places)))
  }
  if (byHash.size === 0) return
  let leaving = 1
  for (let i = 0; i < window; i++) leaving = Math.imul(leaving, BASE)
  let hash = 0
  let room = UNITS_A_STEP
  for (let i = 0; i < text.length; i++) {
    if (--room < 0) {
      room = UNITS_A_STEP
      yield
    }
    hash = (Math.imul(hash, BASE) + text.charCodeAt(i)) | 0
    if (i >= window) hash = (hash - Math.imul(leaving, text.charCodeAt(i - window))) | 0
    if (i < window - 1 || flags[hash & (FLAGS - 1)] === 0) continue
    const at = i + 1 - window
    for (const [length, texts] of byHash.get(hash) ?? []) {
      room -= length
      const places = texts.get(text.slice(at, at + length))
      if (places && places.length <= MAX_PLACES) places.push(at)
    }
  }
}

function batchOf(text: string, edits: readonly TextEdit[], prepared: readonly Prepared[]): EditBatch {
  const spans: Span[] = []
  let at = 0

  /** The spans that may take part in one match of `size`, with what stands beside them. */
  function* windows(size: number): Generator<{ readonly first: number; readonly count: number; readonly pieces: readonly Span[] }> {
    for (let first = 0, next = 0; first < spans.length; first = next) {
      for (next = first + 1; next < spans.length && gap(next) < size; ) next++
      const group = spans.slice(first, next)
      const from = Math.max(first === 0 ? 0 : (spans[first - 1] as Span).to, (group[0] as Span).from - size + 1)
      const to = Math.min(spans[next]?.from ?? text.length, (group.at(-1) as Span).to + size - 1)
      const pieces: Span[] = []
      let behind = from
      for (const span of group) {
        pieces.push(kept(behind, span.from), span)
        behind = span.to
      }
      yield { first, count: group.length, pieces: [...pieces, kept(behind, to)] }
    }
  }
  const gap = (index: number): number => (spans[index] as Span).from - (spans[index - 1] as Span).to
  const kept = (from: number, to: number): Span => ({ from, to, text: text.slice(from, to) })

  /** What the list of spans becomes with each match, the first two of them. */
  function matches({ old = '', fresh, places }: Prepared): (() => void)[] {
    const found: (() => void)[] = []
    for (const place of places) {
      const to = place + old.length
      const index = spans.findIndex((span) => span.to > place)
      const next = spans[index]
      if (next && next.from < to) continue
      found.push(() => void spans.splice(next ? index : spans.length, 0, { from: place, to, text: fresh }))
    }
    for (const { first, count, pieces } of windows(old.length)) {
      const whole = pieces.map((piece) => piece.text).join('')
      for (let place = whole.indexOf(old); place >= 0 && found.length < 2; place = whole.indexOf(old, place + 1)) {
        if (isKept(pieces, place, place + old.length)) continue
        const merged = whole.slice(0, place) + fresh + whole.slice(place + old.length)
        const span = { from: (pieces[0] as Span).from, to: (pieces.at(-1) as Span).to, text: merged }
        found.push(() => void spans.splice(first, count, span))
      }
    }
    return found
  }

  return {
    next() {
      const [edit, each] = [edits[at], prepared[at]]
      if (!edit || each?.old === undefined || each.places.length > MAX_PLACES) return undefined
      const [match, other] = matches(each)
      if (!match || other) return undefined
      match()
      at++
      return each.old === edit.oldString ? 'exact' : 'eol'
    },
    text() {
      const out = chunkedText()
      let behind = 0
      for (const span of spans) {
        out.push(text.slice(behind, span.from))
        out.push(span.text)
        behind = span.to
      }
      out.push(text.slice(behind))
      return out.join()
    },
  }
}

/** Whether a match lies in one piece of the original text: it is among the places that were found there. */
function isKept(pieces: readonly Span[], from: number, to: number): boolean {
  let at = 0
  for (const [i, { text }] of pieces.entries()) {
    if (i % 2 === 0 && at <= from && to <= at + text.length) return true
    at += text.length
  }
  return false
}
