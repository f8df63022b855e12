import type { StatsLike } from './library-types.js'

interface Known {
  /** Size and modification time of the file when this version was assigned. */
  readonly look: string
  readonly version: string
}

let drawn = 0

/**
 * Assigns versions to file contents. Libraries store times in milliseconds, and two writes can have the same time, so each write through
 * this adapter gets a new number. If a file has a different size or time than after that write, others or an earlier session changed it.
 * The version then consists of size and time.
 */
export class Versions {
  readonly #known = new Map<number, Known>()

  of(stats: StatsLike): string {
    const known = this.#known.get(Number(stats.ino))
    return known?.look === lookOf(stats) ? known.version : `${stats.ino}-${lookOf(stats)}`
  }

  /** Gives the file a new version. Call after the content was written, with the new `stats`. */
  written(stats: StatsLike): void {
    this.#known.set(Number(stats.ino), { look: lookOf(stats), version: `${stats.ino}-${lookOf(stats)}-${++drawn}` })
  }

  /** Keeps the version of the file. Call after only the mode or the time has changed. */
  touched(before: StatsLike, after: StatsLike): void {
    this.#known.set(Number(after.ino), { look: lookOf(after), version: this.of(before) })
  }
}

const lookOf = ({ size, mtimeMs }: StatsLike): string => `${size}-${mtimeMs}`
