import {
  type SessionStart,
  ShellError,
  type ShellExit,
  type ShellOutput,
  type ShellProcess,
  type ShellSignal,
  type TerminalSize,
} from 'toolport'

export interface HandOptions {
  /** Default: `pipe`. */
  readonly transport?: 'pty' | 'pipe'
  /** Signals that end the process. Default: all. */
  readonly dies?: readonly ShellSignal[]
  /** Whether the process does not read its input. */
  readonly deaf?: boolean
}

/** A process that the test controls. */
export interface Hand {
  readonly process: ShellProcess
  /** Everything that was sent to the process, in order. Signals are in brackets. */
  readonly told: string[]
  print(text: string, stream?: ShellOutput['stream']): void
  exit(exit: ShellExit): void
  /** Options for `Sessions.start`. */
  start(start?: Partial<SessionStart>): SessionStart
  /** The signal that the session table passed to `spawn`. */
  readonly signal: AbortSignal | undefined
}

const NUMBERS: Readonly<Record<ShellSignal, number>> = { SIGINT: 2, SIGTERM: 15, SIGKILL: 9 }

export function hand({ transport = 'pipe', dies = ['SIGINT', 'SIGTERM', 'SIGKILL'], deaf = false }: HandOptions = {}): Hand {
  const told: string[] = []
  let onOutput: ((output: ShellOutput) => void) | undefined
  let signal: AbortSignal | undefined
  let end: (exit: ShellExit) => void = () => {}
  let ended = false
  const exited = new Promise<ShellExit>((resolve) => {
    end = (exit) => {
      ended = true
      resolve(exit)
    }
  })
  const process: ShellProcess = {
    transport,
    pid: 4711,
    exited,
    write: async (text) => {
      if (ended) throw new ShellError('not_running', 'it has ended')
      told.push(text)
      if (deaf) await new Promise(() => {})
    },
    kill: async (name) => {
      told.push(`[${name}]`)
      if (dies.includes(name)) end({ exitCode: 128 + NUMBERS[name], signal: name })
    },
    ...(transport === 'pipe' && { closeInput: async () => void told.push('[closed]') }),
    ...(transport === 'pty' && { resize: async ({ cols, rows }: TerminalSize) => void told.push(`[${cols}x${rows}]`) }),
  }
  return {
    process,
    told,
    print: (text, stream = 'stdout') => onOutput?.({ stream, text }),
    exit: (exit) => end(exit),
    get signal() {
      return signal
    },
    start: (start) => ({
      kind: 'bash',
      name: 'test',
      command: 'serve',
      cwd: '/workspace',
      ...(transport === 'pty' && { terminal: { cols: 120, rows: 36 } }),
      spawn: async (io) => {
        onOutput = io.onOutput
        signal = io.signal
        return process
      },
      ...start,
    }),
  }
}
