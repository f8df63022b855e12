import { InputError } from '../../src/errors/index.js'
import { changeFiles, goesWhole } from './change-files.js'
import { type Plan, planCheckout } from './checkout-plan.js'
import { inputError, isMissing } from './faults.js'
import { LINK } from './git-fs.js'
import { checkIdle, checkUnused, commitOid, headOid, type Repository } from './repository.js'
import { type Row, SUBMODULE, same, survey } from './survey.js'
import type { GitCheckedOut, GitCheckoutOptions } from './types.js'

/** Maximum number of paths in a message. */
const MAX_NAMED = 10

export async function checkout(repository: Repository, options: GitCheckoutOptions): Promise<GitCheckedOut> {
  const { git, repo } = repository
  const { ref, create = false, from = 'HEAD', force = false } = options
  checkIdle(repository, 'check out in')
  if (!create) await checkUnused(repository, ref, `check out "${ref}"`)
  const head = await headOid(repository)
  if (create && from === 'HEAD' && head === undefined) {
    await git.branch({ ...repo, ref, checkout: true })
    return { branch: ref, oid: undefined, written: 0, removed: 0 }
  }
  const oid = await targetOid(repository, create ? from : ref)
  const plan = await safePlan(repository, { head, oid, force })
  if (plan.conflicts.length > 0) throw wouldLose(ref, plan.conflicts)
  if (create) await git.branch({ ...repo, ref, object: oid })
  try {
    return await applyPlan(repository, plan, { oid, ref: isAbbreviated(ref, oid) ? oid : ref })
  } catch (error) {
    // The unused new branch would block a retry of this checkout. If its removal fails too, report only the first error.
    if (create && (await git.currentBranch(repo)) !== ref) await git.deleteBranch({ ...repo, ref }).catch(() => undefined)
    throw error
  }
}

/** Checks out files for the first time, after a clone. The index is empty, and HEAD already exists. */
export async function firstCheckout(repository: Repository, oid: string): Promise<GitCheckedOut> {
  const plan = await safePlan(repository, { head: undefined, oid, force: false })
  if (plan.conflicts.length > 0) throw wouldLose('HEAD', plan.conflicts)
  return applyPlan(repository, plan, { oid, ref: 'HEAD' })
}

const isAbbreviated = (ref: string, oid: string): boolean => /^[0-9a-f]{4,39}$/.test(ref) && oid.startsWith(ref)

async function targetOid(repository: Repository, ref: string): Promise<string> {
  return commitOid(repository, ref).catch((error: unknown) => {
    if (!isMissing(error)) throw error
    return commitOid(repository, `refs/remotes/origin/${ref}`).catch((second: unknown) => {
      throw isMissing(second) ? inputError(`check out "${ref}"`, 'there is no branch, tag or commit of that name') : second
    })
  })
}

interface Ends {
  readonly head: string | undefined
  readonly oid: string
  readonly force: boolean
}

async function safePlan(repository: Repository, { head, oid, force }: Ends): Promise<Plan> {
  const rows = await survey(repository, { commits: [head, oid] })
  if (force) return planCheckout(rows, force)
  const known = await Promise.all(rows.map((row) => withoutDrift(repository, row)))
  const planned = planCheckout(known, force)
  const plan = { ...planned, carries: planned.carries || known.some((row, at) => row !== rows[at]) }
  const going = new Set(plan.removes.map(({ path }) => path))
  const blocked: string[] = []
  for (const { path, workDir } of plan.writes) {
    if (workDir && !(await goesWhole(repository, path, going))) blocked.push(path)
  }
  return { ...plan, conflicts: [...plan.conflicts, ...blocked].sort() }
}

/**
 * Treats a file that git itself wrote as unchanged. With inconsistent line-ending rules, git reports such a file as changed when its
 * timestamp changes, although it has no local changes to lose.
 */
async function withoutDrift({ conversion }: Repository, row: Row): Promise<Row> {
  const { path, index, work } = row
  if (!index || !work || index.mode !== work.mode || index.mode === LINK || index.mode === SUBMODULE || same(index, work)) return row
  return (await conversion.isWritten({ path, oid: index.oid })) ? { ...row, work: index } : row
}

/**
 * Writes the files first, then the index and HEAD. So an interrupted checkout can be repeated: files that are already written match the
 * target, and removed content is in a commit.
 */
async function applyPlan(
  repository: Repository,
  { writes, removes, comes, carries }: Plan,
  { oid, ref }: { readonly oid: string; readonly ref: string },
): Promise<GitCheckedOut> {
  const { git, repo, conversion } = repository
  conversion.expect(
    comes,
    removes.map(({ path }) => path),
  )
  await conversion.check(writes.flatMap(({ path, target, isThere }) => (isThere || target.mode === LINK ? [] : [path])))
  await changeFiles(repository, {
    writes: writes.filter(({ isThere }) => !isThere),
    removes: removes.filter(({ isThere }) => isThere).map(({ path }) => path),
    gone: removes.map(({ path }) => path),
  })
  const touched = [...writes, ...removes].map(({ path }) => path)
  if (touched.length > 0) await git.remove({ ...repo, filepath: touched })
  // The library does not check out a submodule whose directory exists, so update its index entry here.
  for (const { path, target } of writes) {
    if (target.mode === SUBMODULE) await git.updateIndex({ ...repo, filepath: path, oid: target.oid, mode: SUBMODULE, add: true })
  }
  await git.checkout({
    ...repo,
    ref,
    force: true,
    noUpdateHead: ref === 'HEAD',
    // Without local changes, all paths match. So leave out `filepaths`, because the library compares each path with each of them.
    ...(carries && { filepaths: writes.map(({ path }) => path) }),
  })
  const branch = (await git.currentBranch(repo)) ?? undefined
  return { branch, oid, written: writes.filter(({ isThere }) => !isThere).length, removed: removes.filter(({ isThere }) => isThere).length }
}

function wouldLose(ref: string, conflicts: readonly string[]): InputError {
  const named = conflicts.slice(0, MAX_NAMED).map((path) => `"${path}"`)
  const more = conflicts.length > MAX_NAMED ? ` and ${conflicts.length - MAX_NAMED} more` : ''
  const why = `local changes would be lost in ${named.join(', ')}${more}: commit them or move them away, or set "force" to lose them`
  return new InputError('invalid_input', `Cannot check out "${ref}": ${why}`, { details: { conflicts } })
}
