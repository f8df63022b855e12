import type { Host } from '../types/host.js'

export interface Deadline {
  /** Time of the host's clock, in milliseconds. */
  readonly at: number
  readonly expire: () => void
  readonly group: DeadlineGroup
}

/**
 * The deadlines of a runtime. Most calls end before the next turn of the event loop, so a deadline gets its timer one turn later, if it
 * still exists. Deadlines added in the same millisecond share a timer. Others do not: a Worker drops the timers of a finished request, so a
 * request must not depend on the timer of another request.
 */
export class Deadlines {
  readonly #host: Host
  #fresh: DeadlineGroup | undefined

  constructor(host: Host) {
    this.#host = host
  }

  add(at: number, expire: () => void): Deadline {
    const now = this.#host.now()
    let group = this.#fresh
    if (group?.opened !== now) {
      group = new DeadlineGroup(now)
      this.#fresh = group
      void this.#arm(group)
    }
    const deadline = { at, expire, group }
    group.add(deadline)
    return deadline
  }

  /** Adds a deadline `ms` milliseconds from now. */
  addIn(ms: number, expire: () => void): Deadline {
    return this.add(this.#host.now() + ms, expire)
  }

  remove(deadline: Deadline): void {
    deadline.group.remove(deadline)
  }

  async #arm(group: DeadlineGroup): Promise<void> {
    await this.#host.yield()
    if (this.#fresh === group) this.#fresh = undefined
    await group.run(this.#host)
  }
}

/** Deadlines that share a timer. The timer is cancelled with the last deadline, so that the process can exit. */
class DeadlineGroup {
  readonly opened: number
  readonly #waiting = new Set<Deadline>()
  #nap: AbortController | undefined

  constructor(opened: number) {
    this.opened = opened
  }

  add(deadline: Deadline): void {
    this.#waiting.add(deadline)
  }

  remove(deadline: Deadline): void {
    if (this.#waiting.delete(deadline) && this.#waiting.size === 0) this.#nap?.abort()
  }

  async run(host: Host): Promise<void> {
    while (this.#waiting.size > 0) {
      let until = Infinity
      for (const { at } of this.#waiting) until = Math.min(until, at)
      await this.#sleepUntil(until, host)
      // A sleep that ended by itself counts as complete, even if somebody changed the clock meanwhile.
      const time = Math.max(until, host.now())
      for (const deadline of this.#waiting) {
        if (deadline.at > time) continue
        this.#waiting.delete(deadline)
        deadline.expire()
      }
    }
  }

  /** Sleeps until a time. Ends early only if no deadline is left. */
  async #sleepUntil(until: number, host: Host): Promise<void> {
    const rest = until - host.now()
    if (rest <= 0) return
    this.#nap = new AbortController()
    await host.sleep(rest, this.#nap.signal)
  }
}
