import type { Host } from '../../types/host.js'

/**
 * Milliseconds to wait after removing a hung frame, because browsers keep its process for two seconds and would reuse the process for the
 * next frame.
 */
const COOLING_MS = 3000
/**
 * Number of consecutive unanswered pings after which a frame counts as hung. A single late answer proves nothing, because the browser may
 * have suspended the page.
 */
const PINGS = 5

/** Pings a page to detect that it hangs. */
export class Heartbeat {
  readonly #host: Host
  readonly #hangMs: number
  readonly #onHang: () => void
  #watching: AbortController | undefined
  /** When a page last hung. */
  #hung = Number.NEGATIVE_INFINITY
  #pinged = 0
  #ponged = 0

  /** `hangMs`: milliseconds without an answer after which a page counts as hung; 0: never. `onHang` stops the page. */
  constructor(host: Host, hangMs: number, onHang: () => void) {
    this.#host = host
    this.#hangMs = hangMs
    this.#onHang = onHang
  }

  /** Pings a page until it hangs or `stop` is called. */
  async watch(ping: (id: number) => void): Promise<void> {
    if (this.#hangMs === 0) return
    const watching = new AbortController()
    this.#watching = watching
    let missed = 0
    while (!watching.signal.aborted) {
      ping(++this.#pinged)
      await this.#host.sleep(this.#hangMs / PINGS, watching.signal, { background: true })
      missed = this.#ponged >= this.#pinged ? 0 : missed + 1
      if (missed < PINGS || watching.signal.aborted) continue
      this.#hung = performance.now()
      this.#onHang()
    }
  }

  answered(id: number): void {
    this.#ponged = Math.max(this.#ponged, id || 0)
  }

  stop(): void {
    this.#watching?.abort()
  }

  /** After a hang, waits until the browser no longer reuses the process of the hung page. */
  async waitAfterHang(): Promise<void> {
    const since = performance.now() - this.#hung
    if (since < COOLING_MS) await this.#host.sleep(COOLING_MS - since)
  }
}
