/** Code points of one line that are shown. */
export const MAX_LINE: number = 500
/** Bytes of a line that are kept: more than its first 500 code points can have, and a CR behind them. */
const KEPT = 4 * MAX_LINE + 4

const LF = 10
const CR = 13

/** Some lines of a file that comes in pieces: each without its separator (LF or CRLF), and no more of it than is shown. */
export class LineWindow {
  /** 0-based line -> the beginning of its bytes. */
  readonly lines: Uint8Array[] = []
  readonly #limit: number
  /** Lines still to be passed over. */
  #skip: number
  #line: Uint8Array = new Uint8Array()
  /** Whether the line that comes has any bytes yet. */
  #begun = false

  constructor(offset: number, limit: number) {
    this.#skip = offset
    this.#limit = limit
  }

  get full(): boolean {
    return this.lines.length >= this.#limit
  }

  push(bytes: Uint8Array): void {
    let at = 0
    for (let end = bytes.indexOf(LF); end >= 0 && !this.full; end = bytes.indexOf(LF, at)) {
      this.#take(bytes.subarray(at, end))
      this.#close(true)
      at = end + 1
    }
    if (at < bytes.length && !this.full) this.#take(bytes.subarray(at))
  }

  /** Nothing more comes: what stands behind the last separator is a line too. */
  end(): void {
    if (this.#begun && !this.full) this.#close(false)
  }

  #take(bytes: Uint8Array): void {
    this.#begun = true
    if (this.#skip > 0) return
    const room = KEPT - this.#line.length
    if (room <= 0 || bytes.length === 0) return
    const line = new Uint8Array(this.#line.length + Math.min(room, bytes.length))
    line.set(this.#line)
    line.set(bytes.subarray(0, room), this.#line.length)
    this.#line = line
  }

  #close(separated: boolean): void {
    if (this.#skip > 0) this.#skip--
    else this.lines.push(separated && this.#line.at(-1) === CR && this.#line.length < KEPT ? this.#line.subarray(0, -1) : this.#line)
    this.#line = new Uint8Array()
    this.#begun = false
  }
}
