import { diffArrays } from 'diff'

/** Items `[oldFrom, oldTo)` become `[newFrom, newTo)`. Either range may be empty. */
export interface Change {
  readonly oldFrom: number
  readonly oldTo: number
  readonly newFrom: number
  readonly newTo: number
}

/**
 * Finds the smallest number of removed and added lines that turn `before` into `after`, as changes in ascending order. Undefined if the
 * number exceeds `maxEdits`, because the time grows with the square of this number.
 */
export function lineChanges(before: readonly string[], after: readonly string[], maxEdits: number): Change[] | undefined {
  const parts = diffArrays([...before], [...after], { maxEditLength: maxEdits })
  if (!parts) return undefined
  const changes: Change[] = []
  let oldAt = 0
  let newAt = 0
  for (const { added, removed, count } of parts) {
    const oldTo = added ? oldAt : oldAt + count
    const newTo = removed ? newAt : newAt + count
    if (added || removed) {
      const last = changes.at(-1)
      const joined = last?.oldTo === oldAt && last.newTo === newAt
      const from = joined && last ? last : { oldFrom: oldAt, newFrom: newAt }
      if (joined) changes.pop()
      changes.push({ oldFrom: from.oldFrom, oldTo, newFrom: from.newFrom, newTo })
    }
    oldAt = oldTo
    newAt = newTo
  }
  return changes
}
