import type { Host } from '../../src/types/host.js'

export type StopReason = 'timeout' | 'abort' | 'close'

/** Above this, timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1
/** From the stop until a command that does not end is left to itself. */
const GRACE_MS = 200
/** Those that the library asks before every command and every turn of a loop. */
const GOVERNED = ['maxCommandCount', 'maxLoopIterations', 'maxWorkUnits'] as const

/**
 * What ends a running command before its end: limits of nothing. The library looks at its limits all the time and ends the script there with all
 * its output, where its own abort would lose it.
 */
export class Stop {
  reason: StopReason | undefined
  /** Resolves when the command did not end within 200 ms of the stop. */
  readonly overdue: Promise<undefined>
  readonly #host: Host
  readonly #deadline: number
  #limits: Record<string, unknown> = {}
  #ending: AbortController | undefined
  #ended = false
  #giveUp!: () => void

  constructor(host: Host, timeoutMs: number | undefined) {
    this.#host = host
    // What is no number is no timeout, as in the node shell; less than nothing is over at once.
    const ms = timeoutMs === undefined || Number.isNaN(timeoutMs) ? Number.POSITIVE_INFINITY : Math.max(0, timeoutMs)
    this.#deadline = host.now() + ms
    this.overdue = new Promise((resolve) => {
      this.#giveUp = () => resolve(undefined)
    })
    if (ms <= MAX_TIMER_MS) void this.#watch(ms)
  }

  /** Waits, at the most until the command is to end. */
  async sleep(ms: number): Promise<void> {
    if (this.#ended || this.reason !== undefined) return
    this.#ending ??= new AbortController()
    await this.#host.sleep(ms, this.#ending.signal)
  }

  /** The limits that the running shell reads. */
  govern(limits: Record<string, unknown>): void {
    this.#limits = limits
    if (this.#deadline === Number.POSITIVE_INFINITY) return
    // A build without hooks never gives way in a loop, and lets no timer through: the deadline is seen where the limit is asked for.
    const commands = limits.maxCommandCount
    const get = (): unknown => (this.#isLate() ? 0 : commands)
    Object.defineProperty(limits, 'maxCommandCount', { get, enumerable: true, configurable: true })
  }

  begin(reason: StopReason): void {
    if (this.reason !== undefined || this.#ended) return
    this.reason = reason
    for (const name of GOVERNED) Object.defineProperty(this.#limits, name, { value: 0, enumerable: true, configurable: true })
    this.#ending?.abort(reason)
    void this.#host.sleep(GRACE_MS).then(this.#giveUp)
  }

  /** The command has ended. */
  end(): void {
    this.#ended = true
    this.#ending?.abort('ended')
  }

  #isLate(): boolean {
    if (this.#host.now() >= this.#deadline) this.begin('timeout')
    return this.reason !== undefined
  }

  async #watch(timeoutMs: number): Promise<void> {
    await this.sleep(timeoutMs)
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
