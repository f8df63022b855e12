import type { StatsLike } from './library-types.js'

interface Known {
  /** Size and time of the file when the version was drawn. */
  readonly look: string
  readonly version: string
}

let drawn = 0

/**
 * Versions of file contents. Libraries store times in milliseconds, which two writes can share, so each write through this adapter draws a
 * number. A file with another size or time was changed by others or in an earlier session; size and time are then its version.
 */
export class Versions {
  readonly #known = new Map<number, Known>()

  of(stats: StatsLike): string {
    const known = this.#known.get(Number(stats.ino))
    return known?.look === lookOf(stats) ? known.version : `${stats.ino}-${lookOf(stats)}`
  }

  /** Call after the content was written, with the new `stats`. */
  written(stats: StatsLike): void {
    this.#known.set(Number(stats.ino), { look: lookOf(stats), version: `${stats.ino}-${lookOf(stats)}-${++drawn}` })
  }

  /** Call after a change of the time only: keeps the version. */
  touched(before: StatsLike, after: StatsLike): void {
    this.#known.set(Number(after.ino), { look: lookOf(after), version: this.of(before) })
  }
}

const lookOf = ({ size, mtimeMs }: StatsLike): string => `${size}-${mtimeMs}`
