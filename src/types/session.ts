import type { ShellExit, ShellOutput, ShellProcess, TerminalSize } from './shell.js'

/**
 * `stopped`: it was ended by `stop` or by `dispose`; `exited`: by itself, or by a signal of its own; `lost`: it ended with the host that
 * ran it, as when a Durable Object is evicted: its exit code is not known, and its last output may be missing.
 */
export type SessionState = 'running' | 'exited' | 'stopped' | 'lost'
export type SessionStream = ShellOutput['stream']

/** Keys that `press` knows, by their names in lower case. */
export type SessionKey =
  | 'enter'
  | 'tab'
  | 'esc'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'pgup'
  | 'pgdown'
  | 'backspace'
  | 'delete'
  | 'ctrl+c'
  | 'ctrl+d'
  | 'ctrl+z'

export interface SessionStart {
  /** The first part of the id: `bash` gives `bg-bash-<ms>-<8 hex digits>`. */
  readonly kind: string
  readonly name: string
  readonly command: string
  /** Virtual path. */
  readonly cwd: string
  /** The terminal that was asked for. */
  readonly terminal?: TerminalSize | undefined
  /** Starts the process; rejects where it cannot, and then there is no session. */
  spawn(io: SessionIo): Promise<ShellProcess>
}

/** What a session hands to the process that is started for it. */
export interface SessionIo {
  /** The id that the session will have. */
  readonly id: string
  readonly signal: AbortSignal
  readonly onOutput: (output: ShellOutput) => void
}

/** What is known of a session. A snapshot. */
export interface SessionInfo {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly command: string
  readonly cwd: string
  readonly transport: 'pty' | 'pipe'
  /** Whether a terminal was asked for: on `pipe` it did not get one. */
  readonly terminalAsked: boolean
  /** Of the terminal that it has. */
  readonly terminal?: TerminalSize
  readonly pid?: number
  readonly createdMs: number
  /** The last output, input, or end. */
  readonly updatedMs: number
  readonly state: SessionState
  /** It was asked to stop, or sent KILL, and runs still: it is about to end. */
  readonly stopping: boolean
  /** null while it runs, and where it is not known. */
  readonly exitCode: number | null
  /** The one that ended it. */
  readonly signal?: string
  /** Characters that `read` has not given yet, of those that are still kept. */
  readonly unread: Readonly<Record<SessionStream, number>>
}

export interface SessionReadOptions {
  /** Default both. The other one gives nothing, and keeps its cursor. */
  readonly stream?: SessionStream | 'both'
  /** Characters (UTF-16 units) of each stream at the most. Default 8000. */
  readonly maxChars?: number
  /** Leave the cursors where they are. Default false. */
  readonly peek?: boolean
  /**
   * Positions to read from in place of the cursors, which stay where they are: for a reader that keeps its own. Begin with 0, then pass
   * each `cursor` back. They hold for as long as the session can be found. A stream without one is read from its cursor.
   */
  readonly from?: Readonly<Partial<Record<SessionStream, number>>>
}

/** One stream from its cursor on, the oldest first. */
export interface SessionText {
  readonly text: string
  /** Characters since the beginning, those that were dropped included, up to the end of `text`. */
  readonly cursor: number
  readonly hasMore: boolean
  /** Characters between the last read and this one that are lost: only the last 300,000 are kept. */
  readonly dropped: number
}

/**
 * A process that goes on beside the calls. Its output is kept without escape sequences and control characters, line ends as LF, the last
 * 300,000 characters of each stream.
 */
export interface Session {
  readonly id: string
  readonly info: SessionInfo
  read(options?: SessionReadOptions): Readonly<Record<SessionStream, SessionText>>
  /** Resolves when there is something unread in the stream, when it has ended, after `ms`, or when the signal aborts. */
  wait(ms: number, options?: { readonly stream?: SessionStream | 'both'; readonly signal?: AbortSignal }): Promise<void>
  /** The UTF-8 bytes that were written. @throws {ShellError} not_running; input_full where 1 MiB waits that the program has not read */
  write(text: string): Promise<number>
  /**
   * Presses a key, which is the bytes that an xterm sends, in the form that the program has asked for. Without a terminal Ctrl+C is SIGINT
   * and Ctrl+D the end of the input, which write nothing, and Enter is a line feed. The bytes that were written. @throws {ShellError} not_running, input_full; {InputError} for a key that is none
   */
  press(key: string, options?: { readonly repeat?: number }): Promise<number>
  /** @throws {UnsupportedError} without a terminal; {ShellError} not_running */
  resize(size: TerminalSize): Promise<void>
  /**
   * TERM, and KILL for what still runs after `graceMs` (default 2000): `escalated`. `force`: KILL at once. Resolves when it has ended; one
   * that does not say so within 2 s of the KILL is taken for ended.
   */
  stop(options?: { readonly force?: boolean; readonly graceMs?: number }): Promise<SessionInfo & { readonly escalated: boolean }>
  /** One signal, and nothing more. Nothing happens when it has ended. */
  kill(signal: Parameters<ShellProcess['kill']>[0]): Promise<void>
  readonly exited: Promise<ShellExit>
  /** Tells of output as it comes, escape sequences and all: for a terminal on a screen. Begins with what is kept of it, up to 64 Ki characters. */
  onOutput(listener: (output: ShellOutput) => void): () => void
}

export interface SessionsOptions {
  /** Sessions that may run at once; one more is refused. Default any number. */
  readonly max?: number
  /** A session without output and input for so long is stopped. Default never. */
  readonly idleMs?: number
  /** Sessions that have ended and can still be read; the one that ended first is forgotten. Default all; in a Durable Object 100. */
  readonly keepEnded?: number
}

/** Which sessions that have ended are forgotten. Both together: those that either names. */
export interface SessionsPrune {
  /** Those that ended before this time, in milliseconds since the epoch. A lost one counts from when its loss was found out. */
  readonly endedBefore?: number
  /** All but so many, those that ended last. */
  readonly keep?: number
}

/** The sessions of a runtime. */
export interface Sessions {
  /**
   * @throws {ShellError} too_many_sessions, unavailable after `dispose`; and what `spawn` rejects with
   */
  start(start: SessionStart): Promise<Session>
  get(id: string): Session | undefined
  /** The newest first. */
  list(): readonly Session[]
  /** Tells when a session begins, ends or is forgotten. */
  onChange(listener: () => void): () => void
  /** Forgets sessions that have ended, with what they printed, for instance from an alarm. How many. Without options: none. */
  prune(options: SessionsPrune): number
  /** Ends them all: TERM, then KILL. None can be started any more. Idempotent. */
  dispose(): Promise<void>
}
