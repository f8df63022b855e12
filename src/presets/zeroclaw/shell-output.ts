import { truncateUtf8 } from '../../ops/utf8.js'
import type { ShellOutput, ShellResult } from '../../types/shell.js'
import { StreamHead } from '../shared/stream-head.js'

export const MAX_OUTPUT_BYTES = 1_048_576

const MARKER = '\n[Output truncated]'

/** Collects the beginning of a command's output as it arrives. */
export class OutputHead {
  readonly #heads: Readonly<Record<ShellOutput['stream'], StreamHead>> = {
    stdout: new StreamHead(MAX_OUTPUT_BYTES),
    stderr: new StreamHead(MAX_OUTPUT_BYTES),
  }

  push({ stream, text }: ShellOutput): void {
    this.#heads[stream].push(text)
  }

  /** Joins stdout, and stderr on a new line. Truncates to 1 MiB between characters, and then adds the marker. */
  finish(result: ShellResult): string {
    const [stdout, stderr] = [this.#text('stdout', result), this.#text('stderr', result)]
    const between = stdout === '' || stderr === '' || stdout.endsWith('\n') ? '' : '\n'
    const whole = `${stdout}${between}${stderr}`
    const cut = truncateUtf8(whole, MAX_OUTPUT_BYTES)
    const more = result.truncated || cut.length < whole.length || Object.values(this.#heads).some(({ truncated }) => truncated)
    return more ? `${cut}${MARKER}` : whole
  }

  /** The collected output of a stream; for a shell that does not stream, the output of the result. */
  #text(stream: ShellOutput['stream'], result: ShellResult): string {
    return this.#heads[stream].text || result[stream]
  }
}
