import { codePointBoundary, headUnits, utf8Length } from '../../ops/utf8.js'

interface Measure {
  readonly length: (text: string) => number
  /** Units of `text` that fit into `room`; never the half of a character. */
  readonly fitting: (text: string, room: number) => number
}

/** Bytes of UTF-8, or UTF-16 units. */
const MEASURES: Readonly<Record<'bytes' | 'characters', Measure>> = {
  bytes: { length: utf8Length, fitting: headUnits },
  characters: { length: (text) => text.length, fitting: codePointBoundary },
}

/** The beginning of a stream that comes in pieces: the shell port itself keeps beginning and end. */
export class StreamHead {
  readonly #most: number
  readonly #measure: Measure
  #text = ''
  #total = 0

  constructor(most: number, unit: keyof typeof MEASURES = 'bytes') {
    this.#most = most
    this.#measure = MEASURES[unit]
  }

  /** Whether there was more. */
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
