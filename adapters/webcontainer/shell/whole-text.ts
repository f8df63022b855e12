/**
 * Text that comes in pieces, cut anywhere: a piece never ends in half a character. With `lines`, line ends are LF: a terminal makes CR LF
 * of each, and CR LF of CR LF.
 */
export class WholeText {
  readonly #lines: boolean
  #held = ''

  constructor(lines: boolean) {
    this.#lines = lines
  }

  push(piece: string): string {
    const text = this.#held + piece
    const end = this.#end(text)
    this.#held = text.slice(end)
    return this.#clean(text.slice(0, end))
  }

  /** What was held back, when nothing more comes. */
  finish(): string {
    const held = this.#held
    this.#held = ''
    return this.#clean(held)
  }

  #end(text: string): number {
    const last = text.charCodeAt(text.length - 1)
    const isHalf = last >= 0xd800 && last <= 0xdbff
    if (isHalf) return text.length - 1
    return this.#lines ? text.length - (/\r+$/.exec(text)?.[0].length ?? 0) : text.length
  }

  #clean(text: string): string {
    const whole = text.replace(/\p{Surrogate}/gu, '\ufffd')
    return this.#lines ? whole.replace(/\r+\n/g, '\n') : whole
  }
}
