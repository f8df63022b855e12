import { FsError } from '../errors/index.js'
import type { FsUsage } from '../types/fs.js'
import type { Quotas } from '../types/workspace.js'

const DEFAULT_FILE_BYTES = 16 * 1024 * 1024
const NOTHING: FsUsage = { bytes: 0, files: 0 }

/** One count, and what changed since. */
interface Tally {
  readonly counted: Promise<FsUsage>
  since: FsUsage
}

/** Room for one change, asked before anything is copied. */
export interface Need extends FsUsage {
  readonly path: string
  readonly op: string
  /** What the change adds; negative where it frees some. */
  readonly bytes: number
  readonly files: number
}

/**
 * Counts what is stored against the workspace's quotas. Changes that are under way hold what they add until they end, so that writes side
 * by side cannot pass together what each could alone. `count` is asked each time when the adapter counts by itself (`live`), else once,
 * and again before a change is refused: between that every change of what is stored has to be told here.
 */
export class Quota {
  readonly fileBytes: number
  readonly #quotas: Quotas
  readonly #count: () => Promise<FsUsage>
  readonly #live: boolean
  /** Without a live count. */
  #tally: Tally | undefined
  /** Changes under way, and what they hold. */
  #running = 0
  #held = NOTHING
  /** Everything that was ever held and is no more. */
  #ended = NOTHING
  #waiting: (() => void)[] = []

  constructor(quotas: Quotas | undefined, count: () => Promise<FsUsage>, live: boolean) {
    this.#quotas = quotas ?? {}
    this.fileBytes = quotas?.fileBytes ?? DEFAULT_FILE_BYTES
    this.#count = count
    this.#live = live
  }

  /** Whether it has to be told how much a removal frees. */
  get counting(): boolean {
    return !this.#live && this.#limited
  }

  get #limited(): boolean {
    return this.#quotas.bytes !== undefined || this.#quotas.files !== undefined
  }

  /**
   * `added`: what an append brings. The default limit keeps one call from filling the memory, and so counts no more than that: a log may
   * grow. @throws {FsError} EFBIG
   */
  checkFile(path: string, op: string, bytes: number, added: number = bytes): void {
    if ((this.#quotas.fileBytes === undefined ? added : bytes) <= this.fileBytes) return
    throw new FsError({ code: 'EFBIG', op, path, detail: `${bytes} bytes are more than the limit of ${this.fileBytes} for one file` })
  }

  /**
   * Runs a change when there is room for it. `changed` says what it has changed in the end; default all of the need when it is done, else
   * nothing. Must not be called by a change: two of them could wait for each other.
   *
   * @throws {FsError} ENOSPC
   */
  async spend<T>(
    need: Need,
    change: () => Promise<T>,
    changed: (done: boolean) => FsUsage = (done) => (done ? need : NOTHING),
  ): Promise<T> {
    if (!this.#limited || (this.#live && need.bytes <= 0 && need.files <= 0)) return change()
    const hold = { bytes: Math.max(0, need.bytes), files: Math.max(0, need.files) }
    await this.#reserve(need, hold)
    let done = false
    try {
      const result = await change()
      done = true
      return result
    } finally {
      this.#running--
      if (this.#tally) this.#tally.since = sum(this.#tally.since, changed(done))
      this.#held = sum(this.#held, hold, -1)
      this.#ended = sum(this.#ended, hold)
      for (const wake of this.#waiting.splice(0)) wake()
    }
  }

  async #reserve(need: Need, hold: FsUsage): Promise<void> {
    for (let recounted = false; ; ) {
      const ended = this.#ended
      const tally = this.#tallyNow()
      const counted = await tally.counted
      // Meanwhile another count was begun.
      if (!this.#live && this.#tally !== tally) continue
      const used = sum(counted, tally.since)
      // Somebody else may have made room: a shell on the same directory, say. Not while a change is under way, which would count twice.
      if (!recounted && !this.#live && this.#running === 0 && !this.#fits(need, used)) {
        recounted = true
        this.#tally = undefined
        continue
      }
      this.#check(need, used)
      // What ended while the adapter counted may be in its count or not.
      const held = this.#live ? sum(this.#held, sum(this.#ended, ended, -1)) : this.#held
      if (this.#fits(need, sum(used, held))) break
      // It would not fit beside the others, and alone it would: how much of theirs will stay is known when they end.
      if (this.#ended === ended) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#running++
    this.#held = sum(this.#held, hold)
  }

  #tallyNow(): Tally {
    if (this.#live) return { counted: this.#count(), since: NOTHING }
    if (this.#tally) return this.#tally
    const tally: Tally = { counted: this.#count(), since: NOTHING }
    this.#tally = tally
    tally.counted.catch(() => {
      if (this.#tally === tally) this.#tally = undefined
    })
    return tally
  }

  #fits(need: Need, used: FsUsage): boolean {
    const { bytes = Number.POSITIVE_INFINITY, files = Number.POSITIVE_INFINITY } = this.#quotas
    return (need.bytes <= 0 || used.bytes + need.bytes <= bytes) && (need.files <= 0 || used.files + need.files <= files)
  }

  #check(need: Need, used: FsUsage): void {
    if (this.#fits(need, used)) return
    const { bytes = Number.POSITIVE_INFINITY, files } = this.#quotas
    const detail =
      need.bytes > 0 && used.bytes + need.bytes > bytes
        ? `${used.bytes + need.bytes} of ${bytes} bytes would be used`
        : `${used.files + need.files} of ${files} files would be used`
    throw new FsError({ code: 'ENOSPC', op: need.op, path: need.path, detail: `the workspace is full: ${detail}` })
  }
}

function sum(a: FsUsage, b: FsUsage, sign = 1): FsUsage {
  return { bytes: a.bytes + sign * b.bytes, files: a.files + sign * b.files }
}
