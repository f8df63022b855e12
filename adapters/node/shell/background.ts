import type { Writable } from 'node:stream'
import { ShellError } from '../../../src/errors/index.js'
import { PendingInput } from '../../../src/ops/pending-input.js'
import type { ShellExit, ShellOutput, ShellProcess } from '../../../src/types/shell.js'
import type { Environment } from '../../shared/process/checks.js'
import { type Exit, type StartOptions, startProcess } from './process.js'
import type { RealPipe } from './real-pipes.js'
import type { Invocation } from './script.js'
import { signalSession } from './session-members.js'

/** A process that keeps running between calls. */
export interface Background {
  readonly process: ShellProcess
  /** Ends all processes with TERM, then with KILL. Resolves when they have ended, or a short time after KILL. */
  end(): Promise<void>
}

export interface BackgroundOptions extends Invocation {
  /** The working directory, as a path on this machine. */
  readonly cwd: string
  readonly env: Environment
  readonly onOutput: (output: ShellOutput) => void
  readonly channel?: StartOptions['channel']
}

/** @throws {ShellError} `spawn_failed` */
export async function startOnPipes(options: BackgroundOptions & { readonly pipes: readonly RealPipe[] | undefined }): Promise<Background> {
  const running = await startProcess({ ...options, stdin: { open: true }, reports: options.channel !== undefined, reach: signalSession })
  const input = createInput(running.input as Writable)
  let over = false
  const exited = running.exited.then(async (exit) => {
    over = true
    input.end()
    await running.settle()
    return shellExit(exit)
  })
  return {
    process: {
      transport: 'pipe',
      pid: running.pid,
      write: (text) => input.write(text),
      closeInput: async () => input.end(),
      kill: async (signal) => running.signal(signal),
      exited,
    },
    async end() {
      if (!over) await running.end()
    },
  }
}

export function shellExit({ code, signal }: Exit): ShellExit {
  return { exitCode: code, ...(signal !== undefined && { signal }) }
}

export function notRunning(): ShellError {
  return new ShellError('not_running', 'Cannot write: the command has ended, or reads no input any more')
}

interface Input {
  write(text: string): Promise<void>
  end(): void
}

function createInput(pipe: Writable): Input {
  // If the process stops reading, the failed write reports this.
  pipe.on('error', () => {})
  const pending = new PendingInput()
  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      if (!pipe.writable) reject(notRunning())
      else pipe.write(text, (error) => (error ? reject(notRunning()) : resolve()))
    })
  return {
    write: (text) => pending.hold(text, () => write(text)),
    end: () => void pipe.end(),
  }
}
