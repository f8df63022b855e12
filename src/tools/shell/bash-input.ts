import type { TerminalSize } from '../../types/shell.js'

/** Input of `bash`, with defaults. */
export interface BashInput {
  readonly command: string
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly stdin?: string | undefined
  readonly timeout_ms: number
  readonly reset_session: boolean
  readonly run_in_background: boolean
  readonly session_name?: string | undefined
  readonly reuse_session: boolean
  readonly terminal?: TerminalSize | undefined
}
