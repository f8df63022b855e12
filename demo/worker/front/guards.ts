import { tooMany } from '../http/errors.js'
import { RateLimit } from '../http/rate-limit.js'
import type { Settings } from '../settings.js'

/** Period of the platform's rate limiting binding. */
const PERIOD_MS = 60_000
/** Interval between two checks whether running attempts have ended. */
const RETRY_MS = 10
/** If an attempt takes longer, an extra request asks whether its token is right. Shorter attempts save that request. */
const PROOF_MS = 50

/** An attempt with a token. */
export interface Attempt<T> {
  readonly check: () => Promise<T>
  readonly isWrong: (answer: T) => boolean
  /** Whether the token is right, for a check whose answer may take long. */
  readonly isRight?: () => Promise<boolean>
  /**
   * The platform's binding counts the attempt before the check too. The binding cannot give an attempt back, so right tokens count as well.
   * Default false: the binding counts only wrong tokens, after the check.
   */
  readonly countsRight?: boolean
}

/** Rate limits per client, counted in this isolate only. Limits across isolates need the platform's rate limiting binding. */
export class Guards {
  readonly #creations: RateLimit
  readonly #failures: RateLimit
  /** Attempts that run now. Time refills this limit too, because an attempt whose client disconnects may never end. */
  readonly #attempts: RateLimit

  constructor({ CREATIONS_PER_MINUTE, FAILURES_PER_MINUTE }: Settings) {
    this.#creations = new RateLimit({ burst: CREATIONS_PER_MINUTE, perMinute: CREATIONS_PER_MINUTE })
    this.#failures = new RateLimit({ burst: FAILURES_PER_MINUTE, perMinute: FAILURES_PER_MINUTE })
    this.#attempts = new RateLimit({ burst: FAILURES_PER_MINUTE, perMinute: FAILURES_PER_MINUTE })
  }

  /** @throws {HttpError} too_many_requests */
  async countCreation(address: string, { RATE_LIMITER }: Limits): Promise<void> {
    const wait = this.#creations.take(address) || (await waitOf(RATE_LIMITER, `create ${address}`))
    if (wait > 0) throw tooMany('Too many workspaces were created from this address', wait)
  }

  /**
   * Runs an attempt with a token. Attempts count before they run, so concurrent guesses cannot exceed the limit. An attempt beyond the
   * limit waits for a running attempt to end, because a right token stops counting as soon as it is known to be right. After too many wrong
   * tokens, the right token is rejected too, so that a brute-force attack learns nothing. The key names one workspace, so that other
   * clients behind the same address keep access to their own workspaces.
   *
   * @throws {HttpError} too_many_requests
   */
  async attempt<T>(key: string, { RATE_LIMITER }: Limits, { check, isWrong, isRight, countsRight = false }: Attempt<T>): Promise<T> {
    await this.#begin(key)
    let held = true
    const giveBack = (): void => {
      if (held) this.#attempts.spend(key, -1)
      held = false
    }
    const countAtPlatform = async (): Promise<void> => {
      const wait = await waitOf(RATE_LIMITER, `token ${key}`)
      if (wait > 0) throw tooMany(countsRight ? 'Too many requests with a token came from this address' : WRONG_TOKENS, wait)
    }
    // If this extra request fails, the answer of `check` decides.
    const prove = (): void => void isRight?.().then((right) => right && giveBack(), noop)
    const proof = isRight && setTimeout(prove, PROOF_MS)
    try {
      if (countsRight) await countAtPlatform()
      const answer = await check()
      if (!isWrong(answer)) return answer
      held = false
      this.#failures.spend(key, 1)
      if (!countsRight) await countAtPlatform()
      return answer
    } finally {
      if (proof !== undefined) clearTimeout(proof)
      giveBack()
    }
  }

  async #begin(key: string): Promise<void> {
    for (;;) {
      const wait = this.#failures.wait(key)
      if (wait > 0) throw tooMany(WRONG_TOKENS, wait)
      if (this.#attempts.take(key) === 0) return
      // Polls with a timer, because the platform cancels a request that only waits for another request.
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

const noop = (): void => {}

const WRONG_TOKENS = 'Too many wrong tokens came from this address'

async function waitOf(limiter: PlatformLimit | undefined, key: string): Promise<number> {
  return !limiter || (await limiter.limit({ key })).success ? 0 : PERIOD_MS
}

/** Bindings of the Worker that the guards use. */
interface Limits {
  readonly RATE_LIMITER?: PlatformLimit
}

interface PlatformLimit {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>
}
