import { chunkedText } from './chunked-text.js'
import { foldText } from './edit-fold.js'
import type { Steps } from './steps.js'

/** Minimum number of edits and minimum length of the text for searching in blocks. Below, each edit searches the whole text. */
const MIN_EDITS = 8
const MIN_UNITS = 65_536
/** Approximate code units of a block. */
const BLOCK = 4096
/** Blocks folded and searched in one step. */
const BLOCKS_A_STEP = 32
/** Lengths of text to hash, longest first: longer hashes give fewer false positions. Shorter old texts are searched in the whole text. */
const HASHED = [48, 24, 12, 6, 3]
/** Number of code units of an old text to compare for finding the blocks that may contain the text. */
const COMPARED = 64
/** Extra code units to search at the ends of a match, because lines of the file may have more trailing white space than the old text. */
const SLACK = 64
/** Code units folded or searched in one step. */
const UNITS_A_STEP = 131_072
const BASE = 16_777_619
const FLAGS = 65_536
/**
 * Maximum total length of repeated searches after changes, as a multiple of the text's length. Beyond that, searching the whole text is
 * cheaper.
 */
const MAX_AGAIN = 16

/** A part of the text that can be folded independently: whole lines, or a part of a line that was split between two plain characters. */
interface Block {
  readonly text: string
  readonly folded: string
  isGone: boolean
}

/** A part of a folded old text, and the blocks that may contain it. */
interface Pattern {
  readonly part: string
  /** Maximum code units before the part. */
  before: number
  /** Maximum code units of the folded old texts that contain this part. */
  size: number
  readonly blocks: Set<Block>
}

/** A range of the text that contains everything that an edit has to search. */
export interface Window {
  readonly text: string
  /** Whether the window ends within a line. */
  readonly isCut: boolean
  /** Index of its first block. */
  readonly first: number
}

/** A text for many consecutive edits. It is split into blocks, so that each edit searches only blocks that may contain its old text. */
export interface EditedText {
  length(): number
  join(): string
  /**
   * Returns the windows that may contain `old`, disjoint and in ascending order. With `breaks`, each window includes a line break on either
   * side, if there is one.
   */
  windows(old: string, breaks: boolean): readonly Window[]
  /** Replaces `[start, end)` of a window. If several windows change, start with the last one. */
  replace(window: Window, start: number, end: number, fresh: string): Steps<void>
}

export function* editedText(text: string, olds: readonly string[]): Steps<EditedText> {
  const patterns = olds.length < MIN_EDITS || text.length < MIN_UNITS ? new Map<string, Pattern>() : yield* patternsOf(olds)
  const edited = new BlockText(patterns, patterns.size === 0 ? [unfolded(text)] : yield* blocksOf(text), text.length)
  if (patterns.size > 0) yield* edited.search()
  return edited
}

/** A class for speed: nested generator functions would be created again on each call. */
class BlockText implements EditedText {
  readonly #patterns: Map<string, Pattern>
  readonly #searches: readonly ((block: Block, seen: string) => number)[]
  readonly #units: number
  #blocks: Block[]
  #length: number
  #again = 0

  constructor(patterns: Map<string, Pattern>, blocks: Block[], units: number) {
    this.#patterns = patterns
    const different = patterns.size === 0 ? [] : [...new Set(patterns.values())]
    this.#searches = different.length === 0 ? [] : HASHED.map((size, i) => searchFor(different, size, HASHED[i - 1]))
    this.#blocks = blocks
    this.#units = units
    this.#length = units
  }

  length(): number {
    return this.#length
  }

  join(): string {
    return this.#joined(0, this.#blocks.length)
  }

  windows(old: string, breaks: boolean): readonly Window[] {
    const blocks = this.#blocks
    const pattern = this.#patterns.get(old)
    const some = pattern && pattern.blocks.size * 4 < blocks.length ? this.#rangesOf(pattern, breaks) : undefined
    return (some ?? [[0, blocks.length] as const]).map(([from, to]) => {
      const whole = this.#joined(from, to)
      return { text: whole, isCut: to < blocks.length && !whole.endsWith('\n'), first: from }
    })
  }

  *replace({ first }: Window, start: number, end: number, fresh: string): Steps<void> {
    const blocks = this.#blocks
    // Include one more block on either side, so that the outer ends stay unchanged.
    let [from, at] = [first, 0]
    while (from < blocks.length - 1 && at + (blocks[from] as Block).text.length <= start) at += (blocks[from++] as Block).text.length
    let [to, until] = [from, at]
    while (to < blocks.length && until < end) until += (blocks[to++] as Block).text.length
    const begin = Math.max(0, from - 1)
    const stop = Math.min(blocks.length, to + 1)
    const offset = at - (begin < from ? (blocks[begin] as Block).text.length : 0)
    const old = this.#joined(begin, stop)
    const changed = old.slice(0, start - offset) + fresh + old.slice(end - offset)
    this.#length += fresh.length - (end - start)
    if (this.#patterns.size === 0) {
      this.#blocks = [unfolded(changed)]
      return
    }
    const made = yield* blocksOf(changed)
    this.#again += changed.length
    for (const block of blocks.slice(begin, stop)) block.isGone = true
    this.#blocks = [...blocks.slice(0, begin), ...made, ...blocks.slice(stop)]
    if (this.#again > MAX_AGAIN * (this.#units + this.#length)) {
      this.#patterns.clear()
      this.#blocks = [unfolded(this.join())]
      return
    }
    let before = begin
    for (let room = COMPARED; room > 0 && before > 0; ) room -= (this.#blocks[--before] as Block).folded.length
    yield* this.search(before, begin + made.length)
  }

  /** Records which parts of old texts start in these blocks. */
  *search(from = 0, to: number = this.#blocks.length): Steps<void> {
    const blocks = this.#blocks
    let room = UNITS_A_STEP
    for (let i = Math.max(0, from); i < Math.min(to, blocks.length); i++) {
      const block = blocks[i] as Block
      let seen = block.folded
      for (let k = i + 1; k < blocks.length && seen.length < block.folded.length + COMPARED; k++)
        seen += (blocks[k] as Block).folded.slice(0, COMPARED)
      for (const each of this.#searches) room -= each(block, seen)
      if (room > 0) continue
      room = UNITS_A_STEP
      yield
    }
  }

  #joined(from: number, to: number): string {
    const out = chunkedText()
    for (let i = from; i < to; i++) out.push((this.#blocks[i] as Block).text)
    return out.join()
  }

  #hasBreak(index: number): boolean {
    return this.#blocks[index]?.text.includes('\n') ?? true
  }

  #rangeFrom(index: number, { before, size }: Pattern, breaks: boolean): [number, number] {
    const blocks = this.#blocks
    let [from, to] = [index, index + 1]
    for (let room = before; room > 0 && from > 0; ) room -= (blocks[--from] as Block).folded.length
    from--
    for (let room = size + SLACK; room > 0 && to < blocks.length; to++) room -= (blocks[to] as Block).folded.length
    while (breaks && !this.#hasBreak(from)) from--
    while (breaks && !this.#hasBreak(to)) to++
    return [Math.max(0, from), Math.min(blocks.length, to + 1)]
  }

  #rangesOf(pattern: Pattern, breaks: boolean): [number, number][] {
    const at: number[] = []
    for (const block of pattern.blocks) {
      if (block.isGone) pattern.blocks.delete(block)
      else at.push(this.#blocks.indexOf(block))
    }
    const ranges: [number, number][] = []
    for (const index of at.sort((a, b) => a - b)) {
      const [from, to] = this.#rangeFrom(index, pattern, breaks)
      const last = ranges.at(-1)
      if (last && from <= last[1]) last[1] = Math.max(to, last[1])
      else ranges.push([from, to])
    }
    return ranges
  }
}

const unfolded = (text: string): Block => ({ text, folded: '', isGone: false })

function* blocksOf(text: string): Steps<Block[]> {
  const blocks: Block[] = []
  for (const each of cut(text)) {
    blocks.push({ text: each, folded: foldText(each, 'unicode').text, isGone: false })
    if (blocks.length % BLOCKS_A_STEP === 0) yield
  }
  return blocks
}

/** Whether folding never combines this character with a neighbour. */
const isPlain = (unit: number): boolean => (unit > 0x20 && unit < 0x7f) || (unit >= 0x4e00 && unit < 0xa000)

function cut(text: string): string[] {
  const parts: string[] = []
  let from = 0
  let ends = 0
  while (text.length - from > 2 * BLOCK) {
    if (ends < from + BLOCK) ends = text.indexOf('\n', from + BLOCK) + 1 || text.length
    let at = ends
    if (at > from + 2 * BLOCK) {
      at = from + BLOCK
      while (at < text.length && text[at - 1] !== '\n' && !(isPlain(text.charCodeAt(at - 1)) && isPlain(text.charCodeAt(at)))) at++
    }
    parts.push(text.slice(from, at))
    from = at
  }
  parts.push(text.slice(from))
  return parts
}

function* patternsOf(olds: readonly string[]): Steps<Map<string, Pattern>> {
  const patterns = new Map<string, Pattern>()
  const known = new Map<string, Pattern>()
  let room = UNITS_A_STEP
  for (const old of olds) {
    room -= SLACK + old.length
    if (room < 0) {
      room = UNITS_A_STEP
      yield
    }
    const folded = foldText(old, 'unicode').text
    // The characters around a match in the file may change how its first and last characters are folded, so leave these out.
    const core = folded.replace(/^[\p{M}\u1160-\u11ff]+/u, '').trimEnd()
    const [part, before] = tellingPart(core.replace(/[^\p{M}]?\p{M}*$/u, ''))
    if (part.length < (HASHED.at(-1) ?? 0)) continue
    const pattern = known.get(part) ?? { part, before: 0, size: 0, blocks: new Set<Block>() }
    pattern.before = Math.max(pattern.before, before > 0 ? before + SLACK : 0)
    pattern.size = Math.max(pattern.size, folded.length)
    known.set(part, pattern)
    patterns.set(old, pattern)
  }
  return patterns
}

/** Returns the most distinctive part and its offset: of the start, the middle and the end, the one with the most different characters. */
function tellingPart(core: string): readonly [string, number] {
  const end = Math.max(0, core.length - COMPARED)
  let [best, most] = [0, 0]
  for (const at of [0, end >> 1, end]) {
    const different = new Set(core.slice(at, at + COMPARED)).size
    if (different > most) [best, most] = [at, different]
  }
  return [core.slice(best, best + COMPARED), best]
}

/**
 * Creates a Rabin-Karp search for patterns of at least `window` and less than `below` code units. The search returns its approximate cost.
 */
function searchFor(patterns: readonly Pattern[], window: number, below = Number.POSITIVE_INFINITY): (block: Block, seen: string) => number {
  // Patterns may share a prefix: one lookup finds all patterns of a length at an offset.
  const byHash = new Map<number, Map<number, Map<string, Pattern>>>()
  const fitting = patterns.filter(({ part }) => part.length >= window && part.length < below)
  if (fitting.length === 0) return () => 0
  const flags = new Uint8Array(FLAGS)
  for (const pattern of fitting) {
    const { part } = pattern
    let hash = 0
    for (let i = 0; i < window; i++) hash = (Math.imul(hash, BASE) + part.charCodeAt(i)) | 0
    flags[hash & (FLAGS - 1)] = 1
    const lengths = byHash.get(hash) ?? new Map<number, Map<string, Pattern>>()
    const texts = lengths.get(part.length) ?? new Map<string, Pattern>()
    byHash.set(hash, lengths.set(part.length, texts.set(part, pattern)))
  }
  let leaving = 1
  for (let i = 0; i < window; i++) leaving = Math.imul(leaving, BASE)
  return (block, seen) => {
    let hash = 0
    let compared = 0
    const end = Math.min(seen.length, block.folded.length + window - 1)
    for (let i = 0; i < end; i++) {
      hash = (Math.imul(hash, BASE) + seen.charCodeAt(i)) | 0
      if (i >= window) hash = (hash - Math.imul(leaving, seen.charCodeAt(i - window))) | 0
      if (i < window - 1 || flags[hash & (FLAGS - 1)] === 0) continue
      const at = i + 1 - window
      for (const [length, texts] of byHash.get(hash) ?? []) {
        texts.get(seen.slice(at, at + length))?.blocks.add(block)
        compared++
      }
    }
    return end + COMPARED * compared
  }
}
