import { joinPath } from '../../src/workspace/paths.js'
import { inputError } from './faults.js'
import type { ReadCommit } from './library.js'
import { repoPaths } from './repo-path.js'
import { checkUnused, commitOid, headOid, type Repository } from './repository.js'
import type { GitBranch, GitBranchOptions, GitLogEntry, GitLogOptions } from './types.js'

export async function log(repository: Repository, { ref = 'HEAD', limit = 50, path }: GitLogOptions): Promise<GitLogEntry[]> {
  const { git, repo, workspace, dir } = repository
  if (!Number.isSafeInteger(limit) || limit < 1) throw inputError('show the log', '"limit" has to be a whole number from 1')
  const [filepath] = repoPaths(workspace, dir, 'show the log', path === undefined ? [] : [path]) ?? []
  if (ref === 'HEAD' && (await headOid(repository)) === undefined) return []
  const oid = await commitOid(repository, ref)
  const commits = filepath
    ? unique(await git.log({ ...repo, ref: oid, filepath, force: true })).slice(0, limit)
    : await newest(repository, oid, limit)
  return commits.map(({ oid, commit: { message, parent, author, committer } }) => ({
    oid,
    message,
    parents: parent,
    author: personOf(author),
    committer: personOf(committer),
  }))
}

/**
 * Returns the newest commits first. Unlike this function, the library's own log lists and counts a commit twice if two branches start from
 * it.
 */
async function newest(repository: Repository, from: string, limit: number): Promise<ReadCommit[]> {
  const { git, repo } = repository
  const ends = await shallowCommits(repository)
  const open = [await git.readCommit({ ...repo, oid: from })]
  const seen = new Set([from])
  const found: ReadCommit[] = []
  while (found.length < limit) {
    const next = open.reduce((best, entry) => (timeOf(entry) > timeOf(best) ? entry : best), open[0] as ReadCommit)
    if (!next) break
    open.splice(open.indexOf(next), 1)
    found.push(next)
    for (const oid of ends.has(next.oid) ? [] : next.commit.parent) {
      if (!seen.has(oid)) open.push(await git.readCommit({ ...repo, oid }))
      seen.add(oid)
    }
  }
  return found
}

const timeOf = ({ commit }: ReadCommit): number => commit.committer.timestamp

const unique = (commits: readonly ReadCommit[]): ReadCommit[] => [...new Map(commits.map((entry) => [entry.oid, entry])).values()]

/** Returns the commits whose parents were not fetched. */
async function shallowCommits({ workspace, dir }: Repository): Promise<ReadonlySet<string>> {
  const path = joinPath(dir, '.git/shallow')
  return new Set((await workspace.exists(path)) ? (await workspace.readText(path)).text.split('\n') : [])
}

const personOf = ({ name, email, timestamp, timezoneOffset }: GitLogEntry['author']): GitLogEntry['author'] => ({
  name,
  email,
  timestamp,
  timezoneOffset,
})

export async function branches(repository: Repository): Promise<GitBranch[]> {
  const { git, repo } = repository
  const current = await git.currentBranch(repo)
  const names = (await git.listBranches(repo)).sort((a, b) => (a < b ? -1 : 1))
  return Promise.all(
    names.map(async (name) => ({
      name,
      oid: await git.resolveRef({ ...repo, ref: `refs/heads/${name}` }),
      current: name === current,
    })),
  )
}

export async function createBranch(repository: Repository, { name, from = 'HEAD' }: GitBranchOptions): Promise<GitBranch> {
  const { git, repo } = repository
  if (from === 'HEAD' && (await headOid(repository)) === undefined) {
    throw inputError(`create the branch "${name}"`, 'there is no commit yet, commit first')
  }
  const oid = await commitOid(repository, from)
  await git.branch({ ...repo, ref: name, object: oid })
  return { name, oid, current: false }
}

export async function deleteBranch(repository: Repository, name: string): Promise<void> {
  const { git, repo } = repository
  if ((await git.currentBranch(repo)) === name)
    throw inputError(`delete the branch "${name}"`, 'it is checked out, check out another first')
  await checkUnused(repository, name, `delete the branch "${name}"`)
  await git.deleteBranch({ ...repo, ref: name })
}
