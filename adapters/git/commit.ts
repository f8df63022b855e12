import { hasLoneSurrogate } from '../../src/ops/utf8.js'
import { inputError } from './faults.js'
import { checkIdle, type Repository } from './repository.js'
import type { GitCommitOptions, GitPerson } from './types.js'

export async function commit(
  repository: Repository,
  { message, author, committer, allowEmpty = false }: GitCommitOptions,
  standard: GitPerson | undefined,
): Promise<{ readonly oid: string; readonly branch: string | undefined }> {
  const { git, repo } = repository
  checkIdle(repository, 'commit in')
  if (typeof message !== 'string' || message.trim() === '') throw inputError('commit', 'the message is empty, say what changed')
  if (message.includes('\0') || hasLoneSurrogate(message)) throw inputError('commit', 'the message has a character that git cannot keep')
  const who = complete(repository, 'author', author ?? standard ?? (await configured(repository)))
  const oid = await git.commit({
    ...repo,
    message,
    author: who,
    committer: committer ? complete(repository, 'committer', committer) : who,
    disallowEmpty: !allowEmpty,
  })
  return { oid, branch: (await git.currentBranch(repo)) ?? undefined }
}

async function configured({ git, repo }: Repository): Promise<GitPerson> {
  const name = await git.getConfig({ ...repo, path: 'user.name' })
  const email = await git.getConfig({ ...repo, path: 'user.email' })
  if (typeof name === 'string' && typeof email === 'string') return { name, email }
  throw inputError('commit', 'there is no author. Pass "author" with a name and an email, or set "user.name" and "user.email"')
}

/** Completes a person with time and time zone. @throws {InputError} for values that would break the format of a commit */
function complete({ workspace }: Repository, role: string, person: GitPerson): Required<GitPerson> {
  const { name, email, timestamp = Math.floor(workspace.host.now() / 1000), timezoneOffset = 0 } = person
  for (const [what, value] of Object.entries({ name, email })) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these would begin another line of the commit
    const isFit = typeof value === 'string' && value.trim() !== '' && !/[\x00-\x1f<>]/.test(value) && !hasLoneSurrogate(value)
    if (!isFit) throw inputError('commit', `the ${role}'s ${what} is empty, or has "<", ">" or a line break in it`)
  }
  if (!Number.isSafeInteger(timestamp) || timestamp < 0 || !Number.isSafeInteger(timezoneOffset)) {
    throw inputError('commit', `the ${role}'s timestamp has to be whole seconds, and the timezoneOffset whole minutes`)
  }
  return { name, email, timestamp, timezoneOffset }
}
