import { headTail, streamNote } from '../../ops/truncate.js'
import { utf8Length } from '../../ops/utf8.js'

export interface BashOutput {
  /** The exit code. null: the command was stopped before its end. */
  readonly exit_code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timed_out: boolean
  readonly aborted: boolean
  /** Whether either stream was truncated. */
  readonly truncated: boolean
  /** The directory of the next command. */
  readonly cwd: string
  readonly duration_ms: number
  /** Differences from the request. */
  readonly note?: string
}

/** Input of `renderBash`. */
export interface RenderedRun extends BashOutput {
  /** Additional output as text. */
  readonly shown?: string
}

/**
 * Renders the output, then one line about anything unusual. Does not mention the directory if it is `home`. If the text would be longer
 * than `maxBytes`, truncates each stream in its middle, so that neither displaces the other.
 */
export function renderBash(output: RenderedRun, home: string, maxBytes: number): string {
  const text = layOut(output, home)
  if (text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes) return text
  const cut = { ...output, truncated: true }
  const around = layOut({ ...cut, stdout: '', stderr: '' }, home)
  return layOut({ ...cut, ...shareOut(output, maxBytes - utf8Length(around) - SEPARATORS_BYTES) }, home)
}

const SEPARATORS_BYTES = '\n[stderr]\n'.length

/** Truncates both streams to `room` bytes together. Each stream gets at least half of the room if it needs that much. */
function shareOut({ stdout, stderr }: BashOutput, room: number): Pick<BashOutput, 'stdout' | 'stderr'> {
  const errors = Math.min(utf8Length(stderr), Math.max(room >> 1, room - utf8Length(stdout)))
  const cut = (text: string, bytes: number): string => headTail(text, Math.max(0, bytes), streamNote).text
  return { stdout: cut(stdout, room - errors), stderr: cut(stderr, errors) }
}

function layOut(output: RenderedRun, home: string): string {
  const { stdout, stderr, note, shown } = output
  const parts = [
    ...(note === undefined ? [] : [`[${note}]`]),
    ...(stdout === '' ? [] : [withoutLineEnd(stdout)]),
    ...(stderr === '' ? [] : [`[stderr]\n${withoutLineEnd(stderr)}`]),
    ...(shown === undefined ? [] : [`[result]\n${shown}`]),
    ...(stdout === '' && stderr === '' && shown === undefined ? ['(no output)'] : []),
  ]
  const facts = factsOf(output, home)
  return [...parts, ...(facts.length === 0 ? [] : [`[${facts.join(', ')}]`])].join('\n')
}

function factsOf({ exit_code, timed_out, aborted, truncated, cwd, duration_ms }: BashOutput, home: string): string[] {
  return [
    ...(exit_code === null || exit_code === 0 ? [] : [`exit code ${exit_code}`]),
    ...(timed_out ? [`timed out after ${duration_ms} ms`] : []),
    ...(aborted ? ['aborted'] : []),
    ...(truncated ? ['output cut'] : []),
    ...(cwd === home ? [] : [`now in ${cwd}`]),
  ]
}

const withoutLineEnd = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)
