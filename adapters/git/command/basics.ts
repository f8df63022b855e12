import { quotedName } from '../../../src/ops/diff.js'
import type { ShellCommandResult } from '../../../src/types/shell.js'
import { relativePath } from '../../../src/workspace/paths.js'
import { createGit } from '../create-git.js'
import type { Repository } from '../repository.js'
import { survey } from '../survey.js'
import { authorOf } from './config.js'
import { fatal, GitFault } from './fault.js'
import { parse } from './options.js'
import { fitsAny, fromCwd, pathspecs } from './paths.js'
import { logClone } from './reflog-record.js'
import { commitNamed, findCommit, short, unknownRevision } from './revisions.js'
import { openSession, type RepoSession, type Session } from './session.js'

export async function init({ options, workspace, context, cwd }: Session, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('init', args, 'q|quiet b|initial-branch= bare')
  if (given.has('bare')) throw fatal('bare repositories are not available here')
  const dir = context.fs.resolvePath(cwd, given.operands[0] ?? '.')
  const branch = given.value('b')
  const { created } = await createGit({ ...options, workspace, dir }).init({
    signal: context.signal,
    ...(branch !== undefined && { defaultBranch: branch }),
  })
  return { stdout: given.has('q') ? '' : `${created ? 'Initialized empty' : 'Reinitialized existing'} Git repository in ${dir}/.git/\n` }
}

export async function clone(session: Session, args: readonly string[]): Promise<ShellCommandResult> {
  const { options, workspace, context, cwd } = session
  const given = parse('clone', args, 'q|quiet depth= b|branch= single-branch no-single-branch no-tags progress o|origin=')
  const [url, target, extra] = given.operands
  if (url === undefined || extra !== undefined) throw new GitFault('fatal: You must specify a repository to clone.', 129)
  if (!options.fetch) throw fatal(`unable to access '${url}': this shell has no network (its program gives gitCommand no "fetch")`)
  const name =
    target ??
    url
      .replace(/\/+$/, '')
      .replace(/\.git$/, '')
      .replace(/^.*[/:]/, '')
  const depth = given.value('depth')
  if (depth !== undefined && !/^[1-9]\d*$/.test(depth)) throw fatal(`depth ${depth} is not a positive number`)
  const ref = given.value('b')
  const git = createGit({ ...options, workspace, dir: context.fs.resolvePath(cwd, name) })
  const lines = given.has('q') ? '' : `Cloning into '${name}'...\n`
  try {
    await git.clone({
      url,
      signal: context.signal,
      ...(depth !== undefined && { depth: Number(depth) }),
      ...(ref !== undefined && { ref }),
      ...((given.has('single-branch') || depth !== undefined) && { singleBranch: !given.has('no-single-branch') }),
    })
  } catch (error) {
    if (context.signal.aborted) throw error
    throw new GitFault(`${lines}fatal: ${error instanceof Error ? error.message : String(error)}`)
  }
  // The log is optional. Without it, only names such as `HEAD@{1}` are unavailable.
  await logClone(await openSession({ ...session, cwd: context.fs.resolvePath(cwd, name) }), url).catch(() => undefined)
  return { stderr: lines }
}

export async function revParse(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const { dir, cwd } = session
  let isShort = false
  let isName = false
  let quiet = false
  let stdout = ''
  for (const arg of args) {
    const facts: Readonly<Record<string, string>> = {
      '--show-toplevel': dir,
      '--git-dir': cwd === dir ? '.git' : `${dir}/.git`,
      '--absolute-git-dir': `${dir}/.git`,
      '--is-inside-work-tree': 'true',
      '--is-inside-git-dir': 'false',
      '--is-bare-repository': 'false',
      '--is-shallow-repository': 'false',
      '--show-prefix': cwd === dir ? '' : `${relativePath(cwd, dir)}/`,
      '--show-cdup': fromCwd({ ...session, cwd }, '').replace(/^\.\/$/, ''),
    }
    if (Object.hasOwn(facts, arg)) stdout += `${facts[arg]}\n`
    else if (arg === '--short') isShort = true
    else if (arg === '--abbrev-ref') isName = true
    else if (arg === '--verify' || arg === '-q' || arg === '--quiet') quiet ||= arg !== '--verify'
    else if (arg.startsWith('-')) throw fatal(`rev-parse ${arg} is not available here`)
    else {
      const oid = await session.use((repository) => findCommit(repository, arg))
      if (oid === undefined) {
        if (quiet) return { stdout, exitCode: 1 }
        if (args.includes('--verify')) throw fatal('Needed a single revision')
        return { stdout: `${stdout}${arg}\n`, stderr: `${(unknownRevision(arg) as Error).message}\n`, exitCode: 128 }
      }
      stdout += `${isName ? await nameOf(session, arg) : isShort ? short(oid) : oid}\n`
    }
  }
  return { stdout }
}

async function nameOf(session: RepoSession, text: string): Promise<string> {
  if (text !== 'HEAD' && text !== '@') return text.replace(/^refs\/(?:heads|tags|remotes)\//, '')
  return (await session.use(({ git, repo }) => git.currentBranch(repo))) ?? 'HEAD'
}

export async function remote(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('remote', args, 'v|verbose')
  const [verb, name] = given.operands
  return session.use(async ({ git, repo }) => {
    const remotes = await git.listRemotes(repo)
    if (verb === 'get-url') {
      const found = remotes.find((one) => one.remote === name)
      if (!found) throw new GitFault(`error: No such remote '${name}'`, 2)
      return { stdout: `${found.url}\n` }
    }
    if (verb !== undefined && verb !== 'show')
      throw fatal(`git remote ${verb} is not available here: there is git remote [-v] and git remote get-url`)
    const lines = remotes.map(({ remote: one, url }) => (given.has('v') ? `${one}\t${url} (fetch)\n${one}\t${url} (push)\n` : `${one}\n`))
    return { stdout: lines.join('') }
  })
}

export async function tag(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('tag', args, 'l|list d|delete a|annotate m|message= f|force n=?')
  const [name, target = 'HEAD'] = given.operands
  const who = given.has('m') || given.has('a') ? await authorOf(session, 'COMMITTER') : undefined
  return session.use(async (repository) => {
    const { git, repo, workspace } = repository
    const tags = (await git.listTags(repo)).sort()
    if (given.has('d')) return removeTags(repository, given.operands, tags)
    if (name === undefined || given.has('l')) {
      const specs = given.has('l') ? given.operands.map((one) => ({ given: one, path: one })) : []
      return {
        stdout: tags
          .filter((one) => fitsAny(specs, one))
          .map((one) => `${one}\n`)
          .join(''),
      }
    }
    if (tags.includes(name) && !given.has('f')) throw fatal(`tag '${name}' already exists`)
    const object = await findCommit(repository, target)
    if (object === undefined) throw fatal(`Failed to resolve '${target}' as a valid ref.`)
    const force = given.has('f')
    if (!who) await git.tag({ ...repo, ref: name, object, force })
    else {
      const message = given.values('m').join('\n\n')
      if (message === '') throw fatal('no tag message? give one with -m')
      const tagger = {
        name: who.name,
        email: who.email,
        timestamp: who.timestamp ?? Math.floor(workspace.host.now() / 1000),
        timezoneOffset: who.timezoneOffset ?? 0,
      }
      await git.annotatedTag({ ...repo, ref: name, object, message: `${message}\n`, tagger, force })
    }
    return {}
  })
}

async function removeTags({ git, repo }: Repository, names: readonly string[], tags: readonly string[]): Promise<ShellCommandResult> {
  let stdout = ''
  let stderr = ''
  for (const name of names) {
    if (!tags.includes(name)) {
      stderr += `error: tag '${name}' not found.\n`
      continue
    }
    const oid = await git.resolveRef({ ...repo, ref: `refs/tags/${name}` })
    await git.deleteTag({ ...repo, ref: name })
    stdout += `Deleted tag '${name}' (was ${short(oid)})\n`
  }
  return { stdout, stderr, exitCode: stderr === '' ? 0 : 1 }
}

export async function lsFiles(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('ls-files', args, 'c|cached m|modified d|deleted o|others exclude-standard z s|stage error-unmatch full-name')
  const specs = pathspecs(session, [...given.operands, ...(given.paths ?? [])])
  const rows = await session.use((repository) =>
    survey(repository, { commits: [], ignored: given.has('o') && !given.has('exclude-standard') }),
  )
  const inCwd = specs.length > 0 ? specs : pathspecs(session, ['.'])
  const wanted = rows.filter(({ path, index, work }) => {
    if (!fitsAny(inCwd, path)) return false
    if (given.has('o')) return !index && work !== undefined
    if (given.has('d')) return index !== undefined && !work
    if (given.has('m')) return index !== undefined && (index.oid !== work?.oid || index.mode !== work?.mode)
    return index !== undefined
  })
  if (given.has('error-unmatch') && wanted.length === 0) {
    const [spec] = specs
    throw new GitFault(`error: pathspec '${spec?.given}' did not match any file(s) known to git\nDid you forget to 'git add'?`, 1)
  }
  const end = given.has('z') ? '\0' : '\n'
  const name = (path: string): string => {
    const shown = given.has('full-name') ? path : fromCwd(session, path)
    return given.has('z') ? shown : quotedName(shown)
  }
  const lines = wanted.map(
    ({ path, index }) => `${given.has('s') && index ? `${index.mode.toString(8)} ${index.oid} 0\t` : ''}${name(path)}${end}`,
  )
  return { stdout: lines.join('') }
}

export async function catFile(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('cat-file', args, 'p t e')
  const [name] = given.operands
  if (name === undefined || !(given.has('p') || given.has('t') || given.has('e')))
    throw new GitFault('usage: git cat-file (-p | -t | -e) <commit>', 129)
  return session.use(async (repository) => {
    const oid = await commitNamed(repository, name)
    if (given.has('e')) return {}
    if (given.has('t')) return { stdout: 'commit\n' }
    const { commit } = await repository.git.readCommit({ ...repository.repo, oid })
    const person = ({ name: who, email, timestamp, timezoneOffset }: typeof commit.author): string => {
      const ahead = Math.abs(timezoneOffset)
      const zone = `${timezoneOffset > 0 ? '-' : '+'}${String(Math.floor(ahead / 60)).padStart(2, '0')}${String(ahead % 60).padStart(2, '0')}`
      return `${who} <${email}> ${timestamp} ${zone}`
    }
    const parents = commit.parent.map((one) => `parent ${one}\n`).join('')
    return {
      stdout: `tree ${commit.tree}\n${parents}author ${person(commit.author)}\ncommitter ${person(commit.committer)}\n\n${commit.message}`,
    }
  })
}
