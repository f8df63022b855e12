import { hasCode } from '../../../src/errors/index.js'
import { quotedName } from '../../../src/ops/diff.js'
import type { ShellCommandResult } from '../../../src/types/shell.js'
import { baseName, joinPath, parentPath, relativePath } from '../../../src/workspace/paths.js'
import { isBelow } from '../repo-path.js'
import { checkUnlocked, headOid, type Repository } from '../repository.js'
import { add as stage, remove as unstage } from '../staging.js'
import { type Row, same, survey } from '../survey.js'
import { fatal, GitFault } from './fault.js'
import { parse } from './options.js'
import { fits, type Pathspec, pathspecs } from './paths.js'
import type { RepoSession } from './session.js'

const NOTHING =
  "Nothing specified, nothing added.\nhint: Maybe you wanted to say 'git add .'?\n" +
  'hint: Turn this message off by running\nhint: "git config advice.addEmptyPathspec false"\n'

export async function add(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('add', args, 'A|all|no-ignore-removal u|update f|force v|verbose n|dry-run')
  const names = [...given.operands, ...(given.paths ?? [])]
  if (names.length === 0 && !given.has('A') && !given.has('u')) return { stderr: NOTHING }
  const specs = names.length > 0 ? pathspecs(session, names) : [{ given: '.', path: '' }]
  return session.use(async (repository) => {
    const rows = await survey(repository, { commits: [], ignored: given.has('f') })
    await checkSpecs(repository, rows, specs)
    const conflicts = await repository.supported.conflicts()
    const isChanged = ({ path, index, work }: Row): boolean => {
      if (conflicts.has(path)) return true
      return index ? !same(index, work) : work !== undefined && !given.has('u')
    }
    const changed = rows.filter((row) => specs.some((spec) => fits(spec, row.path)) && isChanged(row))
    const lines = changed.map(({ path, work }) => `${work ? 'add' : 'remove'} '${path}'\n`)
    if (!given.has('n') && changed.length > 0) await stage(repository, { paths: changed.map(({ path }) => path), force: given.has('f') })
    return { stdout: given.has('v') || given.has('n') ? lines.join('') : '' }
  })
}

/** @throws {GitFault} if a path is missing or ignored */
async function checkSpecs({ workspace, dir, git, repo }: Repository, rows: readonly Row[], specs: readonly Pathspec[]): Promise<void> {
  const ignored: string[] = []
  for (const spec of specs) {
    if (spec.path === '' || rows.some(({ path }) => fits(spec, path))) continue
    const there = await workspace.lstat(joinPath(dir, spec.path)).catch(() => undefined)
    if (!there) throw fatal(`pathspec '${spec.given}' did not match any files`)
    if (await git.isIgnored({ ...repo, filepath: spec.path })) ignored.push(spec.path)
  }
  if (ignored.length === 0) return
  throw new GitFault(
    `The following paths are ignored by one of your .gitignore files:\n${ignored.join('\n')}\nhint: Use -f if you really want to add them.\n` +
      'hint: Turn this message off by running\nhint: "git config advice.addIgnoredFile false"',
    1,
  )
}

export async function rm(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('rm', args, 'r cached f|force q|quiet n|dry-run ignore-unmatch')
  const names = [...given.operands, ...(given.paths ?? [])]
  if (names.length === 0) throw fatal('No pathspec was given. Which files should I remove?')
  const specs = pathspecs(session, names)
  return session.use(async (repository) => {
    const rows = (await survey(repository, { commits: [] })).filter(({ index }) => index)
    for (const spec of specs) {
      const found = rows.filter(({ path }) => fits(spec, path))
      if (found.length === 0 && !given.has('ignore-unmatch')) throw fatal(`pathspec '${spec.given}' did not match any files`)
      if (!given.has('r') && found.some(({ path }) => path !== spec.path && isBelow(path, [spec.path]))) {
        throw fatal(`not removing '${spec.given}' recursively without -r`)
      }
    }
    const paths = rows.map(({ path }) => path).filter((path) => specs.some((spec) => fits(spec, path)))
    if (!given.has('f')) await checkKept(repository, paths, given.has('cached'))
    if (!given.has('n') && paths.length > 0) await unstage(repository, { paths, keepFiles: given.has('cached'), force: true })
    return { stdout: given.has('q') ? '' : paths.map((path) => `rm '${path}'\n`).join('') }
  })
}

/** @throws {GitFault} if content that no commit has would be lost */
async function checkKept(repository: Repository, paths: readonly string[], keepFiles: boolean): Promise<void> {
  const wanted = new Set(paths)
  const rows = await survey(repository, { commits: [await headOid(repository)] })
  const kinds = { both: [] as string[], staged: [] as string[], local: [] as string[] }
  for (const { path, index, work, commits } of rows) {
    if (!wanted.has(path)) continue
    const isStaged = !same(index, commits[0])
    const isLocal = work !== undefined && !same(index, work)
    if (isStaged && isLocal) kinds.both.push(path)
    else if (isStaged && !keepFiles) kinds.staged.push(path)
    else if (isLocal && !keepFiles) kinds.local.push(path)
  }
  const said = [
    told(kinds.both, 'staged content different from both the\nfile and the HEAD', '(use -f to force removal)'),
    told(kinds.staged, 'changes staged in the index', '(use --cached to keep the file, or -f to force removal)'),
    told(kinds.local, 'local modifications', '(use --cached to keep the file, or -f to force removal)'),
  ]
  const message = said.filter((one) => one !== '').join('\n')
  if (message !== '') throw new GitFault(message, 1)
}

function told(paths: readonly string[], what: string, hint: string): string {
  if (paths.length === 0) return ''
  const subject = paths.length === 1 ? 'the following file has' : 'the following files have'
  return `error: ${subject} ${what}:\n${paths.map((path) => `    ${path}\n`).join('')}${hint}`
}

export async function mv(session: RepoSession, args: readonly string[]): Promise<ShellCommandResult> {
  const given = parse('mv', args, 'f|force v|verbose k n|dry-run')
  const specs = pathspecs(session, [...given.operands, ...(given.paths ?? [])])
  const target = specs.at(-1)
  const sources = specs.slice(0, -1)
  if (!target || sources.length === 0) throw new GitFault('usage: git mv [<options>] <source>... <destination>', 129)
  return session.use(async (repository) => {
    if (!given.has('n')) checkUnlocked(repository, 'move files in')
    const { workspace, dir } = repository
    const there = await workspace.stat(joinPath(dir, target.path)).catch(() => undefined)
    const isFolder = there?.kind === 'dir'
    if (sources.length > 1 && !isFolder) throw fatal(`destination '${target.given}' is not a directory`)
    let lines = ''
    for (const source of sources) {
      const to = isFolder ? joinPath(target.path, baseName(source.path)).replace(/^\//, '') : target.path
      await moveOne(repository, source, to, { force: given.has('f'), dry: given.has('n') })
      lines += `Renaming ${quotedName(source.path)} to ${quotedName(to)}\n`
    }
    return { stdout: given.has('v') || given.has('n') ? lines : '' }
  })
}

async function moveOne(
  repository: Repository,
  source: Pathspec,
  to: string,
  { force, dry }: { force: boolean; dry: boolean },
): Promise<void> {
  const { git, repo, workspace, dir } = repository
  const wrong = (why: string): Error => fatal(`${why}, source=${source.path}, destination=${to}`)
  const from = joinPath(dir, source.path)
  if (!(await workspace.lstat(from).catch(() => undefined))) throw wrong('bad source')
  const rows = (await survey(repository, { commits: [], paths: [source.path] })).filter(({ index }) => index)
  if (rows.length === 0) throw wrong('not under version control')
  const at = joinPath(dir, to)
  if (!force && (await workspace.lstat(at).catch(() => undefined))) throw wrong('destination exists')
  if (!(await workspace.exists(parentPath(at)))) throw wrong('destination directory does not exist')
  if (dry) return
  const moved = rows.map(({ path }) => (path === source.path ? to : `${to}/${relativePath(joinPath(dir, path), from)}`))
  const forget = (paths: readonly string[]): Promise<void> => git.remove({ ...repo, filepath: [...paths] })
  let isMoved = false
  try {
    // Move the index entries unchanged, so that unstaged changes stay unstaged.
    for (const [i, filepath] of moved.entries()) {
      const side = rows[i]?.index
      if (side) await git.updateIndex({ ...repo, filepath, oid: side.oid, mode: side.mode, add: true })
    }
    await workspace.move(from, at, { overwrite: force, parents: false }).catch((error: unknown) => {
      throw hasCode(error, 'ENOENT', 'ENOTDIR', 'EINVAL') ? wrong('renaming failed') : error
    })
    isMoved = true
    await forget(rows.map(({ path }) => path))
  } catch (error) {
    // If this fails too, report only the first error.
    if (isMoved) await workspace.move(at, from, { parents: false }).catch(() => undefined)
    await forget(moved).catch(() => undefined)
    throw error
  }
}
