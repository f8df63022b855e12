import { truncateUtf8 } from '../../ops/utf8.js'
import type { ShellOutput, ShellResult } from '../../types/shell.js'
import { StreamHead } from '../shared/stream-head.js'

export const MAX_OUTPUT_BYTES = 1_048_576

const MARKER = '\n[Output truncated]'

/** The beginning of what a command prints, as it comes. */
export class OutputHead {
  readonly #heads: Readonly<Record<ShellOutput['stream'], StreamHead>> = {
    stdout: new StreamHead(MAX_OUTPUT_BYTES),
    stderr: new StreamHead(MAX_OUTPUT_BYTES),
  }

  push({ stream, text }: ShellOutput): void {
    this.#heads[stream].push(text)
  }

  /** stdout, then stderr on a line of its own; at most 1 MiB, cut between characters, and the marker. */
  finish(result: ShellResult): string {
    const [stdout, stderr] = [this.#text('stdout', result), this.#text('stderr', result)]
    const between = stdout === '' || stderr === '' || stdout.endsWith('\n') ? '' : '\n'
    const whole = `${stdout}${between}${stderr}`
    const cut = truncateUtf8(whole, MAX_OUTPUT_BYTES)
    const more = result.truncated || cut.length < whole.length || Object.values(this.#heads).some(({ truncated }) => truncated)
    return more ? `${cut}${MARKER}` : whole
  }

  /** A shell that does not tell of its output as it comes has it all in its result. */
  #text(stream: ShellOutput['stream'], result: ShellResult): string {
    return this.#heads[stream].text || result[stream]
  }
}
