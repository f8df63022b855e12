export interface Rate {
  /** Tokens available at once. */
  readonly burst: number
  /** Tokens refilled per minute, evenly. */
  readonly perMinute: number
}

interface Bucket {
  readonly tokens: number
  /** Time at which the bucket had this number of tokens. */
  readonly atMs: number
}

const MINUTE = 60_000
/** Beyond this number, the least recently used key is evicted and starts again with its full burst. */
const MOST_KEYS = 10_000

/** An in-memory token bucket per key. */
export class RateLimit {
  readonly #rate: Rate
  readonly #buckets = new Map<string, Bucket>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /** Milliseconds until `count` tokens are available; 0 if they are available now. Takes none. */
  wait(key: string, count = 1): number {
    const missing = Math.min(count, this.#rate.burst) - this.left(key)
    return missing <= 0 ? 0 : (missing * MINUTE) / this.#rate.perMinute
  }

  /**
   * Takes `count` tokens and returns 0, or returns the milliseconds until they are available. A `count` above the burst is never available.
   */
  take(key: string, count = 1): number {
    if (count > this.#rate.burst) return MINUTE
    const wait = this.wait(key, count)
    if (wait > 0) return wait
    this.spend(key, count)
    return 0
  }

  /** Takes `count` tokens even if the bucket goes below 0; later refills pay the debt first. */
  spend(key: string, count: number): void {
    const tokens = this.left(key) - count
    this.#buckets.delete(key)
    if (this.#buckets.size >= MOST_KEYS) this.#buckets.delete(this.#buckets.keys().next().value as string)
    this.#buckets.set(key, { tokens, atMs: Date.now() })
  }

  /** Tokens available; a negative number is the debt. */
  left(key: string): number {
    const { burst, perMinute } = this.#rate
    const bucket = this.#buckets.get(key)
    if (!bucket) return burst
    // A clock that jumps back refills nothing.
    return Math.min(burst, bucket.tokens + (Math.max(0, Date.now() - bucket.atMs) * perMinute) / MINUTE)
  }
}
