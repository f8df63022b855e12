import { HeadTail, streamNote } from '../../src/ops/truncate.js'
import type { ShellOutput } from '../../src/types/shell.js'

export type StreamName = ShellOutput['stream']

export interface OutputOptions {
  /** Kept per stream. */
  readonly maxBytes: number
  readonly onOutput: ((output: ShellOutput) => void) | undefined
  /** Rewrites a piece of text before anyone sees it. */
  readonly mend: (text: string, stream: StreamName) => string
}

/** The two streams of one command, as they come. */
export class Output {
  readonly #options: OutputOptions
  readonly #kept: Readonly<Record<StreamName, HeadTail>>
  /** Holds a character back until its last byte is there. */
  #decoder: TextDecoder | undefined
  #closed = false

  constructor(options: OutputOptions) {
    this.#options = options
    this.#kept = { stdout: new HeadTail(options.maxBytes), stderr: new HeadTail(options.maxBytes) }
  }

  /** `content` as the library writes it to a file: text, or with `binary` one character a byte. */
  write(stream: StreamName, content: string | Uint8Array, binary: boolean): void {
    if (content.length === 0) return
    if (stream === 'stderr') this.push(stream, typeof content === 'string' ? unpacked(content) : new TextDecoder().decode(content))
    else {
      const bytes = typeof content !== 'string' ? content : binary ? latin1Bytes(content) : undefined
      if (bytes === undefined) this.#release()
      this.push(stream, bytes ? this.#decode(bytes) : (content as string))
    }
  }

  push(stream: StreamName, text: string): void {
    const mended = text === '' || this.#closed ? '' : this.#options.mend(text, stream)
    if (mended === '') return
    this.#kept[stream].push(mended)
    try {
      this.#options.onOutput?.({ stream, text: mended })
    } catch {
      // The listener's own affair.
    }
  }

  /** Ends both streams: what is pushed later is dropped. */
  finish(): { readonly stdout: string; readonly stderr: string; readonly truncated: boolean } {
    this.#release()
    this.#closed = true
    const [stdout, stderr] = [this.#kept.stdout.finish(streamNote), this.#kept.stderr.finish(streamNote)]
    return { stdout: stdout.text, stderr: stderr.text, truncated: stdout.cut + stderr.cut > 0 }
  }

  #decode(bytes: Uint8Array): string {
    this.#decoder ??= new TextDecoder('utf-8', { ignoreBOM: true })
    return this.#decoder.decode(bytes, { stream: true })
  }

  /** What was held back is no character any more. */
  #release(): void {
    const held = this.#decoder?.decode()
    if (held) this.push('stdout', held)
  }
}

/** Undefined when it is text after all. */
function latin1Bytes(content: string): Uint8Array | undefined {
  const bytes = new Uint8Array(content.length)
  for (let i = 0; i < content.length; i++) {
    const unit = content.charCodeAt(i)
    if (unit > 0xff) return undefined
    bytes[i] = unit
  }
  return bytes
}

const NOT_ASCII = /[^\0-\x7f]/
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The library does not say whether a text on standard error is one, or UTF-8 with one character a byte: the latter where it can be. */
function unpacked(content: string): string {
  const bytes = NOT_ASCII.test(content) ? latin1Bytes(content) : undefined
  if (!bytes) return content
  try {
    return strict.decode(bytes)
  } catch {
    return content
  }
}
