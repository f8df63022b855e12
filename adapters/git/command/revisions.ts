import { isMissing } from '../faults.js'
import type { ReadCommit } from '../library.js'
import { commitOid, headOid, type Repository } from '../repository.js'
import { fatal } from './fault.js'
import { loggedOid } from './reflog-file.js'

const SHORT = 7

export const short = (oid: string): string => oid.slice(0, SHORT)

/** Resolves a revision such as `HEAD~2`, `main^`, `v1.0`, `abc1234` or `@`. Returns undefined if there is no such commit. */
export async function findCommit(repository: Repository, text: string): Promise<string | undefined> {
  const [, base = '', steps = ''] = /^([^~^]*)((?:~\d*|\^\d*|\^\{(?:commit)?\})*)$/.exec(text) ?? []
  if (base === '' && steps === '') return undefined
  let oid = await baseOid(repository, base === '' || base === '@' ? 'HEAD' : base)
  for (const [, kind, digits] of steps.matchAll(/([~^])(?:(\d*)|\{\w*\})/g)) {
    if (oid === undefined) return undefined
    const count = digits === '' || digits === undefined ? 1 : Number(digits)
    if (kind === '~') for (let i = 0; i < count && oid; i++) oid = await parentOf(repository, oid, 1)
    else if (count > 0 && digits !== undefined) oid = await parentOf(repository, oid, count)
  }
  return oid
}

async function baseOid(repository: Repository, ref: string): Promise<string | undefined> {
  if (ref === 'HEAD') return headOid(repository)
  const logged = await loggedOid(repository, ref)
  if (logged) return logged.oid ?? baseOid(repository, logged.name as string)
  try {
    return await commitOid(repository, ref)
  } catch (error) {
    if (isMissing(error)) return undefined
    const code = (error as { code?: string }).code
    if (code === 'InvalidRefNameError' || code === 'InvalidOidError' || code === 'ShortOidNotFound') return undefined
    throw error
  }
}

async function parentOf({ git, repo }: Repository, oid: string, number: number): Promise<string | undefined> {
  return (await git.readCommit({ ...repo, oid })).commit.parent[number - 1]
}

/** @throws {GitFault} in git's wording for an argument that may be a revision or a path */
export async function commitNamed(repository: Repository, text: string): Promise<string> {
  const oid = await findCommit(repository, text)
  if (oid === undefined) throw unknownRevision(text)
  return oid
}

export const unknownRevision = (text: string): Error =>
  fatal(
    `ambiguous argument '${text}': unknown revision or path not in the working tree.\n` +
      "Use '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'",
  )

export async function readCommitOf(repository: Repository, oid: string): Promise<ReadCommit> {
  return repository.git.readCommit({ ...repository.repo, oid })
}

export const subject = (message: string): string => (message.split(/\n\s*\n/, 1)[0] ?? '').trim().replaceAll('\n', ' ')

/** Returns the commits of the local branches by name. Skips broken refs, such as an empty one that an interrupted write left behind. */
export async function branchOids({ git, repo }: Repository): Promise<ReadonlyMap<string, string>> {
  const oids = new Map<string, string>()
  for (const name of (await git.listBranches(repo)).sort()) {
    try {
      oids.set(name, await git.resolveRef({ ...repo, ref: `refs/heads/${name}` }))
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  return oids
}

/** Maps each commit to its names (HEAD, branches and tags) in the order of `--decorate`. */
export async function decorations(repository: Repository): Promise<ReadonlyMap<string, readonly string[]>> {
  const { git, repo } = repository
  const names = new Map<string, string[]>()
  const add = (oid: string, name: string): void => void names.set(oid, [...(names.get(oid) ?? []), name])
  const current = (await git.currentBranch({ ...repo, test: true })) ?? undefined
  const head = await headOid(repository)
  if (head !== undefined) add(head, current === undefined ? 'HEAD' : `HEAD -> ${current}`)
  for (const tag of await git.listTags(repo)) add(await commitOid(repository, `refs/tags/${tag}`), `tag: ${tag}`)
  for (const branch of await git.listBranches(repo)) {
    if (branch !== current) add(await git.resolveRef({ ...repo, ref: `refs/heads/${branch}` }), branch)
  }
  return names
}
