import { ShellError } from '../../../src/errors/index.js'
import { PendingInput } from '../../../src/ops/pending-input.js'
import type { TerminalSize } from '../../../src/types/shell.js'
import type { WebContainerProcessesLike, WebContainerProcessLike, WebContainerSpawnOptions } from '../container-like.js'
import { messageOf } from '../faults.js'
import { within } from './timeout.js'

/**
 * After the end of a process: the output counts as complete after QUIET_MS milliseconds without output, or after DRAIN_MS milliseconds in
 * total.
 */
const QUIET_MS = 100
const DRAIN_MS = 2000
/** Milliseconds to wait for the exit code after the terminal has closed. After that, the exit code counts as unknown. */
const UNTOLD_MS = 3000

export interface CommandOptions extends WebContainerSpawnOptions {
  /** Whether to convert the line ends of the output to LF. */
  readonly lines: boolean
  readonly onOutput: (text: string) => void
}

export interface StartOptions extends CommandOptions {
  readonly script: string
}

/** How a process ended: its exit code, or the reason why the exit code is unknown. */
export type Ending = { readonly code: number; readonly failure?: never } | { readonly code?: never; readonly failure: string }

export interface Running {
  /** How the process ended. Never rejects. */
  readonly ended: Promise<Ending>
  /** The reason why the output ended early, or undefined if the output did not end early. */
  readonly broken: string | undefined
  /** @throws {ShellError} not_running */
  write(text: string): Promise<void>
  /** @throws {ShellError} not_running */
  resize(size: TerminalSize): void
  /** Sends Ctrl+C to the terminal. */
  interrupt(): void
  kill(): void
  /** Call after the process has ended: waits for pending output. */
  settle(quietMs?: number): Promise<void>
  /** Stops passing on output, but still reads it, so that an abandoned process does not block. */
  letGo(): void
}

/** @throws {ShellError} spawn_failed */
export async function startProcess(container: WebContainerProcessesLike, { script, ...options }: StartOptions): Promise<Running> {
  return startCommand(container, ['jsh', '-c', script], options)
}

/** Starts a program without a shell. @throws {ShellError} spawn_failed */
export async function startCommand(
  container: WebContainerProcessesLike,
  command: readonly [name: string, ...args: string[]],
  options: CommandOptions,
): Promise<Running> {
  const { lines: _, onOutput: __, ...spawnOptions } = options
  return watched(await spawned(container, command, spawnOptions), options)
}

async function spawned(
  container: WebContainerProcessesLike,
  [name, ...args]: readonly [name: string, ...args: string[]],
  options: WebContainerSpawnOptions,
): Promise<WebContainerProcessLike> {
  try {
    const process: unknown = await container.spawn(name, args, options)
    if (typeof process === 'object' && process !== null && 'exit' in process && 'output' in process)
      return process as WebContainerProcessLike
  } catch (cause) {
    throw new ShellError('spawn_failed', `Cannot start the command: the container refused: ${messageOf(cause)}`, { cause })
  }
  throw new ShellError('spawn_failed', 'Cannot start the command: the container answered with no process')
}

function watched(process: WebContainerProcessLike, { lines, onOutput }: CommandOptions): Running {
  const text = new WholeText(lines)
  let broken: string | undefined
  let silent = false
  let lastMs = performance.now()
  let over = false
  const tell = (piece: string): void => {
    lastMs = performance.now()
    if (!silent && piece !== '') onOutput(piece)
  }
  let close = (): void => {}
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  const drained = read(process, (piece) => tell(text.push(piece))).then((failure) => {
    broken = failure
    tell(text.finish())
    if (failure === undefined) close()
  })
  const told = ending(process)
  const untold = closed.then(() => within(UNTOLD_MS, told)).then((end) => end ?? { failure: 'it did not tell how the command ended' })
  const ended = Promise.race([told, untold]).then((end) => {
    over = true
    return end
  })
  const input = inputOf(process)
  const pending = new PendingInput()

  return {
    ended,
    get broken() {
      return broken
    },
    async write(written) {
      if (over) throw notRunning()
      // If the terminal is blocked, wait at most until the process ends.
      await pending.hold(written, async () => void (await Promise.race([input(written), ended])))
    },
    resize(size) {
      if (over) throw notRunning()
      try {
        process.resize({ cols: size.cols, rows: size.rows })
      } catch (cause) {
        throw new ShellError('not_running', `Cannot resize the terminal: ${messageOf(cause)}`, { cause })
      }
    },
    interrupt() {
      if (!over) input('\x03').catch(() => undefined)
    },
    kill() {
      try {
        process.kill()
      } catch {
        // Ignored: the container was torn down.
      }
    },
    async settle(quietMs = QUIET_MS) {
      const deadline = performance.now() + DRAIN_MS
      const isDrained = drained.then(() => true)
      for (let left = quietMs; left > 0 && performance.now() < deadline; left = lastMs + quietMs - performance.now()) {
        if (await within(left, isDrained)) return
      }
    },
    letGo() {
      tell(text.finish())
      silent = true
    },
  }
}

/** Reads the output to its end. Returns the reason if the output ended early. */
async function read(process: WebContainerProcessLike, tell: (piece: string) => void): Promise<string | undefined> {
  try {
    const reader = process.output.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return undefined
      if (typeof value === 'string') tell(value)
    }
  } catch (error) {
    return messageOf(error)
  }
}

async function ending(process: WebContainerProcessLike): Promise<Ending> {
  try {
    const code: unknown = await process.exit
    return typeof code === 'number' ? { code } : { failure: 'it told an end without a number' }
  } catch (error) {
    return { failure: messageOf(error) }
  }
}

/** Returns a function that writes pieces of input in order. */
function inputOf(process: WebContainerProcessLike): (text: string) => Promise<void> {
  let writer: WritableStreamDefaultWriter<string> | undefined
  return async (text) => {
    try {
      writer ??= process.input.getWriter()
      await writer.write(text)
    } catch (cause) {
      throw new ShellError('not_running', `Cannot write to the command: its input is closed (${messageOf(cause)})`, { cause })
    }
  }
}

export const notRunning = (): ShellError => new ShellError('not_running', 'The command has ended')

/**
 * Joins text that arrives in arbitrary pieces, so that no output ends within a surrogate pair. With `lines`, converts line ends to LF: a
 * terminal writes CR LF for LF, and CR CR LF for CR LF.
 */
class WholeText {
  readonly #lines: boolean
  #held = ''

  constructor(lines: boolean) {
    this.#lines = lines
  }

  push(piece: string): string {
    const text = this.#held + piece
    const end = this.#end(text)
    this.#held = text.slice(end)
    return this.#clean(text.slice(0, end))
  }

  /** Returns the text that was held back. Call after the last piece. */
  finish(): string {
    const held = this.#held
    this.#held = ''
    return this.#clean(held)
  }

  #end(text: string): number {
    const last = text.charCodeAt(text.length - 1)
    const isHalf = last >= 0xd800 && last <= 0xdbff
    if (isHalf) return text.length - 1
    return this.#lines ? text.length - (/\r+$/.exec(text)?.[0].length ?? 0) : text.length
  }

  #clean(text: string): string {
    const whole = text.replace(/\p{Surrogate}/gu, '\ufffd')
    return this.#lines ? whole.replace(/\r+\n/g, '\n') : whole
  }
}
