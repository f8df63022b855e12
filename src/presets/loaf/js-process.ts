/** Maximum characters of each stream. */
export const LONGEST_STREAM = 300_000

/** The output fields of every process, in the documented order. */
export type JsProcessOutput = {
  readonly status: 'ok' | 'error'
  /** The name of the tool. */
  readonly mode: string
  readonly cwd: string
  /** The name of the adapter, because there is no executable. */
  readonly command: string
  readonly args: readonly string[]
  /** null if the program was stopped. */
  readonly exit_code: number | null
  readonly signal: string | null
  readonly timed_out: boolean
  readonly aborted: boolean
  readonly duration_ms: number
  readonly stdout: string
  readonly stderr: string
  readonly truncated_stdout: boolean
  readonly truncated_stderr: boolean
}
