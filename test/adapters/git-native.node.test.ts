// @module-tag git
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createWorkspace, type Workspace } from 'toolport'
import { createFetch } from 'toolport/adapters/fetch'
import { createGit } from 'toolport/adapters/git'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { afterAll, describe, expect, it } from 'vitest'
import fc from '../fast-check.js'
import { service } from '../service.js'
import { gitEnvironment } from '../setup/native-git.js'
import { countStatuses, EXPECTED_IDS, EXPECTED_STATUSES, gitAdapterSession } from '../workspace/git-session.js'
import { author, bareFs, repository } from './git-support.js'

const base = mkdtempSync(join(tmpdir(), 'git-native-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const folder = (): string => mkdtempSync(join(base, 'repo-'))

function native(cwd: string, args: readonly string[], input?: string): string {
  return execFileSync('git', ['-c', 'safe.directory=*', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    cwd,
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
    env: gitEnvironment(base),
  })
}

/** Everything in the workspace, on disk. */
async function exported(workspace: Workspace): Promise<string> {
  const to = folder()
  for await (const run of workspace.walk('.', { ignore: false })) {
    for (const { path, kind } of run) {
      const at = join(to, workspace.relative(path))
      if (kind === 'dir') mkdirSync(at)
      else if (kind === 'symlink') symlinkSync(await workspace.readlink(path), at)
      else writeFileSync(at, (await workspace.readBytes(path)).bytes, { mode: (await workspace.stat(path)).mode ?? 0o644 })
    }
  }
  return to
}

const fsck = (cwd: string): string => native(cwd, ['fsck', '--full', '--strict', '--no-dangling'])

describe('native git reads what the adapter wrote', () => {
  it('in a directory', async () => {
    const root = folder()
    const session = await gitAdapterSession(createWorkspace({ fs: createNodeFs({ root }) }))
    expect(session).toMatchObject(EXPECTED_IDS)
    expect(countStatuses(session)).toEqual(EXPECTED_STATUSES)
    expect(fsck(root)).toBe('')
    expect(native(root, ['status', '--porcelain'])).toBe('')
    expect(native(root, ['rev-parse', 'main', 'topic']).trim().split('\n')).toEqual([session.merged, session.onBranch])
    expect(readlinkSync(join(root, 'link'))).toBe('src/d1/file1.txt')
  })

  for (const [name, fs] of [['memory', createMemoryFs()] as const, ['memory without links and modes', bareFs()] as const]) {
    it(`exported from ${name}`, async () => {
      const workspace = createWorkspace({ fs })
      const session = await gitAdapterSession(workspace)
      const root = await exported(workspace)
      expect(fsck(root)).toBe('')
      expect(native(root, ['rev-parse', 'main', 'topic']).trim().split('\n')).toEqual([session.merged, session.onBranch])
      expect(native(root, ['status', '--porcelain'])).toBe('')
    })
  }

  it('after a clone, a shallow one too, and with links and modes that the storage could not keep', async () => {
    const { origin, main } = await service('git')
    for (const [fs, depth] of [[createMemoryFs(), undefined] as const, [createMemoryFs(), 2] as const, [bareFs(), undefined] as const]) {
      const workspace = createWorkspace({ fs })
      const git = createGit({ workspace, fetch: createFetch({ origins: [origin] }) })
      await git.clone({ url: `${origin}/repo.git`, ...(depth && { depth }) })
      const root = await exported(workspace)
      expect(fsck(root)).toBe('')
      expect(native(root, ['rev-parse', 'HEAD']).trim()).toBe(main[0])
      expect(native(root, ['status', '--porcelain'])).toBe('')
    }
  })

  it('applies its diffs', async () => {
    const { workspace, git } = await repository({ a: '1\n2\n3\n', 'gone file': 'g\n', 'sub/b': 'no newline', naïve: 'n\n', empty: '' })
    const before = await exported(workspace)
    await workspace.writeText('a', '1\ntwo\n3\n4')
    await workspace.remove('gone file')
    await workspace.remove('empty')
    await workspace.writeText('sub/b', 'a newline\r\n')
    await workspace.writeText('naïve', 'm\n')
    await workspace.writeText('new "quoted"\tname', 'x\n')
    await workspace.writeText('control \u0001\u000b\u007f', 'x\n')
    await workspace.writeText('new empty', '')
    await workspace.remove('sub/b')
    await workspace.symlink('../a', 'sub/b')
    await workspace.setMeta('a', { mode: 0o755 })
    await git.add({ paths: ['.'] })
    const { text } = await git.diff({ from: 'HEAD', to: 'index' })
    // Its files are new ones for the index that came with them.
    native(before, ['status'])
    native(before, ['apply', '--index', '-'], text)
    await git.commit({ message: 'after' })
    native(before, ['commit', '-qm', 'after'])
    const after = await exported(workspace)
    expect(native(before, ['rev-parse', 'HEAD^{tree}'])).toBe(native(after, ['rev-parse', 'HEAD^{tree}']))
  })
})

describe('the adapter reads what native git wrote', () => {
  it('sees the same status', async () => {
    const root = folder()
    native(root, ['init', '-q', '-b', 'main'])
    for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(root, name), `${name}\n`)
    native(root, ['add', '.'])
    native(root, ['commit', '-qm', 'first'])
    native(root, ['gc', '-q'])
    writeFileSync(join(root, 'a'), 'A\n')
    native(root, ['rm', '-q', 'b'])
    native(root, ['update-index', '--chmod=+x', 'c'])
    writeFileSync(join(root, 'new'), 'n\n')
    native(root, ['add', '-N', 'new'])
    rmSync(join(root, 'd'))
    const git = createGit({ workspace: createWorkspace({ fs: createNodeFs({ root }) }), author })
    expect(native(root, ['status', '--porcelain'])).toBe(' M a\nD  b\nMM c\n D d\n A new\n')
    expect((await git.status()).filter(({ path }) => path !== 'new')).toEqual([
      { path: 'a', staged: 'unchanged', worktree: 'modified' },
      { path: 'b', staged: 'deleted', worktree: 'unchanged' },
      { path: 'c', staged: 'modified', worktree: 'modified' },
      { path: 'd', staged: 'unchanged', worktree: 'deleted' },
    ])
    expect((await git.log())[0]?.oid).toBe(native(root, ['rev-parse', 'HEAD']).trim())
  })
})

type State = Readonly<Record<string, string>>

/** Files by path, none of them below another. */
const state = (): fc.Arbitrary<State> =>
  fc
    .dictionary(fc.constantFrom('a', 'b', 'd', 'd/x', 'd/y', 'e'), fc.constantFrom('1\n', '2\n', '3\n'), { maxKeys: 5 })
    .map((files) => Object.fromEntries(Object.entries(files).filter(([path]) => !(path.startsWith('d/') && 'd' in files))))

function put(root: string, files: State): void {
  for (const name of readdirSync(root)) if (name !== '.git') rmSync(join(root, name), { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

function treeOf(root: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(join(root, below))) {
    const path = below ? `${below}/${name}` : name
    if (path === '.git') continue
    if (lstatSync(join(root, path)).isDirectory()) Object.assign(found, treeOf(root, path))
    else found[path] = readFileSync(join(root, path), 'utf8')
  }
  return found
}

function prepare(head: State, target: State, index: State, work: State): string {
  const root = folder()
  native(root, ['init', '-q', '-b', 'main'])
  put(root, target)
  native(root, ['add', '-A'])
  native(root, ['commit', '-qm', 'target', '--allow-empty'])
  native(root, ['branch', 'target'])
  put(root, head)
  native(root, ['add', '-A'])
  native(root, ['commit', '-qm', 'head', '--allow-empty'])
  put(root, index)
  native(root, ['add', '-A'])
  put(root, work)
  return root
}

const clash = (files: State, others: State): boolean => 'd' in files && Object.keys(others).some((path) => path.startsWith('d/'))

const looks = (root: string): unknown => [treeOf(root), native(root, ['ls-files', '-s']), native(root, ['symbolic-ref', 'HEAD'])]

describe('checkout decides as native git does', () => {
  it('for any state of commit, target, index and worktree', async () => {
    let accepted = 0
    let refused = 0
    const sides = fc.tuple(state(), state(), state(), state(), fc.integer({ min: 0, max: 3 }))
    await fc.assert(
      fc.asyncProperty(sides, async ([head, target, other, mine, mix]) => {
        // Often the index or the worktree is as it was before, as in life.
        const index = mix === 0 ? other : head
        const work = mix < 2 ? mine : mix === 2 ? index : { ...index, e: '3\n' }
        const theirs = prepare(head, target, index, work)
        const ours = prepare(head, target, index, work)
        const before = looks(ours)
        const git = createGit({ workspace: createWorkspace({ fs: createNodeFs({ root: ours }) }) })
        let nativeDid = true
        try {
          native(theirs, ['checkout', '-q', 'target'])
        } catch {
          nativeDid = false
        }
        const failure = await git.checkout({ ref: 'target' }).then(
          () => undefined,
          (error: unknown) => error as Error,
        )
        if (failure) {
          // Refused: nothing was touched, and native git would not have done it either.
          expect(failure.message).toContain('local changes would be lost')
          expect(looks(ours)).toEqual(before)
          // But where a file is staged and a directory wanted, or the other way round: there it leaves out the commit's own files.
          if (!clash(target, index) && !clash(index, target)) expect(nativeDid).toBe(false)
          refused++
        } else {
          if (nativeDid) expect(looks(ours)).toEqual(looks(theirs))
          // Done where native git refuses: only where every file that was there and in no commit is still there.
          else for (const [path, content] of Object.entries(work)) if (treeOf(ours)[path] !== content) expect(head[path]).toBe(content)
          accepted++
        }
        rmSync(theirs, { recursive: true })
        rmSync(ours, { recursive: true })
      }),
      { numRuns: 30 },
    )
    expect(accepted).toBeGreaterThan(2)
    expect(refused).toBeGreaterThan(2)
  }, 600_000)
})
