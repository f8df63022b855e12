import type { Host } from '../../src/types/host.js'
import type { SignalName } from './process/signals.js'

/** `limit`: it was too much for the shell; `signal`: see `signal`. */
export type StopReason = 'timeout' | 'abort' | 'close' | 'signal' | 'limit'

/** Above this, timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1
/** From the stop until a command that does not end is left to itself. */
const GRACE_MS = 200
/** Those that the library asks before every command and every turn of a loop. */
const GOVERNED = ['maxCommandCount', 'maxLoopIterations', 'maxWorkUnits'] as const

type StopHost = Pick<Host, 'now' | 'sleep'>

/**
 * What ends a running command before its end: limits of nothing. The library looks at its limits all the time and ends the script there with all
 * its output, where its own abort would lose it.
 */
export class Stop {
  reason: StopReason | undefined
  /** The one that ended it. */
  signal: SignalName | undefined
  /** Resolves when the command did not end within 200 ms of the stop. */
  readonly overdue: Promise<undefined>
  readonly #host: StopHost
  readonly #deadline: number
  readonly #parent: Stop | undefined
  readonly #children: Set<Stop> = new Set()
  /** Of what `interrupt` ends, too. */
  #waiting: AbortController | undefined
  readonly #over: AbortController | undefined
  /** Of the wait for a command that does not end. */
  #grace: AbortController | undefined
  #ended = false
  #giveUp!: () => void

  constructor(host: StopHost, timeoutMs: number | undefined, parent?: Stop) {
    this.#host = host
    this.#parent = parent
    // What is no number is no timeout, as in the node shell; less than nothing is over at once.
    const ms = timeoutMs === undefined || Number.isNaN(timeoutMs) ? Number.POSITIVE_INFINITY : Math.max(0, timeoutMs)
    this.#deadline = host.now() + ms
    this.overdue = new Promise((resolve) => {
      this.#giveUp = () => resolve(undefined)
    })
    this.#over = ms <= MAX_TIMER_MS ? new AbortController() : undefined
    if (this.#over) void this.#watch(ms, this.#over.signal)
  }

  /** One for a job of this command, which ends with it. */
  fork(): Stop {
    const child = new Stop(this.#host, undefined, this)
    if (this.reason !== undefined) child.begin(this.reason)
    this.#children.add(child)
    return child
  }

  /** Until the deadline of the call, ms; undefined: it has none. */
  get leftMs(): number | undefined {
    if (this.#deadline === Number.POSITIVE_INFINITY) return this.#parent?.leftMs
    return Math.max(0, this.#deadline - this.#host.now())
  }

  /** Waits, at the most until the command is to end or to look up. */
  async sleep(ms: number): Promise<void> {
    if (this.#isOver()) return
    await this.#host.sleep(ms, this.#controller().signal)
  }

  /** Waits for something, at the most as long. */
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

  /** Ends what waits, and nothing else. */
  interrupt(): void {
    this.#waiting?.abort('interrupted')
    this.#waiting = undefined
  }

  /**
   * The limits that the running shell reads. They are asked for each time: commands are given copies, which ask as well. A build without hooks
   * never gives way in a loop, and lets no timer through: the deadline is seen here.
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

  /** The command has ended, and its jobs with it. */
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

/** The stops of the commands of one shell that run. */
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

  /** Ends all that run, and all that begin later. */
  close(): void {
    this.closed = true
    for (const stop of this.#running) stop.begin('close')
  }
}
