import type { ShellCommandResult } from '../../../src/types/shell.js'
import type { Repository } from '../repository.js'
import { fatal } from './fault.js'
import { parse } from './options.js'
import { NO_COMMIT, readLog } from './reflog-file.js'
import { findCommit, short, unknownRevision } from './revisions.js'
import type { RepoSession } from './session.js'

const KNOWN = new Set(['show', 'expire', 'delete', 'exists'])

/** Implements `git reflog [show] [-n <number>] [<ref>]`, newest entry first, and `git reflog exists <ref>`. */
export async function reflog(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('reflog', args, 'n|max-count= # no-abbrev no-abbrev-commit oneline no-decorate')
  const [verb, ...more] = KNOWN.has(given.operands[0] ?? '') ? given.operands : ['show', ...given.operands]
  if (verb === 'expire' || verb === 'delete') throw fatal(`git reflog ${verb} is not available here: nothing of the log is ever removed`)
  const [name = 'HEAD', extra] = [...more, ...(given.paths ?? [])]
  if (extra !== undefined) throw fatal(`one ref at a time: git reflog ${name}`)
  const limit = Number(given.value('n') ?? given.value('#') ?? Number.POSITIVE_INFINITY)
  if (Number.isNaN(limit)) throw fatal(`'${given.value('n')}': not an integer`)
  return session.use(async (repository) => {
    const ref = await refNamed(repository, name)
    const entries = await readLog(repository, ref)
    if (verb === 'exists') return { exitCode: entries.length > 0 ? 0 : 1 }
    if ((await findCommit(repository, ref)) === undefined) {
      if (ref !== 'HEAD') throw unknownRevision(name)
      throw fatal(`your current branch '${(await repository.git.currentBranch(repository.repo)) ?? ''}' does not have any commits yet`)
    }
    const shown = entries
      .toReversed()
      .map(({ after, message }, i) => ({ after, line: `${given.has('no-abbrev') ? after : short(after)} ${name}@{${i}}: ${message}\n` }))
      // Skip one of the two HEAD entries of a branch rename, which has no commit.
      .filter(({ after }) => after !== NO_COMMIT)
    return {
      stdout: shown
        .slice(0, limit)
        .map(({ line }) => line)
        .join(''),
    }
  })
}

async function refNamed({ git, repo }: Repository, name: string): Promise<string> {
  if (name === 'HEAD' || name.startsWith('refs/')) return name
  return (await git.listBranches(repo)).includes(name) ? `refs/heads/${name}` : name
}
