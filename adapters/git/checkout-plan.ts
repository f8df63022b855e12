import { type Row, type Side, SUBMODULE, same } from './survey.js'

export interface Write {
  readonly path: string
  readonly target: Side
  /** What is there now, link or file. */
  readonly work: Side | undefined
  /** Only the index has to be told. */
  readonly isThere: boolean
  /** A directory is in its place. */
  readonly workDir: boolean
}

export interface Plan {
  readonly writes: readonly Write[]
  /** Files to remove, and entries of the index. */
  readonly removes: readonly { readonly path: string; readonly isThere: boolean }[]
  /** Paths whose content would be lost. */
  readonly conflicts: readonly string[]
  /** Some path stays different from the commit: local changes that go along. */
  readonly carries: boolean
}

/** Its commits are HEAD's (none for a first checkout) and the one to check out. */
type CheckoutRow = Row

/**
 * What a checkout has to do, path by path, by the rules of git's own two-way merge. What the two commits agree on stays as it is, with
 * its local changes. What they do not agree on is written only where the index and the file are as HEAD has them, or as they will be.
 */
export function planCheckout(rows: readonly CheckoutRow[], force: boolean): Plan {
  const plan = { writes: [] as Write[], removes: [] as { path: string; isThere: boolean }[], conflicts: [] as string[], carries: false }
  for (const row of rows) {
    const [, target] = row.commits
    switch (force ? forcedStep(row) : step(row)) {
      case 'write':
        if (target) plan.writes.push(writeOf(row, target))
        break
      case 'remove':
        plan.removes.push({ path: row.path, isThere: row.work !== undefined })
        break
      case 'conflict':
        plan.conflicts.push(row.path)
        break
      case 'carry':
        plan.carries = true
        break
      case 'keep':
        break
    }
  }
  return plan
}

function writeOf({ path, work, workDir }: CheckoutRow, target: Side): Write {
  const isSubmodule = target.mode === SUBMODULE
  return { path, target, work, isThere: isSubmodule || same(target, work), workDir: workDir && !isSubmodule }
}

type Step = 'keep' | 'carry' | 'write' | 'remove' | 'conflict'

function step({ commits: [head, target], commitDirs: [, targetDir], index, work }: CheckoutRow): Step {
  if (!target && !head) {
    // Its place is wanted for a directory.
    if (targetDir && (work || index)) return 'conflict'
    return index ? 'carry' : 'keep'
  }
  if (same(target, head)) return same(index, target) && same(work, index) ? 'keep' : 'carry'
  if (same(index, target)) return same(work, target) || target?.mode === SUBMODULE ? 'keep' : 'carry'
  const indexIsHeads = same(index, head)
  if (same(work, target) && (indexIsHeads || !index)) return target ? 'write' : 'remove'
  if (!indexIsHeads) return 'conflict'
  // A tracked file that is not there has nothing to lose.
  const isClean = same(work, index) || (index !== undefined && !work) || index?.mode === SUBMODULE
  if (!isClean) return 'conflict'
  return target ? 'write' : 'remove'
}

function forcedStep({ commits: [, target], commitDirs: [, targetDir], index, work }: CheckoutRow): Step {
  if (!target) return index || (targetDir && work) ? 'remove' : 'keep'
  return same(index, target) && (same(work, target) || target.mode === SUBMODULE) ? 'keep' : 'write'
}
