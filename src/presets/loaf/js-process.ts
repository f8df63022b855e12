/** Characters of each stream. */
export const LONGEST_STREAM = 300_000

/** The fields that every process has, in the order in which they are documented. */
export type JsProcessOutput = {
  readonly status: 'ok' | 'error'
  /** The tool. */
  readonly mode: string
  readonly cwd: string
  /** The adapter, which is all there is to start. */
  readonly command: string
  readonly args: readonly string[]
  /** null: it was stopped before its end. */
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
