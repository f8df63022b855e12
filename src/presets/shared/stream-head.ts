import { codePointBoundary, headUnits, utf8Length } from '../../ops/utf8.js'

interface Measure {
  readonly length: (text: string) => number
  /** The number of units of `text` that fit into `room`, without splitting a character. */
  readonly fitting: (text: string, room: number) => number
}

/** Measures in UTF-8 bytes or UTF-16 units. */
const MEASURES: Readonly<Record<'bytes' | 'characters', Measure>> = {
  bytes: { length: utf8Length, fitting: headUnits },
  characters: { length: (text) => text.length, fitting: codePointBoundary },
}

/** Keeps the beginning of a stream that arrives in pieces. The shell port itself keeps the beginning and the end. */
export class StreamHead {
  readonly #most: number
  readonly #measure: Measure
  #text = ''
  #total = 0

  constructor(most: number, unit: keyof typeof MEASURES = 'bytes') {
    this.#most = most
    this.#measure = MEASURES[unit]
  }

  /** Whether the stream was longer than the kept beginning. */
  get truncated(): boolean {
    return this.#total > this.#most
  }

  get text(): string {
    return this.#text
  }

  push(piece: string): void {
    if (this.truncated) return
    const length = this.#measure.length(piece)
    const room = this.#most - this.#total
    this.#text += length <= room ? piece : piece.slice(0, this.#measure.fitting(piece, room))
    this.#total += length
  }
}
