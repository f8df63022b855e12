/** Interval of wake-ups for an object with background work: the platform evicts an object after about a minute without requests. */
const KEEP_AWAKE_MS = 30_000

export interface AlarmReasons {
  readonly busy?: boolean
  readonly cleanMs?: number
}

/** Manages the object's single alarm, which is set for the earliest of several reasons. */
export class Alarms {
  readonly #storage: DurableObjectStorage
  /** Keeps an object with background work from hibernating. The object would survive that; its background work would not. */
  #awake: ReturnType<typeof setInterval> | undefined

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  /** Sets the alarm for the earliest time. `busy`: there is background work. `cleanMs`: time of the next cleanup. Default: none. */
  async set(expiresMs: number, { busy = false, cleanMs = Infinity }: AlarmReasons = {}): Promise<void> {
    this.#stayAwake(busy)
    await this.#storage.setAlarm(Math.min(expiresMs, cleanMs, busy ? Date.now() + KEEP_AWAKE_MS : Infinity))
  }

  /** Sets the alarm without changing whether the object stays awake. */
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
