import { ShellError } from '../../../src/errors/index.js'
import type { ShellExit, ShellProcess, ShellSignal, ShellSpawnOptions } from '../../../src/types/shell.js'
import { safeListener } from '../../shared/output-buffer.js'
import type { WebContainerProcessesLike } from '../container-like.js'
import { fromWorkdir, type Place } from './places.js'
import { type Ending, type Running, startProcess } from './process.js'
import { within } from './timeout.js'

/** Milliseconds after SIGKILL until a process counts as ended, even if the process still runs. */
const KILLED_MS = 1000

const NUMBERS: Readonly<Record<ShellSignal, number>> = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

export interface BackgroundOptions {
  readonly place: Place
  readonly env: Record<string, string>
  readonly given: ShellSpawnOptions
}

/**
 * Runs a command. Every process of the container has a terminal, even if the caller requested none; the transport is then `pipe`.
 *
 * @throws {ShellError} spawn_failed
 */
export async function startBackground(
  container: WebContainerProcessesLike,
  command: string,
  { place, env, given }: BackgroundOptions,
): Promise<ShellProcess> {
  const { terminal } = given
  const tell = safeListener(given.onOutput)
  const cwd = fromWorkdir(container.workdir, place.host)
  const process = await startProcess(container, {
    script: command,
    ...(cwd !== undefined && { cwd }),
    env,
    ...(terminal && { terminal: { cols: terminal.cols, rows: terminal.rows } }),
    lines: terminal === undefined,
    onOutput: (text) => tell({ stream: 'stdout', text }),
  })
  const { kill, exited, write } = lifeOf(process)
  if (!terminal) return { transport: 'pipe', kill, exited, ...closableInput(write) }
  return { transport: 'pty', kill, exited, write, resize: async (size) => process.resize(size) }
}

/** Closes the input by sending Ctrl+D, because the process always has a terminal. */
function closableInput(write: ShellProcess['write']): Required<Pick<ShellProcess, 'write' | 'closeInput'>> {
  let isAtLineStart = true
  let isClosed = false
  return {
    async write(text) {
      if (isClosed) throw new ShellError('not_running', 'Cannot write to the command: its input is closed')
      if (text !== '') isAtLineStart = /[\r\n]$/.test(text)
      await write(text)
    },
    async closeInput() {
      if (isClosed) return
      isClosed = true
      // Within a line, the first Ctrl+D only submits the partial line. Errors are ignored: an ended process reads no more input.
      await write(isAtLineStart ? '\x04' : '\x04\x04').catch(() => undefined)
    },
  }
}

/** Returns the methods and the exit promise that callers get for a process. */
export function lifeOf(process: Running): Pick<ShellProcess, 'kill' | 'exited' | 'write'> {
  let sent: ShellSignal | undefined
  let giveUp = (): void => {}
  const lost = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined)
  })
  const exited = Promise.race([process.ended, lost]).then(async (end) => {
    if (end) await process.settle()
    process.letGo()
    return exitOf(end, sent)
  })
  return {
    async kill(signal) {
      sent = signal
      if (signal === 'SIGINT') return process.interrupt()
      process.kill()
      if (signal === 'SIGKILL') void within(KILLED_MS, process.ended).then((end) => end ?? giveUp())
    },
    async write(text) {
      if (text.includes('\x03')) sent ??= 'SIGINT'
      await process.write(text)
    },
    exited,
  }
}

/**
 * Returns how a process ended. `end` is undefined if the process did not end in time. The container reports no signals, so a process that
 * was sent a signal and then ended with an exit code above 128 (after SIGINT: with 130) counts as ended by that signal.
 */
function exitOf(end: Ending | undefined, sent: ShellSignal | undefined): ShellExit {
  if (!end) return { exitCode: null, signal: 'SIGKILL' }
  if (end.failure !== undefined) return { exitCode: null }
  const isBySignal = sent === 'SIGINT' ? end.code === 128 + NUMBERS[sent] : end.code > 128
  return sent !== undefined && isBySignal ? { exitCode: 128 + NUMBERS[sent], signal: sent } : { exitCode: end.code }
}
