import type { StatsLike } from './library-types.js'

interface Known {
  /** What the entry looked like when the version was given. */
  readonly look: string
  readonly version: string
}

let drawn = 0

/**
 * Versions of contents. Libraries keep times in milliseconds, which two writes can share, so each write of ours draws a number. A file that
 * looks different from what we left was changed by somebody else, or in an earlier session: then its looks are its version.
 */
export class Versions {
  readonly #known = new Map<number, Known>()

  of(stats: StatsLike): string {
    const known = this.#known.get(Number(stats.ino))
    return known?.look === lookOf(stats) ? known.version : `${stats.ino}-${lookOf(stats)}`
  }

  /** Its content was written: `stats` are those from now on. */
  written(stats: StatsLike): void {
    this.#known.set(Number(stats.ino), { look: lookOf(stats), version: `${stats.ino}-${lookOf(stats)}-${++drawn}` })
  }

  /** Its time was changed and its content was not: it keeps the version that it had. */
  touched(before: StatsLike, after: StatsLike): void {
    this.#known.set(Number(after.ino), { look: lookOf(after), version: this.of(before) })
  }
}

const lookOf = ({ size, mtimeMs }: StatsLike): string => `${size}-${mtimeMs}`
