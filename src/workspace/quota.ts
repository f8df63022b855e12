import { FsError } from '../errors/index.js'
import type { FsUsage } from '../types/fs.js'
import type { Quotas } from '../types/workspace.js'

const DEFAULT_FILE_BYTES = 16 * 1024 * 1024
const NOTHING: FsUsage = { bytes: 0, files: 0 }

/** A count of the storage's usage, and the sum of the changes since that count. */
interface Tally {
  readonly counted: Promise<FsUsage>
  since: FsUsage
}

/** The space that one change needs, checked before the change starts. */
export interface Need extends FsUsage {
  readonly path: string
  readonly op: string
  /** Growth in bytes; negative if the change frees space. */
  readonly bytes: number
  readonly files: number
}

/**
 * Checks changes against the workspace's quotas. A running change reserves its growth until it ends, so that concurrent writes together
 * cannot exceed a quota. If the adapter counts its own usage (`live`), `count` is called for each change. Otherwise it is called once, and
 * again before a change is rejected; in between, every change has to be reported here.
 */
export class Quota {
  readonly fileBytes: number
  readonly #quotas: Quotas
  readonly #count: () => Promise<FsUsage>
  readonly #live: boolean
  /** The last count. Unused if the adapter counts its own usage (`live`). */
  #tally: Tally | undefined
  /** Number of running changes. */
  #running = 0
  #held = NOTHING
  /** The sum of all ended reservations. */
  #ended = NOTHING
  #waiting: (() => void)[] = []

  constructor(quotas: Quotas | undefined, count: () => Promise<FsUsage>, live: boolean) {
    this.#quotas = quotas ?? {}
    this.fileBytes = quotas?.fileBytes ?? DEFAULT_FILE_BYTES
    this.#count = count
    this.#live = live
  }

  /** Whether removals have to compute how much space they free. */
  get counting(): boolean {
    return !this.#live && this.#limited
  }

  get #limited(): boolean {
    return this.#quotas.bytes !== undefined || this.#quotas.files !== undefined
  }

  /**
   * Checks the size limit of one file. `added` is the number of bytes that an append adds. The default limit applies only to `added`: it
   * keeps one call from filling the memory, but a log can still grow. A limit that the options set applies to the whole file. @throws
   * {FsError} EFBIG
   */
  checkFile(path: string, op: string, bytes: number, added: number = bytes): void {
    if ((this.#quotas.fileBytes === undefined ? added : bytes) <= this.fileBytes) return
    throw new FsError({ code: 'EFBIG', op, path, detail: `${bytes} bytes exceed the limit of ${this.fileBytes} for one file` })
  }

  /**
   * Runs a change if there is space for it. `changed` returns the actual growth (default: `need` on success, nothing on failure). Do not
   * call `spend` within a change: two nested calls could deadlock.
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
      // Another call started a new count meanwhile.
      if (!this.#live && this.#tally !== tally) continue
      const used = sum(counted, tally.since)
      // Other programs, such as a shell on the same directory, may have freed space: count again. Not while a change runs, because that
      // change would be counted twice.
      if (!recounted && !this.#live && this.#running === 0 && !this.#fits(need, used)) {
        recounted = true
        this.#tally = undefined
        continue
      }
      this.#check(need, used)
      // A live count may or may not include a change that ended during the count, so add that change's reservation too.
      const held = this.#live ? sum(this.#held, sum(this.#ended, ended, -1)) : this.#held
      if (this.#fits(need, sum(used, held))) break
      // The change fits alone, but not together with the running changes. Wait until one of them ends and its actual growth is known.
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
