const LONGEST = 64

/** Returns the candidates most similar to `name`, nearest first. Equally similar ones keep their order. */
export function closestNames(name: string, candidates: Iterable<string>, max = 3): string[] {
  if (name === '' || name.length > LONGEST) return []
  const wanted = plain(name)
  const ranked: { readonly candidate: string; readonly distance: number }[] = []
  for (const candidate of candidates) {
    if (candidate.length > LONGEST) continue
    const distance = nameDistance(wanted, plain(candidate))
    if (distance !== undefined) ranked.push({ candidate, distance })
  }
  ranked.sort((a, b) => a.distance - b.distance)
  return ranked.slice(0, max).map(({ candidate }) => candidate)
}

/** Ignores case and separators, so that `oldString`, `old-string` and `old_string` are equal. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/**
 * Returns the distance of two names if at most a third of the letters differ, or if one name contains the other (`path`, `file_path`); else
 * undefined.
 */
function nameDistance(a: string, b: string): number | undefined {
  const edits = editDistance(a, b)
  const shorter = Math.min(a.length, b.length)
  if (edits <= Math.floor(shorter / 3)) return edits
  return shorter >= 4 && (a.includes(b) || b.includes(a)) ? edits + LONGEST : undefined
}

/** Optimal string alignment distance: Levenshtein distance in which swapping two adjacent characters is one edit. Computed row by row. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? at(before, j - 2) + 1 : replaced
      next.push(Math.min(replaced, swapped, at(row, j) + 1, at(next, j - 1) + 1))
    }
    before = row
    row = next
  }
  return at(row, b.length)
}

const at = (row: readonly number[], index: number): number => row[index] ?? 0
