import type { PatchLine } from './types.js'

const RANGE = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/

export interface HunkRange {
  readonly oldCount: number
  readonly newCount: number
  /** Computes `Hunk.start` for these lines: without old lines, the number means the line before the hunk. */
  readonly start: (lines: readonly PatchLine[]) => number
}

/** Parses `@@ -1,2 +3,4 @@`; undefined for any other line. */
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
      // The counts in the header may be wrong, so look at the lines to see whether the hunk has old lines.
      if (hasNone) return saysNone ? first : Math.max(0, first - 1)
      return saysNone ? first + 1 : Math.max(1, first)
    },
  }
}
