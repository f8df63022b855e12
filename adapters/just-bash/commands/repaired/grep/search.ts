import { utf8Length } from '../../../../../src/ops/utf8.js'
import { Printout } from '../../bulk.js'
import type { CommandContext } from '../../command.js'
import type { Pace } from '../../pace.js'
import type { LineMatcher } from './matcher.js'
import type { GrepOptions } from './options.js'

export interface SearchOptions extends GrepOptions {
  readonly context: CommandContext
  readonly matcher: LineMatcher
  readonly withName: boolean
  readonly end: string
  readonly pace: Pace
  /** Of a number. */
  readonly width: number
  readonly unicode: boolean
}

const COLORS = { name: '35', number: '32', separator: '36', match: '01;31' } as const

/** What grep prints of the lines of one file, and how many it selected. */
export async function searchLines(text: string, name: string, options: SearchOptions): Promise<{ shown: Printout; selected: number }> {
  const { given, matcher, max, pace, end, before, after } = options
  const invert = given.has('v')
  const [listing, only, quiet] = [given.last('c', 'l', 'L') !== undefined, given.has('o'), given.has('q')]
  const printer = new Printer(name, options)
  const held: { line: string; number: number; offset: number }[] = []
  let [selected, number, offset, trailing, lastShown] = [0, 0, 0, 0, 0]
  const stops = given.last('l', 'L') === 'l' || given.has('L') || quiet
  for (let at = 0; at < text.length && selected <= max; ) {
    const stop = text.indexOf(end, at)
    const line = text.slice(at, stop < 0 ? text.length : stop)
    number++
    await pace.turn(1 + (line.length >> 7))
    const isSelected = selected < max && matcher.test(line) !== invert
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
    if (printer.needsOffset) offset += (options.unicode ? utf8Length(line) : line.length) + 1
    at = stop + 1
  }
  return { shown: printer.shown, selected }
}

class Printer {
  readonly shown: Printout
  readonly needsOffset: boolean
  readonly #name: string
  readonly #options: SearchOptions

  constructor(name: string, options: SearchOptions) {
    this.#name = name
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
    const { given, withName, width } = this.#options
    let head = ''
    if (withName) head += this.#painted(this.#name, 'name') + (given.has('Z') ? '\0' : this.#painted(mark, 'separator'))
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
