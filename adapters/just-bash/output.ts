import type { ShellOutput } from '../../src/types/shell.js'
import { createOutputBuffer, type OutputBuffer } from '../shared/output-buffer.js'
import type { ScriptText } from './byte-text.js'
import { encodeEscaped, isWellFormed, latin1Bytes, wellFormed } from './escaped-bytes.js'

export type StreamName = ShellOutput['stream']

export interface OutputOptions {
  /** Maximum number of bytes to keep per stream. */
  readonly maxBytes: number
  readonly onOutput: ((output: ShellOutput) => void) | undefined
  /** Rewrites text before it is kept or forwarded. */
  readonly reword: (text: string, stream: StreamName) => string
  readonly text: ScriptText
}

/** Collects and forwards the two output streams of a command. */
export class Output {
  readonly #options: OutputOptions
  readonly #kept: OutputBuffer
  /** Decodes standard output and holds back an incomplete character. */
  #decoder: TextDecoder | undefined
  #closed = false

  constructor(options: OutputOptions) {
    this.#options = options
    this.#kept = createOutputBuffer(options)
  }

  /** Adds `content` to a stream, as the library writes it to a file. With `binary`, a string holds one character per byte. */
  write(stream: StreamName, content: string | Uint8Array, binary: boolean): void {
    if (content.length === 0) return
    const bytes = this.#bytesOf(content, binary)
    if (stream === 'stderr') this.push(stream, bytes ? new TextDecoder().decode(bytes) : this.#options.text.told(content as string))
    else {
      if (bytes === undefined) this.#release()
      this.push(stream, bytes ? this.#decode(bytes) : this.#options.text.printed(content as string))
    }
  }

  push(stream: StreamName, text: string): void {
    const reworded = text === '' || this.#closed ? '' : wellFormed(this.#options.reword(text, stream))
    this.#kept.push({ stream, text: reworded })
  }

  /** Ends both streams. Output that arrives later is dropped. */
  finish(): { readonly stdout: string; readonly stderr: string; readonly truncated: boolean } {
    this.#release()
    this.#closed = true
    return this.#kept.finish()
  }

  /** Returns undefined if the content is text. */
  #bytesOf(content: string | Uint8Array, binary: boolean): Uint8Array | undefined {
    if (typeof content !== 'string') return content
    if (binary) return latin1Bytes(content)
    return isWellFormed(content) ? undefined : encodeEscaped(content)
  }

  #decode(bytes: Uint8Array): string {
    this.#decoder ??= new TextDecoder('utf-8', { ignoreBOM: true })
    return this.#decoder.decode(bytes, { stream: true })
  }

  /** Prints an incomplete character that the decoder holds back. */
  #release(): void {
    const held = this.#decoder?.decode()
    if (held) this.push('stdout', held)
  }
}
