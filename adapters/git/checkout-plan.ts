import { type Row, type Side, SUBMODULE, same } from './survey.js'

export interface Write {
  readonly path: string
  readonly target: Side
  /** Whether the file is already correct, so that only the index needs an update. */
  readonly isThere: boolean
  /** Whether a directory has this path. */
  readonly workDir: boolean
}

export interface Plan {
  readonly writes: readonly Write[]
  /** Files and index entries to remove. */
  readonly removes: readonly { readonly path: string; readonly isThere: boolean }[]
  /** Paths whose content would be lost. */
  readonly conflicts: readonly string[]
  /** All index entries after the checkout. */
  readonly comes: readonly { readonly path: string; readonly oid: string }[]
  /** Whether any path keeps local changes. */
  readonly carries: boolean
}

/** A row with two commits: HEAD (undefined for a first checkout) and the target. */
type CheckoutRow = Row

/**
 * Plans a checkout by the rules of git's two-way merge. If a path is equal in both commits, its local changes stay. Any other path is
 * written only if the index and the file match HEAD or the target.
 */
export function planCheckout(rows: readonly CheckoutRow[], force: boolean): Plan {
  const plan = {
    comes: [] as { path: string; oid: string }[],
    writes: [] as Write[],
    removes: [] as { path: string; isThere: boolean }[],
    conflicts: [] as string[],
    carries: false,
  }
  const carried: string[] = []
  for (const row of rows) {
    const [, target] = row.commits
    const wanted = force ? forcedStep(row) : step(row)
    const then = wanted === 'write' ? target : wanted === 'remove' ? undefined : row.index
    if (then) plan.comes.push({ path: row.path, oid: then.oid })
    switch (wanted) {
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
        if (row.index) carried.push(row.path)
        break
      case 'keep':
        break
    }
  }
  // An index cannot hold both a file and paths below it. Otherwise, staged content below the file would be lost, and it may be the only
  // copy.
  const written = new Set(plan.writes.map(({ path }) => path))
  plan.conflicts.push(...carried.filter((path) => isBelowOne(path, written)))
  return plan
}

function isBelowOne(path: string, files: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) if (files.has(path.slice(0, end))) return true
  return false
}

function writeOf({ path, work, workDir }: CheckoutRow, target: Side): Write {
  const isSubmodule = target.mode === SUBMODULE
  return { path, target, isThere: isSubmodule || same(target, work), workDir: workDir && !isSubmodule }
}

type Step = 'keep' | 'carry' | 'write' | 'remove' | 'conflict'

function step(row: CheckoutRow): Step {
  const decided = twoWay(row)
  // The target commit needs this path for a directory.
  const isInTheWay = row.commitDirs[1] && (row.work !== undefined || row.index !== undefined)
  return isInTheWay && decided !== 'remove' ? 'conflict' : decided
}

function twoWay({ commits: [head, target], index, work }: CheckoutRow): Step {
  if (!target && !head) return index ? 'carry' : 'keep'
  if (same(target, head)) return same(index, target) && same(work, index) ? 'keep' : 'carry'
  if (same(index, target)) return same(work, target) || target?.mode === SUBMODULE ? 'keep' : 'carry'
  const indexIsHeads = same(index, head)
  if (same(work, target) && (indexIsHeads || !index)) return target ? 'write' : 'remove'
  if (!indexIsHeads) return 'conflict'
  // A missing tracked file has no content to lose.
  const isClean = same(work, index) || (index !== undefined && !work) || index?.mode === SUBMODULE
  if (!isClean) return 'conflict'
  return target ? 'write' : 'remove'
}

function forcedStep({ commits: [, target], commitDirs: [, targetDir], index, work }: CheckoutRow): Step {
  if (!target) return index || (targetDir && work) ? 'remove' : 'keep'
  return same(index, target) && (same(work, target) || target.mode === SUBMODULE) ? 'keep' : 'write'
}
