import { utf8Length } from '../../../../src/ops/utf8.js'
import { Printout } from '../shared/bulk.js'
import type { CommandContext } from '../shared/command.js'
import type { Pace } from '../shared/pace.js'
import type { LineMatcher } from './matcher.js'
import type { GrepOptions } from './options.js'

export interface SearchOptions extends GrepOptions {
  readonly context: CommandContext
  readonly matcher: LineMatcher
  readonly withName: boolean
  readonly end: string
  readonly pace: Pace
  readonly unicode: boolean
}

/** How the output names a file and aligns numbers. */
interface Shown {
  readonly name: string
  /** Minimum width of line numbers and offsets. */
  readonly width: number
}

/** Number of characters to search at once. A piece extends to the end of the line. */
const PIECE = 32 * 1024
/** Number of lines to process between two checks whether to yield to the event loop. */
const STEPS = 512

const COLORS = { name: '35', number: '32', separator: '36', match: '01;31' } as const

/** Searches one file. Resolves to the output and the number of selected lines. */
export async function searchLines(text: string, file: Shown, options: SearchOptions): Promise<{ shown: Printout; selected: number }> {
  const { given, matcher, max, pace, end, before, after } = options
  const invert = given.has('v')
  const [listing, only, quiet] = [given.last('c', 'l', 'L') !== undefined, given.has('o'), given.has('q')]
  const printer = new Printer(file, options)
  const held: { line: string; number: number; offset: number }[] = []
  let [selected, number, offset, trailing, lastShown] = [0, 0, 0, 0, 0]
  const sizeOf = (part: string): number => (options.unicode ? utf8Length(part) : part.length)
  const stops = given.last('l', 'L') === 'l' || given.has('L') || quiet
  const hits = new Hits(text, options)
  let steps = 0
  for (let at = 0; at < text.length && selected <= max; ) {
    if (hits.mustSearch(at)) await hits.search(at)
    const next = hits.next(at)
    // The lines before the match are not printed, so skip them.
    if (next !== undefined && next > at && !invert && before === 0 && trailing === 0) {
      for (let stop = text.indexOf(end, at); stop >= 0 && stop < next; stop = text.indexOf(end, stop + 1)) number++
      if (printer.needsOffset) offset += sizeOf(text.slice(at, next))
      at = next
      continue
    }
    const stop = text.indexOf(end, at)
    const line = text.slice(at, stop < 0 ? text.length : stop)
    number++
    steps += 1 + (line.length >> 7)
    if (next === undefined || steps >= STEPS) {
      await pace.turn(steps)
      steps = 0
    }
    const isSelected = selected < max && (next === undefined ? matcher.test(line) : next === at) !== invert
    if (isSelected) {
      selected++
      if (stops) break
      trailing = after
      if (!listing) {
        const from = held[0]?.number ?? number
        if (lastShown > 0 && from > lastShown + 1 && given.last('A', 'B', 'C') !== undefined) printer.gap()
        for (const { line, number, offset } of held.splice(0)) if (!only) printer.line(line, number, offset, '-')
        if (only) {
          if (!invert) await printer.matches(line, number, offset)
        } else printer.line(line, number, offset, ':', !invert)
        lastShown = number
      }
    } else if (!listing && trailing > 0) {
      trailing--
      if (!only) printer.line(line, number, offset, '-')
      lastShown = number
    } else if (!listing && before > 0) {
      held.push({ line, number, offset })
      if (held.length > before) held.shift()
    }
    if (selected >= max && trailing === 0) break
    if (stop < 0) break
    if (printer.needsOffset) offset += sizeOf(line) + 1
    at = stop + 1
  }
  return { shown: printer.shown, selected }
}

/** Finds matching lines, many at once if the matcher supports this. Only moves forward. */
class Hits {
  readonly #text: string
  readonly #options: Pick<SearchOptions, 'end' | 'matcher' | 'pace'>
  /** The current piece of the text, its offset in the text, and whether the piece can be searched as a whole. */
  #piece = ''
  #begin = 0
  #searched = false
  #next = -1

  constructor(text: string, options: Pick<SearchOptions, 'end' | 'matcher' | 'pace'>) {
    this.#text = text
    this.#options = options
  }

  mustSearch(at: number): boolean {
    return at === 0 || at > this.#begin + this.#piece.length
  }

  async search(at: number): Promise<void> {
    const { end, matcher, pace } = this.#options
    const stop = this.#text.indexOf(end, at + PIECE)
    this.#piece = this.#text.slice(at, stop < 0 ? this.#text.length : stop)
    this.#begin = at
    this.#next = -1
    this.#searched = end === '\n' && (matcher.lines?.suits(this.#piece) ?? false)
    await pace.turn(this.#piece.length >> 6)
  }

  /** Returns the offset of the next matching line, or of the next piece. Returns undefined if each line must be tested. */
  next(at: number): number | undefined {
    if (!this.#searched) return undefined
    if (this.#next < at) {
      const found = this.#options.matcher.lines?.next(this.#piece, at - this.#begin)
      this.#next = this.#begin + (found ?? this.#piece.length + 1)
    }
    return this.#next
  }
}

class Printer {
  readonly shown: Printout
  readonly needsOffset: boolean
  readonly #file: Shown
  readonly #options: SearchOptions

  constructor(file: Shown, options: SearchOptions) {
    this.#file = file
    this.#options = options
    this.shown = new Printout(options.context)
    this.needsOffset = options.given.has('b')
  }

  gap(): void {
    const { given } = this.#options
    if (!given.has('no-group-separator')) this.shown.put(`${this.#painted(given.value('group-separator') ?? '--', 'separator')}\n`)
  }

  line(line: string, number: number, offset: number, mark: ':' | '-', selected = false): void {
    const { color, matcher, end } = this.#options
    const text = !selected ? line : color ? this.#highlighted(line) : (matcher.replaced?.(line) ?? line)
    this.shown.put(this.#head(number, offset, mark) + text + end)
  }

  async matches(line: string, number: number, offset: number): Promise<void> {
    const { matcher, end, unicode, pace } = this.#options
    for (let at = 0, count = 1; at <= line.length; count++) {
      if (count % 256 === 0) await pace.turn(200)
      const found = matcher.next(line, at)
      if (!found) break
      if (found.end > found.index) {
        const skipped = line.slice(0, found.index)
        const place = this.needsOffset ? offset + (unicode ? utf8Length(skipped) : skipped.length) : 0
        const text = line.slice(found.index, found.end)
        this.shown.put(this.#head(number, place, ':') + this.#painted(matcher.replaced?.(text) ?? text, 'match') + end)
      }
      at = Math.max(found.end, at + (found.end === found.index ? 1 : 0), found.index === found.end ? found.end + 1 : found.end)
    }
  }

  #head(number: number, offset: number, mark: ':' | '-'): string {
    const { given, withName } = this.#options
    const { name, width } = this.#file
    let head = ''
    if (withName) head += this.#painted(name, 'name') + (given.has('Z') ? '\0' : this.#painted(mark, 'separator'))
    if (given.has('n')) head += this.#painted(String(number).padStart(width), 'number') + this.#painted(mark, 'separator')
    if (this.needsOffset) head += this.#painted(String(offset).padStart(width), 'number') + this.#painted(mark, 'separator')
    return given.has('T') && head !== '' ? `${head}\t` : head
  }

  #highlighted(line: string): string {
    const { matcher } = this.#options
    let out = ''
    let done = 0
    for (let at = 0; at <= line.length; ) {
      const found = matcher.next(line, at)
      if (!found) break
      if (found.end > found.index) {
        out += line.slice(done, found.index) + this.#painted(line.slice(found.index, found.end), 'match')
        done = found.end
      }
      at = found.end === found.index ? found.end + 1 : found.end
    }
    return out + line.slice(done)
  }

  #painted(text: string, as: keyof typeof COLORS): string {
    return this.#options.color ? `\x1b[${COLORS[as]}m\x1b[K${text}\x1b[m\x1b[K` : text
  }
}
