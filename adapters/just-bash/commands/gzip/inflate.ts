// Decoder for deflate (RFC 1951). The streams of the runtimes report neither where a member ends nor the kind of error.

export class Damaged extends Error {}
export class CutOff extends Error {}

interface Codes {
  /** `counts`: the number of codes of each length. `symbols`: the symbols in the order of their codes. */
  readonly counts: Uint16Array
  readonly symbols: Uint16Array
}

const MAX_BITS = 15
const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258]
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385,
  24577,
]
const DISTANCE_EXTRA = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13]
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
/** Number of output bytes between two calls of `turn`. */
const TURN = 64 * 1024

export interface Inflated {
  readonly bytes: Uint8Array
  /** Offset of the end of the data in the input. */
  readonly end: number
}

/** @throws {Damaged}, {CutOff}, or an error of `turn`, which is called with the output size so far */
export async function inflate(input: Uint8Array, start: number, turn: (size: number) => Promise<void>): Promise<Inflated> {
  const state = new Inflater(input, start)
  for (;;) {
    const last = state.bits(1)
    const type = state.bits(2)
    if (type === 0) state.stored()
    else if (type === 3) throw new Damaged()
    else {
      const codes = type === 1 ? FIXED : state.dynamic()
      while (!state.block(codes, TURN)) await turn(state.size)
    }
    await turn(state.size)
    if (last) return { bytes: state.bytes(), end: state.end() }
  }
}

class Inflater {
  readonly #input: Uint8Array
  #at: number
  #held = 0
  #count = 0
  #out = new Uint8Array(TURN)
  size = 0

  constructor(input: Uint8Array, start: number) {
    this.#input = input
    this.#at = start
  }

  bits(need: number): number {
    while (this.#count < need) {
      if (this.#at >= this.#input.length) throw new CutOff()
      this.#held |= (this.#input[this.#at++] as number) << this.#count
      this.#count += 8
    }
    const value = this.#held & ((1 << need) - 1)
    this.#held >>>= need
    this.#count -= need
    return value
  }

  bytes(): Uint8Array {
    return this.#out.slice(0, this.size)
  }

  end(): number {
    return this.#at - (this.#count >> 3)
  }

  stored(): void {
    this.#at -= this.#count >> 3
    this.#held = 0
    this.#count = 0
    const [a, b, c, d] = this.#input.subarray(this.#at, this.#at + 4)
    if (d === undefined) throw new CutOff()
    const length = (a as number) | ((b as number) << 8)
    if (length !== (~((c as number) | (d << 8)) & 0xffff)) throw new Damaged()
    this.#at += 4
    const part = this.#input.subarray(this.#at, this.#at + length)
    if (part.length < length) throw new CutOff()
    this.#room(length)
    this.#out.set(part, this.size)
    this.size += length
    this.#at += length
  }

  dynamic(): readonly [Codes, Codes] {
    const literals = this.bits(5) + 257
    const distances = this.bits(5) + 1
    const count = this.bits(4) + 4
    if (literals > 286 || distances > 30) throw new Damaged()
    const lengths = new Uint8Array(19)
    for (let i = 0; i < count; i++) lengths[ORDER[i] as number] = this.bits(3)
    const codes = codesOf(lengths)
    const all = new Uint8Array(literals + distances)
    for (let i = 0; i < all.length; ) {
      const symbol = this.#symbol(codes)
      if (symbol < 16) {
        all[i++] = symbol
        continue
      }
      if (symbol === 16 && i === 0) throw new Damaged()
      const value = symbol === 16 ? (all[i - 1] as number) : 0
      const repeat = symbol === 16 ? 3 + this.bits(2) : symbol === 17 ? 3 + this.bits(3) : 11 + this.bits(7)
      if (i + repeat > all.length) throw new Damaged()
      all.fill(value, i, i + repeat)
      i += repeat
    }
    return [codesOf(all.subarray(0, literals)), codesOf(all.subarray(literals))]
  }

  /** Decodes at least `most` bytes of a block, or to its end. Returns true at the end of the block. */
  block([literals, distances]: readonly [Codes, Codes], most: number): boolean {
    const until = this.size + most
    while (this.size < until) {
      const symbol = this.#symbol(literals)
      if (symbol === 256) return true
      if (symbol < 256) {
        this.#room(1)
        this.#out[this.size++] = symbol
        continue
      }
      const index = symbol - 257
      if (index >= LENGTH_BASE.length) throw new Damaged()
      const length = (LENGTH_BASE[index] as number) + this.bits(LENGTH_EXTRA[index] as number)
      const code = this.#symbol(distances)
      if (code >= DISTANCE_BASE.length) throw new Damaged()
      const distance = (DISTANCE_BASE[code] as number) + this.bits(DISTANCE_EXTRA[code] as number)
      if (distance > this.size) throw new Damaged()
      this.#room(length)
      for (let i = 0; i < length; i++, this.size++) this.#out[this.size] = this.#out[this.size - distance] as number
    }
    return false
  }

  #symbol({ counts, symbols }: Codes): number {
    let code = 0
    let first = 0
    let index = 0
    for (let length = 1; length <= MAX_BITS; length++) {
      code |= this.bits(1)
      const count = counts[length] as number
      if (code - count < first) return symbols[index + (code - first)] as number
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw new Damaged()
  }

  #room(more: number): void {
    if (this.size + more <= this.#out.length) return
    const larger = new Uint8Array(Math.max(this.#out.length * 2, this.size + more))
    larger.set(this.#out)
    this.#out = larger
  }
}

function codesOf(lengths: Uint8Array): Codes {
  const counts = new Uint16Array(MAX_BITS + 1)
  for (const length of lengths) counts[length] = (counts[length] as number) + 1
  const offsets = new Uint16Array(MAX_BITS + 2)
  for (let length = 1; length <= MAX_BITS; length++) offsets[length + 1] = (offsets[length] as number) + (counts[length] as number)
  const symbols = new Uint16Array(lengths.length)
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue
    const at = offsets[length] as number
    symbols[at] = symbol
    offsets[length] = at + 1
  }
  return { counts, symbols }
}

const FIXED: readonly [Codes, Codes] = [
  codesOf(Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))),
  codesOf(new Uint8Array(30).fill(5)),
]
