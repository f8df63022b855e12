import type { PatchLine } from './types.js'

const RANGE = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/

export interface HunkRange {
  readonly oldCount: number
  readonly newCount: number
  /** What `Hunk.start` is for these lines: the number means the line before it where there are no old ones. */
  readonly start: (lines: readonly PatchLine[]) => number
}

/** The numbers of `@@ -1,2 +3,4 @@`, or undefined for any other line. */
export function hunkRange(line: string): HunkRange | undefined {
  const found = RANGE.exec(line)
  if (!found) return undefined
  const [, at, oldCount = '1', newCount = '1'] = found
  const first = Number(at)
  const saysNone = Number(oldCount) === 0
  return {
    oldCount: Number(oldCount),
    newCount: Number(newCount),
    start: (lines) => {
      const hasNone = lines.every(({ mark }) => mark === '+')
      // Counts may be wrong; the lines decide.
      if (hasNone) return saysNone ? first : Math.max(0, first - 1)
      return saysNone ? first + 1 : Math.max(1, first)
    },
  }
}
