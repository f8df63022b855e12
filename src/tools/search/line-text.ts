import type { LineMatcher } from '../../ops/compile-pattern.js'
import type { Slicer } from '../../workspace/slicer.js'

/** Bytes to decode in one step. */
const BYTES_A_STEP = 256 * 1024

/**
 * Returns the bytes that every file with a match contains. Undefined if the required text contains a line break, which may be CRLF in the
 * file, or U+FFFD, which decoding makes of invalid bytes.
 */
export function needleOf({ required }: LineMatcher): Uint8Array | undefined {
  return required === undefined || /[\n\uFFFD\p{Surrogate}]/u.test(required) ? undefined : new TextEncoder().encode(required)
}

/** Decodes the bytes of a file in steps, part by part, with the line breaks that a search expects. */
export class LineText {
  readonly #decoder = new TextDecoder()
  readonly #keepsReturns: boolean
  readonly #slicer: Slicer
  /** A carriage return at the end of the last part, because a line feed may follow. */
  #held = ''

  constructor(matcher: LineMatcher, slicer: Slicer) {
    this.#keepsReturns = matcher.seesReturns
    this.#slicer = slicer
  }

  /** Decodes the next part. Undefined if a NUL shows that the file is binary. */
  async read(bytes: Uint8Array, isEnd: boolean): Promise<string | undefined> {
    const parts: string[] = []
    for (let at = 0; at === 0 || at < bytes.length; at += BYTES_A_STEP) {
      const stream = !isEnd || at + BYTES_A_STEP < bytes.length
      const part = this.#held + this.#decoder.decode(bytes.subarray(at, at + BYTES_A_STEP), { stream })
      if (part.includes('\0')) return undefined
      parts.push(this.#unified(part, stream))
      if (this.#slicer.due(1 + (part.length >> 9))) await this.#slicer.pause()
    }
    return parts.join('')
  }

  #unified(part: string, goesOn: boolean): string {
    if (this.#keepsReturns) return part
    this.#held = goesOn && part.endsWith('\r') ? '\r' : ''
    const whole = this.#held === '' ? part : part.slice(0, -1)
    // Not `replaceAll`: it makes a tree of pieces, and its garbage collection pauses for tens of milliseconds.
    return whole.includes('\r\n') ? whole.split('\r\n').join('\n') : whole
  }
}
