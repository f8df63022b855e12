import { ShellError } from '../../../src/errors/index.js'
import { systemHost } from '../../../src/host.js'
import type { ShellExit, ShellOutput } from '../../../src/types/shell.js'
import { createLine, type Handlers, type Line } from '../../shared/worker/rpc.js'
import { isOutOfMemory, listen, type WorkerLike } from '../../shared/worker/worker-like.js'
import type { Opening } from './wire.js'

/**
 * Milliseconds to wait for the first answer of a worker. If the URL serves another script, no answer ever comes. Long enough for a busy
 * machine.
 */
const FIRST_HELLO_MS = 20_000
/** Milliseconds to wait if another worker of this script has answered, so that the script is known to be right. */
const HELLO_MS = 300_000

export interface RunnerOptions {
  readonly worker: () => WorkerLike
  readonly opening: Opening
  readonly handlers: (lineOf: () => Line) => Handlers
  /** Whether another worker of this script has answered before. */
  readonly known: boolean
}

/** Events of the command that runs in a worker. */
export interface RunnerListener {
  output(output: ShellOutput): void
  exited?(exit: ShellExit): void
  /** Called when the worker has ended. */
  ended(why: string): void
}

interface Started {
  readonly runner: Runner
  /** Names of the commands in the worker. */
  readonly names: readonly string[]
}

/** One worker, for one command at a time. */
export class Runner {
  /** Listener of the running command, set by the caller. */
  listener: RunnerListener | undefined
  readonly line: Line
  readonly #worker: WorkerLike
  #why: string | undefined
  #ended: Promise<unknown> = Promise.resolve()
  #lost: (cause: ShellError) => void = () => undefined

  /** @throws {ShellError} unavailable */
  static async start({ worker, opening, handlers, known }: RunnerOptions, keep: (runner: Runner) => void): Promise<Started> {
    let runner: Runner
    try {
      runner = new Runner(worker(), handlers)
    } catch (cause) {
      throw notStarted(cause)
    }
    keep(runner)
    return { runner, names: await runner.#open(opening, known ? HELLO_MS : FIRST_HELLO_MS) }
  }

  private constructor(worker: WorkerLike, handlers: RunnerOptions['handlers']) {
    this.#worker = worker
    const own: Handlers = {
      ...handlers(() => this.line),
      output: ([pieces]: [readonly ShellOutput[]]) => this.#heard(pieces),
      exited: ([exit]: [ShellExit]) => this.#exited(exit),
    }
    this.line = createLine(
      (message, transfer) => worker.postMessage(message, transfer),
      () => own,
    )
    listen(worker, { message: (data) => this.line.receive(data), lost: (cause) => this.#crashed(cause) })
  }

  get isGone(): boolean {
    return this.#why !== undefined
  }

  /** Sets whether the process stays alive for this worker, which is necessary only while the worker runs a command. */
  hold(held: boolean): void {
    if (held) this.#worker.ref?.()
    else this.#worker.unref?.()
  }

  /** Terminates the worker. Drops its later messages. Resolves when it has ended. */
  end(why: string, cause?: unknown): Promise<unknown> {
    if (this.isGone) return this.#ended
    this.#why = why
    const error = new ShellError('spawn_failed', `The command could not go on: ${why}.`, cause === undefined ? undefined : { cause })
    this.line.close(error)
    this.#lost(error)
    this.#ended = Promise.resolve(this.#worker.terminate())
    this.listener?.ended(why)
    return this.#ended
  }

  async #open(opening: Opening, helloMs: number): Promise<readonly string[]> {
    const waiting = new AbortController()
    const lost = new Promise<never>((_, reject) => {
      this.#lost = reject
    })
    const tooLong = systemHost.sleep(helloMs, waiting.signal).then(() => {
      if (!waiting.signal.aborted) throw new Error(`its script said nothing for ${helloMs / 1000} s`)
    })
    try {
      await Promise.race([this.line.ask('hello'), tooLong, lost])
    } catch (cause) {
      this.end('it could not be started', cause)
      throw notStarted(cause)
    } finally {
      waiting.abort()
      this.#lost = () => undefined
    }
    return (await this.line.ask('open', [opening])) as readonly string[]
  }

  #crashed(cause: unknown): void {
    this.end(isOutOfMemory(cause) ? 'it needed more memory than it may have' : 'its worker ended unexpectedly', cause)
  }

  #heard(pieces: readonly ShellOutput[]): void {
    let characters = 0
    for (const piece of pieces) {
      characters += piece.text.length
      this.listener?.output(piece)
    }
    this.line.tell('taken', characters)
  }

  #exited(exit: ShellExit): void {
    this.listener?.exited?.(exit)
  }
}

const notStarted = (cause: unknown): ShellError =>
  new ShellError(
    'unavailable',
    'The virtual shell could not be started: its worker does not load. Where your bundler or server does not find its script, pass "worker".',
    { cause },
  )
