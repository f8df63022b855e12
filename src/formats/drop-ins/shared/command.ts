/** What `bash` answers, as far as the interfaces carry it over. */
export interface RanCommand {
  /** null: it was stopped. */
  readonly exit_code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timed_out: boolean
  readonly aborted: boolean
}

export interface Command {
  readonly command: string
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Default: as long as the call may take. */
  readonly timeoutMs?: number | undefined
}

/** The longest that `bash` takes: the deadline of the runtime comes before it. */
const LONGEST_MS = 1_200_000

/** The input of `bash` for a command in a shell that nothing was done in before. */
export function commandInput({ command, cwd, env, timeoutMs = LONGEST_MS }: Command): Readonly<Record<string, unknown>> {
  const timeout_ms = Math.min(LONGEST_MS, Math.max(1, Math.floor(timeoutMs) || 1))
  return { ...freshShell({ command, cwd, env }), timeout_ms }
}

/** The same, without an end. */
export function freshShell({ command, cwd, env }: Omit<Command, 'timeoutMs'>): Readonly<Record<string, unknown>> {
  return { command, reset_session: true, ...(cwd !== undefined && { cwd }), ...(env && { env }) }
}
