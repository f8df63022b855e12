import type { ShellExit, ShellOutput, ShellProcess, TerminalSize } from './shell.js'

/**
 * The state of a session. `stopped`: ended by `stop` or `dispose`. `exited`: the process ended by itself, or because of another signal.
 * `lost`: ended with the host that ran it, such as an evicted Durable Object; its exit code is unknown and its last output may be missing.
 */
export type SessionState = 'running' | 'exited' | 'stopped' | 'lost'
/** An output stream of a session. */
export type SessionStream = ShellOutput['stream']

/** The keys that `press` accepts, in lower case. */
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

/** The options of `Sessions.start`. */
export interface SessionStart {
  /** The first part of the id: `bash` gives `bg-bash-<ms>-<8 hex digits>`. */
  readonly kind: string
  readonly name: string
  readonly command: string
  /** Virtual path. */
  readonly cwd: string
  /** The requested terminal. */
  readonly terminal?: TerminalSize | undefined
  /** Starts the process. If it rejects, `start` rejects too and creates no session. */
  spawn(io: SessionIo): Promise<ShellProcess>
}

/** What a session passes to its process. */
export interface SessionIo {
  /** The id of the new session. */
  readonly id: string
  readonly signal: AbortSignal
  readonly onOutput: (output: ShellOutput) => void
}

/** A snapshot of a session. */
export interface SessionInfo {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly command: string
  readonly cwd: string
  readonly transport: 'pty' | 'pipe'
  /** Whether the caller requested a terminal. With `pipe` as transport the session did not get one. */
  readonly terminalAsked: boolean
  /** Size of the terminal; absent without one. */
  readonly terminal?: TerminalSize
  readonly pid?: number
  readonly createdMs: number
  /** Time of the last output, input or end. */
  readonly updatedMs: number
  readonly state: SessionState
  /** Whether the session received a stop or KILL but still runs. */
  readonly stopping: boolean
  /** null while the session runs, and if the exit code is unknown. */
  readonly exitCode: number | null
  /** The signal that ended the session. */
  readonly signal?: string
  /** Stored characters that `read` has not returned yet. */
  readonly unread: Readonly<Record<SessionStream, number>>
}

/** Options of `Session.read`. */
export interface SessionReadOptions {
  /** The stream to read. Default both. A stream that is not read returns no text and keeps its cursor. */
  readonly stream?: SessionStream | 'both'
  /** Maximum characters (UTF-16 units) per stream. Default 8000. */
  readonly maxChars?: number
  /** Read without moving the cursors. Default false. */
  readonly peek?: boolean
  /**
   * Positions to read from instead of the cursors, which stay in place. For readers that keep their own positions: begin with 0, then pass
   * each returned `cursor`. Positions are valid as long as the session exists. Streams without a position are read from their cursor.
   */
  readonly from?: Readonly<Partial<Record<SessionStream, number>>>
}

/** Text of one stream, oldest first. */
export interface SessionText {
  readonly text: string
  /** Position of the end of `text`: characters since the start of the stream, including dropped characters. */
  readonly cursor: number
  readonly hasMore: boolean
  /** Number of characters lost between the last read and this read. A session keeps the last 300,000 characters. */
  readonly dropped: number
}

/**
 * A background process, which outlives the call that started it. A session keeps the last 300,000 characters of each stream, without escape
 * sequences and control characters, with LF as line end.
 */
export interface Session {
  readonly id: string
  readonly info: SessionInfo
  read(options?: SessionReadOptions): Readonly<Record<SessionStream, SessionText>>
  /** Resolves when the stream has unread output, when the session has ended, after `ms`, or when the signal aborts. */
  wait(ms: number, options?: { readonly stream?: SessionStream | 'both'; readonly signal?: AbortSignal }): Promise<void>
  /**
   * Writes to the input and resolves to the number of UTF-8 bytes. @throws {ShellError} not_running; input_full if the program has left 1
   * MiB unread
   */
  write(text: string): Promise<number>
  /**
   * Sends the bytes that an xterm sends for a key, in the mode that the program requested. Without a terminal Ctrl+C sends SIGINT, Ctrl+D
   * closes the input (both write nothing), and Enter is a line feed. Resolves to the number of bytes. @throws {ShellError} not_running,
   * input_full; {InputError} for an unknown key
   */
  press(key: string, options?: { readonly repeat?: number }): Promise<number>
  /** Changes the size of the terminal. @throws {UnsupportedError} without a terminal; {ShellError} not_running */
  resize(size: TerminalSize): Promise<void>
  /**
   * Sends TERM, then KILL after `graceMs` (default 2000) if the process still runs (`escalated`). `force` sends KILL at once. Resolves when
   * the process has ended, or 2 s after KILL.
   */
  stop(options?: { readonly force?: boolean; readonly graceMs?: number }): Promise<SessionInfo & { readonly escalated: boolean }>
  /** Sends one signal. Does nothing if the session has ended. */
  kill(signal: Parameters<ShellProcess['kill']>[0]): Promise<void>
  readonly exited: Promise<ShellExit>
  /**
   * Reports raw output as it arrives, including escape sequences, for a terminal emulator. Begins with the kept output, up to 64 Ki
   * characters. Returns a function that removes the listener.
   */
  onOutput(listener: (output: ShellOutput) => void): () => void
}

/** Limits of the background sessions of a runtime. */
export interface SessionsOptions {
  /** Maximum number of running sessions; starting another fails with `too_many_sessions`. Default unlimited. */
  readonly max?: number
  /** Stops a session after this many milliseconds without output and input. Default never. */
  readonly idleMs?: number
  /**
   * Number of ended sessions that stay readable. With more, the session that ended first is removed. Default: unlimited; 100 in a Durable
   * Object.
   */
  readonly keepEnded?: number
}

/** Which ended sessions `Sessions.prune` removes: those that match either option. */
export interface SessionsPrune {
  /** Sessions that ended before this time, in milliseconds since the epoch. For a lost session the time of its discovery counts. */
  readonly endedBefore?: number
  /** Number of most recently ended sessions to keep. All other ended sessions are removed. */
  readonly keep?: number
}

/** The background sessions of a runtime. */
export interface Sessions {
  /** Starts a session. @throws {ShellError} too_many_sessions; unavailable after `dispose`; whatever `spawn` rejects with */
  start(start: SessionStart): Promise<Session>
  get(id: string): Session | undefined
  /** Newest first. */
  list(): readonly Session[]
  /** Calls the listener when a session starts, ends or is removed. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
  /** Removes ended sessions and their output, for example from an alarm. Returns their number. Without options it removes nothing. */
  prune(options: SessionsPrune): number
  /** Ends all sessions with TERM, then KILL. Later `start` calls fail. Idempotent. */
  dispose(): Promise<void>
}
