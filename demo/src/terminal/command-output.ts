import type { ToolResult } from 'toolport'
import { plainErrors } from './plain-errors.js'
import { colour } from './sequences.js'

type Stream = 'stdout' | 'stderr'

export interface CommandOutput {
  /** Prints a progress update of the call. */
  onProgress(update: unknown): void
  /** Prints output that was not printed during the run, and how the command ended if it failed. Prints nothing after an abort. */
  onResult(result: ToolResult): void
}

/** Prints the output of one `bash` call, each part once. */
export function createCommandOutput(write: (text: string) => void): CommandOutput {
  const printed: Record<Stream, string> = { stdout: '', stderr: '' }
  const cut: Record<Stream, boolean> = { stdout: false, stderr: false }
  let last = '\n'

  function print(stream: Stream, output: string): void {
    const text = stream === 'stderr' ? plainErrors(output) : output
    if (text === '') return
    write(stream === 'stderr' ? colour('error', text) : text)
    last = text.at(-1) ?? last
  }

  /** Prints a message on a line of its own. */
  function say(text: string, kind: 'faint' | 'error' = 'faint'): void {
    write(`${last === '\n' ? '' : '\n'}${colour(kind, text)}\n`)
    last = '\n'
  }

  function printRest(stream: Stream, text: unknown): void {
    if (typeof text !== 'string' || cut[stream]) return
    // Print only the rest. If the result was cut, more than that has already been printed.
    if (text.startsWith(printed[stream])) print(stream, text.slice(printed[stream].length))
  }

  return {
    onProgress(update) {
      if (!isRecord(update) || (update.stream !== 'stdout' && update.stream !== 'stderr')) return
      const { stream, text } = update
      if (typeof text === 'string') {
        printed[stream] += text
        print(stream, text)
      } else if (update.truncated === true) {
        cut[stream] = true
        say('… there is more output than is shown here')
      }
    },
    onResult(result) {
      if (!result.ok) {
        if (result.output.status === 'aborted') return
        say(result.error, 'error')
        return
      }
      const output = isRecord(result.output) ? result.output : {}
      if (output.aborted === true) return
      if (typeof output.session_id === 'string') say(`${output.session_id} runs in the background`)
      printRest('stdout', output.stdout)
      printRest('stderr', output.stderr)
      if (typeof output.note === 'string') say(output.note)
      if (output.timed_out === true) say('timed out')
      else if (typeof output.exit_code === 'number' && output.exit_code !== 0) say(`exit ${output.exit_code}`)
    },
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
