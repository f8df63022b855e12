import { ShellError } from '../../../src/errors/index.js'
import type { Runner } from './runner.js'

/** Maximum number of idle workers. */
const MAX_IDLE = 1

/** @param keep called with the runner as soon as the runner can be terminated */
export type StartRunner = (keep: (runner: Runner) => void) => Promise<Runner>

/** The workers of one shell: running ones, and one idle worker for the next command. */
export class Pool {
  readonly #start: StartRunner
  readonly #all = new Set<Runner>()
  /** Workers that have left the pool but have not ended yet. */
  readonly #ending = new Set<Promise<unknown>>()
  #idle: Runner[] = []
  /** A worker being started for the next command. */
  #next: Promise<Runner | undefined> | undefined
  #closed = false

  constructor(start: StartRunner) {
    this.#start = start
  }

  /** Takes a worker for one command: an idle worker, or else a new one. @throws {ShellError} */
  async take(): Promise<Runner> {
    for (;;) {
      const ready = this.#idle.pop() ?? (await this.#warmed())
      this.#checkOpen()
      const runner = ready ?? (await this.#begin())
      this.#checkOpen()
      if (!runner.isGone) {
        runner.hold(true)
        return runner
      }
      this.#leave(runner)
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw new ShellError('unavailable', 'The shell is closed.')
  }

  /** Puts a worker back into the pool. */
  give(runner: Runner): void {
    runner.listener = undefined
    if (runner.isGone) {
      this.#leave(runner)
      this.#warm()
    } else if (this.#closed || this.#idle.length >= MAX_IDLE) this.drop(runner)
    else {
      runner.hold(false)
      this.#idle.push(runner)
    }
  }

  drop(runner: Runner): void {
    runner.listener = undefined
    this.#leave(runner)
  }

  #leave(runner: Runner, why = 'it was ended'): void {
    this.#all.delete(runner)
    const ended = runner.end(why).finally(() => this.#ending.delete(ended))
    this.#ending.add(ended)
  }

  /** Starts an idle worker for the next command, to replace a terminated worker. Does nothing if a worker is idle or starting. */
  #warm(): void {
    if (this.#closed || this.#next || this.#idle.length > 0) return
    const starting = this.#begin(false).catch(() => undefined)
    this.#next = starting
    void starting.then((runner) => {
      if (this.#next !== starting) return
      this.#next = undefined
      if (runner) this.give(runner)
    })
  }

  /** Terminates all workers. Resolves when all have ended. */
  async close(): Promise<void> {
    this.#closed = true
    this.#idle = []
    for (const runner of [...this.#all]) this.#leave(runner, 'the shell was closed')
    while (this.#ending.size > 0) await Promise.all(this.#ending)
  }

  #warmed(): Promise<Runner | undefined> | undefined {
    const next = this.#next
    this.#next = undefined
    // The caller now waits for this worker, so the worker must keep the process alive. All other workers run commands and do so already.
    if (next) for (const runner of this.#all) runner.hold(true)
    return next
  }

  async #begin(held = true): Promise<Runner> {
    let started: Runner | undefined
    try {
      return await this.#start((runner) => {
        started = runner
        runner.hold(held)
        this.#all.add(runner)
        if (this.#closed) this.drop(runner)
      })
    } catch (error) {
      if (started) this.drop(started)
      // If the shell was closed, report this instead of a failed start.
      this.#checkOpen()
      throw error
    }
  }
}
