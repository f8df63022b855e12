export interface Rate {
  /** So many at once. */
  readonly burst: number
  /** And so many each minute, evenly. */
  readonly perMinute: number
}

interface Bucket {
  readonly tokens: number
  /** When there were so many. */
  readonly atMs: number
}

const MINUTE = 60_000
/** The one that was quiet for longest is forgotten first, and has its full burst again. */
const MOST_KEYS = 10_000

/** A bucket of tokens for each key, in memory. */
export class RateLimit {
  readonly #rate: Rate
  readonly #buckets = new Map<string, Bucket>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /** Milliseconds until there are `count` tokens; 0: there are. Takes none. */
  wait(key: string, count = 1): number {
    const missing = Math.min(count, this.#rate.burst) - this.left(key)
    return missing <= 0 ? 0 : (missing * MINUTE) / this.#rate.perMinute
  }

  /** Takes `count` tokens if they are there: 0, else the milliseconds until they are. More than the burst are never there. */
  take(key: string, count = 1): number {
    if (count > this.#rate.burst) return MINUTE
    const wait = this.wait(key, count)
    if (wait > 0) return wait
    this.spend(key, count)
    return 0
  }

  /** Takes `count` tokens, whether they are there or not: what is missing has to come first. */
  spend(key: string, count: number): void {
    const tokens = this.left(key) - count
    this.#buckets.delete(key)
    if (this.#buckets.size >= MOST_KEYS) this.#buckets.delete(this.#buckets.keys().next().value as string)
    this.#buckets.set(key, { tokens, atMs: Date.now() })
  }

  /** Tokens that are there; below 0 those that are missing. */
  left(key: string): number {
    const { burst, perMinute } = this.#rate
    const bucket = this.#buckets.get(key)
    if (!bucket) return burst
    // A clock that went back gives nothing.
    return Math.min(burst, bucket.tokens + (Math.max(0, Date.now() - bucket.atMs) * perMinute) / MINUTE)
  }
}
