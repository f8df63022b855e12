import type { Host } from '../../../types/host.js'

interface Sleeper {
  readonly due: number
  readonly wake: () => void
}

/**
 * The clock of a recording and of its replay. Time moves only when an entry begins or ends, or a sleep ends. A replay therefore reads the
 * same times, however often it calls `now`.
 */
export class TapeClock implements Host {
  readonly random: () => number
  readonly #real: Host
  readonly #sleeps: boolean
  readonly #onWake: (due: number) => void
  readonly #sleepers = new Set<Sleeper>()
  #time: number
  #isReleased = false

  /**
   * `sleeps`: whether sleeps take real time, as in a recording; in a replay, `moveTo` ends them. `onWake`: called with the end time of a
   * sleep, in a recording when the sleep ends, in a replay when it begins.
   */
  constructor(real: Host, now: number, random: () => number, sleeps: boolean, onWake: (due: number) => void) {
    this.#real = real
    this.#time = now
    this.random = random
    this.#sleeps = sleeps
    this.#onWake = onWake
    this.now = this.now.bind(this)
    this.sleep = this.sleep.bind(this)
    this.yield = this.yield.bind(this)
  }

  now(): number {
    return this.#time
  }

  yield(): Promise<void> {
    return this.#real.yield()
  }

  async sleep(ms: number, signal?: AbortSignal, options?: { readonly background?: boolean }): Promise<void> {
    const due = this.#time + ms
    if (this.#sleeps) {
      await this.#real.sleep(ms, signal, options)
      if (signal?.aborted) return
      this.#time = Math.max(this.#time, due)
      return this.#onWake(due)
    }
    if (this.#isReleased) return this.#real.sleep(ms, signal, options)
    if (signal?.aborted || !(ms > 0)) return
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.#sleepers.delete(sleeper)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const sleeper = { due, wake }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', wake, { once: true })
      this.#onWake(due)
    })
  }

  /** Ends all sleeps, so that nothing hangs after a replay has failed. */
  release(): void {
    this.#isReleased = true
    for (const { wake } of [...this.#sleepers]) wake()
  }

  /** For a recording: moves the clock to the real time. */
  follow(): number {
    this.#time = Math.max(this.#time, this.#real.now())
    return this.#time
  }

  get isSleeping(): boolean {
    return this.#sleepers.size > 0
  }

  /** Whether any sleep ends at this time or earlier. */
  wakesBy(time: number): boolean {
    return [...this.#sleepers].some(({ due }) => due <= time)
  }

  moveTo(time: number): void {
    this.#time = Math.max(this.#time, time)
    const due = [...this.#sleepers].filter((sleeper) => sleeper.due <= this.#time).sort((a, b) => a.due - b.due)
    for (const { wake } of due) wake()
  }
}
