export interface ChangedLines {
  /** New or changed lines, 0-based in the new text. */
  readonly changed: ReadonlySet<number>
  /** Lines before which text was removed, 0-based in the new text. The number of lines means: at the end. */
  readonly removedBefore: ReadonlySet<number>
}

export const NO_CHANGES: ChangedLines = { changed: new Set(), removedBefore: new Set() }

/** Maximum size of the comparison. Above this size, all lines between the first and the last difference count as changed. */
const MAX_CELLS = 4_000_000

/** Compares two texts by their longest common subsequence of lines. */
export function changedLines(before: readonly string[], after: readonly string[]): ChangedLines {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (end < before.length - start && end < after.length - start && before[before.length - 1 - end] === after[after.length - 1 - end])
    end += 1
  const old = before.slice(start, before.length - end)
  const now = after.slice(start, after.length - end)
  const changed = new Set<number>()
  const removedBefore = new Set<number>()
  if (old.length * now.length > MAX_CELLS) {
    for (let index = 0; index < now.length; index += 1) changed.add(start + index)
    return { changed, removedBefore }
  }
  walk(old, now, start, changed, removedBefore)
  // A replaced line is already marked as changed, so no removal mark is needed.
  for (const line of removedBefore) if (changed.has(line) || changed.has(line - 1)) removedBefore.delete(line)
  return { changed, removedBefore }
}

function walk(old: readonly string[], now: readonly string[], start: number, changed: Set<number>, removedBefore: Set<number>): void {
  const width = now.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  const at = (i: number, j: number): number => common[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  let i = 0
  let j = 0
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i += 1
      j += 1
    } else if (j < now.length && (i >= old.length || at(i, j + 1) >= at(i + 1, j))) {
      changed.add(start + j)
      j += 1
    } else {
      removedBefore.add(start + j)
      i += 1
    }
  }
}
