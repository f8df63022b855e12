import type { Env } from '../env.js'
import { tooMany } from '../http/errors.js'
import { RateLimit } from '../http/rate-limit.js'
import type { Settings } from '../settings.js'

/** Period of the platform's rate limiting binding. */
const PERIOD_MS = 60_000

/** Rate limits per client, counted in this isolate only. Limits across isolates need the platform's rate limiting binding. */
export class Guards {
  readonly #creations: RateLimit
  readonly #failures: RateLimit

  constructor({ CREATIONS_PER_MINUTE, FAILURES_PER_MINUTE }: Settings) {
    this.#creations = new RateLimit({ burst: CREATIONS_PER_MINUTE, perMinute: CREATIONS_PER_MINUTE })
    this.#failures = new RateLimit({ burst: FAILURES_PER_MINUTE, perMinute: FAILURES_PER_MINUTE })
  }

  /** @throws {HttpError} too_many_requests */
  async countCreation(address: string, { RATE_LIMITER }: Env): Promise<void> {
    const wait = this.#creations.take(address) || (await waitOf(RATE_LIMITER, `create ${address}`))
    if (wait > 0) throw tooMany('Too many workspaces were created from this address', wait)
  }

  /**
   * After too many wrong tokens the right token is rejected too, so that a brute-force attack learns nothing. The key names one workspace,
   * so that other clients behind the same address keep access to their own workspaces.
   *
   * @throws {HttpError} too_many_requests
   */
  checkFailures(key: string): void {
    const wait = this.#failures.wait(key)
    if (wait > 0) throw tooMany('Too many wrong tokens came from this address', wait)
  }

  /** @throws {HttpError} too_many_requests */
  async countFailure(key: string, { RATE_LIMITER }: Env): Promise<void> {
    this.#failures.take(key)
    const wait = await waitOf(RATE_LIMITER, `token ${key}`)
    if (wait > 0) throw tooMany('Too many wrong tokens came from this address', wait)
  }
}

async function waitOf(limiter: PlatformLimit | undefined, key: string): Promise<number> {
  return !limiter || (await limiter.limit({ key })).success ? 0 : PERIOD_MS
}

type PlatformLimit = NonNullable<Env['RATE_LIMITER']>
