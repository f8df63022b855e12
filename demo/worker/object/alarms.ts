/** How often an object with background work is woken: the platform evicts one that nobody has asked for about a minute. */
const KEEP_AWAKE_MS = 30_000

export interface AlarmReasons {
  readonly busy?: boolean
  readonly cleanMs?: number
}

/** The one alarm of an object: for the next of its reasons. */
export class Alarms {
  readonly #storage: DurableObjectStorage
  /** Keeps an object with background work from hibernating, which it would survive, and its work would not. */
  #awake: ReturnType<typeof setInterval> | undefined

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  /** Sets it for what comes first. `busy`: there is background work. `cleanMs`: when there is something to clean up, if ever. */
  async set(expiresMs: number, { busy = false, cleanMs = Infinity }: AlarmReasons = {}): Promise<void> {
    this.#stayAwake(busy)
    await this.#storage.setAlarm(Math.min(expiresMs, cleanMs, busy ? Date.now() + KEEP_AWAKE_MS : Infinity))
  }

  /** Sets it, and leaves the rest as it is. */
  next(atMs: number): Promise<void> {
    return this.#storage.setAlarm(atMs)
  }

  async clear(): Promise<void> {
    this.#stayAwake(false)
    await this.#storage.deleteAlarm()
  }

  #stayAwake(busy: boolean): void {
    if (busy) this.#awake ??= setInterval(() => {}, KEEP_AWAKE_MS)
    else if (this.#awake !== undefined) {
      clearInterval(this.#awake)
      this.#awake = undefined
    }
  }
}
