import { fromBase64 } from '../../../src/ops/base64.js'

/** `1` and `2`: bytes of stdout and stderr. `m`: a piece of a message. `M`: the last piece of a message. */
export type FrameKind = '1' | '2' | 'm' | 'M'

export interface FrameListener {
  frame(kind: FrameKind, bytes: Uint8Array): void
  /** Receives terminal text outside of frames. */
  text(text: string): void
}

/** Maximum characters of a frame. Frames have only a few thousand characters, so longer text without an end marker is not a frame. */
const MAX_FRAME = 64 * 1024

/** Returns the start of every frame. Frames consist only of printable characters, because they pass through a terminal. */
export const frameStart = (token: string): string => `<toolport:${token}:`

/** Finds frames in terminal output that arrives in arbitrary pieces. A terminal may insert line breaks inside a frame. */
export class FrameReader {
  readonly #start: string
  readonly #listener: FrameListener
  #held = ''

  constructor(token: string, listener: FrameListener) {
    this.#start = frameStart(token)
    this.#listener = listener
  }

  push(piece: string): void {
    let text = this.#held + piece
    for (let at = text.indexOf(this.#start); at >= 0; at = text.indexOf(this.#start)) {
      const end = text.indexOf('>', at)
      if (end < 0 && text.length - at <= MAX_FRAME) break
      this.#tell(text.slice(0, at))
      const body = end < 0 || end - at > MAX_FRAME ? undefined : parse(text.slice(at + this.#start.length, end))
      if (body) this.#listener.frame(body.kind, body.bytes)
      else this.#tell(text.slice(at, at + this.#start.length))
      text = text.slice(body ? end + 1 : at + this.#start.length)
    }
    const begun = text.indexOf(this.#start)
    const keep = begun >= 0 ? begun : text.length - overlap(text, this.#start)
    this.#tell(text.slice(0, keep))
    this.#held = text.slice(keep)
  }

  /** Call after the last `push`: passes on the remaining text. */
  finish(): void {
    const held = this.#held
    this.#held = ''
    // The rest is an incomplete frame, not program output, so it is dropped.
    if (!held.startsWith(this.#start)) this.#tell(held)
  }

  #tell(text: string): void {
    if (text !== '') this.#listener.text(text)
  }
}

function parse(body: string): { readonly kind: FrameKind; readonly bytes: Uint8Array } | undefined {
  const [, kind, base64 = ''] = /^([12mM]):(.*)$/s.exec(body) ?? []
  const bytes = kind === undefined ? undefined : fromBase64(base64)
  return bytes && { kind: kind as FrameKind, bytes }
}

/** Returns the length of the longest suffix of `text` that is a prefix of `word`. */
export function overlap(text: string, word: string): number {
  for (let size = Math.min(text.length, word.length - 1); size > 0; size--) if (text.endsWith(word.slice(0, size))) return size
  return 0
}
