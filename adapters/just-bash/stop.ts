import type { Host } from '../../src/types/host.js'
import type { SignalName } from './process/signals.js'

/** Why a command is stopped. `limit`: it exceeded a limit of the shell. `signal`: the signal in `Stop.signal` ends it. */
export type StopReason = 'timeout' | 'abort' | 'close' | 'signal' | 'limit'

/** The longest delay of a timer. For a longer delay, the timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1
/** Milliseconds between a stop and giving up on a command that does not end. */
const GRACE_MS = 200
/** Limits that the library checks before every command and every loop iteration. */
const GOVERNED = ['maxCommandCount', 'maxLoopIterations', 'maxWorkUnits'] as const

type StopHost = Pick<Host, 'now' | 'sleep'>

/**
 * Stops a running command by setting limits to 0. The library checks its limits constantly, and at a limit ends the script but keeps its
 * output. The library's own abort would lose the output.
 */
export class Stop {
  reason: StopReason | undefined
  /** The signal that ended the command. */
  signal: SignalName | undefined
  /** Resolves when the command did not end within 200 ms of the stop. */
  readonly overdue: Promise<undefined>
  readonly #host: StopHost
  readonly #deadline: number
  readonly #parent: Stop | undefined
  readonly #children: Set<Stop> = new Set()
  /** Aborts pending waits, also for `interrupt`. */
  #waiting: AbortController | undefined
  readonly #over: AbortController | undefined
  /** Aborts the timer of the grace period. */
  #grace: AbortController | undefined
  #ended = false
  #giveUp!: () => void

  constructor(host: StopHost, timeoutMs: number | undefined, parent?: Stop) {
    this.#host = host
    this.#parent = parent
    // NaN means no timeout, as in the node shell. With a negative timeout, the command ends at once.
    const ms = timeoutMs === undefined || Number.isNaN(timeoutMs) ? Number.POSITIVE_INFINITY : Math.max(0, timeoutMs)
    this.#deadline = host.now() + ms
    this.overdue = new Promise((resolve) => {
      this.#giveUp = () => resolve(undefined)
    })
    this.#over = ms <= MAX_TIMER_MS ? new AbortController() : undefined
    if (this.#over) void this.#watch(ms, this.#over.signal)
  }

  /** Creates a stop for a job of this command, which ends with the command. */
  fork(): Stop {
    const child = new Stop(this.#host, undefined, this)
    if (this.reason !== undefined) child.begin(this.reason)
    this.#children.add(child)
    return child
  }

  /** Milliseconds until the deadline of the call. Undefined without a deadline. */
  get leftMs(): number | undefined {
    if (this.#deadline === Number.POSITIVE_INFINITY) return this.#parent?.leftMs
    return Math.max(0, this.#deadline - this.#host.now())
  }

  /** Sleeps, at most until the command is stopped or interrupted. */
  async sleep(ms: number): Promise<void> {
    if (this.#isOver()) return
    await this.#host.sleep(ms, this.#controller().signal)
  }

  /** Waits for a promise, at most until the command is stopped or interrupted. */
  async until(something: Promise<unknown>): Promise<void> {
    if (this.#isOver()) return
    const { signal } = this.#controller()
    let wake!: () => void
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    signal.addEventListener('abort', wake, { once: true })
    await Promise.race([something, woken])
    signal.removeEventListener('abort', wake)
  }

  /** Ends pending waits without stopping the command. */
  interrupt(): void {
    this.#waiting?.abort('interrupted')
    this.#waiting = undefined
  }

  /**
   * Replaces the limits of the running shell with getters. The library gives commands copies of the limits that share these getters. A
   * build without hooks never yields in a loop, so no timer can fire. Therefore the getters also check the deadline.
   */
  govern(limits: object): void {
    for (const name of GOVERNED) {
      const limit: unknown = (limits as Record<string, unknown>)[name]
      const get = (): unknown => (this.#isLate() ? 0 : limit)
      Object.defineProperty(limits, name, { get, enumerable: true, configurable: true })
    }
  }

  begin(reason: StopReason, signal?: SignalName): void {
    if (this.reason !== undefined || this.#ended) return
    this.reason = reason
    this.signal = signal
    this.#over?.abort(reason)
    this.interrupt()
    for (const child of this.#children) child.begin(reason, signal)
    if (this.#parent) return
    this.#grace = new AbortController()
    void this.#host.sleep(GRACE_MS, this.#grace.signal).then(this.#giveUp)
  }

  /** Call when the command has ended. Ends the command's jobs too. */
  end(): void {
    for (const child of this.#children) {
      child.begin('close')
      child.end()
    }
    this.#ended = true
    this.#over?.abort('ended')
    this.#grace?.abort('ended')
    this.interrupt()
    if (this.#parent) this.#parent.#children.delete(this)
  }

  #controller(): AbortController {
    this.#waiting ??= new AbortController()
    return this.#waiting
  }

  #isOver(): boolean {
    return this.#ended || this.reason !== undefined
  }

  #isLate(): boolean {
    if (this.#deadline !== Number.POSITIVE_INFINITY && this.#host.now() >= this.#deadline) this.begin('timeout')
    return this.reason !== undefined || (this.#parent ? this.#parent.#isLate() : false)
  }

  async #watch(timeoutMs: number, signal: AbortSignal): Promise<void> {
    await this.#host.sleep(timeoutMs, signal)
    this.begin('timeout')
  }
}

/** The stops of all running commands of a shell. */
export class Stops {
  closed = false
  readonly #running = new Set<Stop>()

  add(stop: Stop): void {
    this.#running.add(stop)
    if (this.closed) stop.begin('close')
  }

  delete(stop: Stop): void {
    this.#running.delete(stop)
  }

  /** Stops all running commands, and all later ones. */
  close(): void {
    this.closed = true
    for (const stop of this.#running) stop.begin('close')
  }
}
