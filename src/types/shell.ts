export interface ShellOutput {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

export interface ShellExecOptions {
  /** Virtual path; default the workspace's cwd. */
  readonly cwd?: string
  /** Merged over the adapter's base environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  readonly stdin?: string
  readonly onOutput?: (output: ShellOutput) => void
  /** Kept per stream, head and tail; the rest is drained and counted. */
  readonly maxBytes?: number
}

export interface ShellResult {
  /** null when a signal, a timeout or an abort ended it. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timedOut: boolean
  readonly aborted: boolean
  readonly truncated: boolean
  /** Virtual path after the command. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface ShellProcess {
  write(text: string): Promise<void>
  resize?(size: { readonly cols: number; readonly rows: number }): Promise<void>
  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<void>
  readonly exited: Promise<{ readonly exitCode: number | null; readonly signal?: string }>
}

export interface ShellSpawnOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly terminal?: { readonly cols: number; readonly rows: number }
  readonly signal?: AbortSignal
  readonly onOutput?: (output: ShellOutput) => void
}

/** Runs commands over the workspace's tree. Output is text, decoded with a streaming UTF-8 decoder. */
export interface ShellAdapter {
  readonly name: string
  readonly can: {
    readonly pty: boolean
    readonly separateStderr: boolean
    /** A command that ignores its signals is ended all the same. */
    readonly hardKill: boolean
    readonly dialect: string
  }
  open?(): Promise<void>
  exec(command: string, options?: ShellExecOptions): Promise<ShellResult>
  spawn?(command: string, options?: ShellSpawnOptions): Promise<ShellProcess>
  close?(): Promise<void>
}
