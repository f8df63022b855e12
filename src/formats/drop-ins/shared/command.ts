/** The part of the output of `bash` that the interfaces use. */
export interface RanCommand {
  /** null if the command was stopped. */
  readonly exit_code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timed_out: boolean
  readonly aborted: boolean
}

/** Joins stdout and stderr. If both have text, stderr begins on a new line. */
export function bothStreams({ stdout, stderr }: Pick<RanCommand, 'stdout' | 'stderr'>): string {
  const gap = stdout !== '' && stderr !== '' && !stdout.endsWith('\n') ? '\n' : ''
  return `${stdout}${gap}${stderr}`
}

export interface Command {
  readonly command: string
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Timeout in milliseconds. Default: the runtime's deadline. */
  readonly timeoutMs?: number | undefined
}

/** The exit code of the `timeout` command, for a command that reached its timeout or the runtime's deadline. */
export const TIMED_OUT = 124

/** Adds a line to stderr that reports the timeout. */
export function withTimeout(stderr: string): string {
  const gap = stderr === '' || stderr.endsWith('\n') ? '' : '\n'
  return `${stderr}${gap}[timed out: the runtime ended the command]\n`
}

/** The longest timeout that `bash` accepts, in milliseconds. The runtime's deadline is usually shorter. */
const LONGEST_MS = 1_200_000

/** Creates the input of `bash` that runs a command in a new shell. */
export function commandInput({ command, cwd, env, timeoutMs = LONGEST_MS }: Command): Readonly<Record<string, unknown>> {
  const timeout_ms = Math.min(LONGEST_MS, Math.max(1, Math.floor(timeoutMs) || 1))
  return { ...freshShell({ command, cwd, env }), timeout_ms }
}

/** Like `commandInput`, but without a timeout. */
export function freshShell({ command, cwd, env }: Omit<Command, 'timeoutMs'>): Readonly<Record<string, unknown>> {
  return { command, reset_session: true, ...(cwd !== undefined && { cwd }), ...(env && { env }) }
}
