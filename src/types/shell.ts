export interface ShellOutput {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

export interface ShellExecOptions {
  /** Virtual path, or one of the shell's own that an earlier result gave (`/tmp`); default the workspace's cwd. */
  readonly cwd?: string
  /** Merged over the adapter's base environment. */
  readonly env?: Readonly<Record<string, string>>
  /** From the start to the stop; default none. The result comes within 250 ms of it. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Given whole, then closed; default empty and closed. */
  readonly stdin?: string
  /** Told of output as it comes, in order within a stream. What it throws is ignored. */
  readonly onOutput?: (output: ShellOutput) => void
  /** Kept per stream, head and tail; the rest is drained and counted. Default 256 KiB. */
  readonly maxBytes?: number
}

export interface ShellResult {
  /** null when a timeout or an abort ended it. A command that a signal ended has 128 + its number, as shells say it. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly timedOut: boolean
  readonly aborted: boolean
  /** Whether any of the two streams was cut. */
  readonly truncated: boolean
  /** Where the shell was at its end: a virtual path, or one of the shell's own. As it began, where the end is not known. */
  readonly cwd: string
  /** The exported variables at its end; what it began with, where the end is not known. */
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
