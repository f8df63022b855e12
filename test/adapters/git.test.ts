// @module-tag git
import '../shims/buffer-if-missing.js'
import * as library from 'isomorphic-git'
import { createWorkspace, toNodeFs } from 'toolport'
import { createGit } from 'toolport/adapters/git'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { countStatuses, EXPECTED_STATUSES, expectedIds, gitAdapterSession } from '../workspace/git-session.js'
import { author, bareFs, files, hooked, inputError, read, refusal, repository, stopped } from './git-support.js'

it.each([
  ['memory', () => createMemoryFs()],
  ['memory without links and modes', bareFs],
])('makes the same commits in %s', async (_, make) => {
  const workspace = createWorkspace({ fs: make() })
  const session = await gitAdapterSession(workspace)
  expect(session).toMatchObject(expectedIds(workspace))
  expect(countStatuses(session)).toEqual(EXPECTED_STATUSES)
})

describe('status', () => {
  it('lists staged, changed, deleted and untracked files', async () => {
    const { workspace, git } = await repository({ same: 's\n', staged: 'a\n', both: 'a\n', edited: 'a\n', gone: 'a\n', removed: 'a\n' })
    await workspace.writeText('staged', 'b\n')
    await workspace.writeText('both', 'b\n')
    await workspace.writeText('new', 'n\n')
    await git.add({ paths: ['staged', 'both', 'new'] })
    await workspace.writeText('both', 'c\n')
    await workspace.writeText('edited', 'b\n')
    await workspace.remove('gone')
    await git.remove({ paths: ['removed'] })
    await workspace.writeText('untracked/file', 'u\n')
    expect(await git.status()).toEqual([
      { path: 'both', staged: 'modified', worktree: 'modified' },
      { path: 'edited', staged: 'unchanged', worktree: 'modified' },
      { path: 'gone', staged: 'unchanged', worktree: 'deleted' },
      { path: 'new', staged: 'added', worktree: 'unchanged' },
      { path: 'removed', staged: 'deleted', worktree: 'unchanged' },
      { path: 'staged', staged: 'modified', worktree: 'unchanged' },
      { path: 'untracked/file', staged: 'unchanged', worktree: 'untracked' },
    ])
    expect(await git.status({ paths: ['untracked', '/workspace/new'] })).toEqual([
      { path: 'new', staged: 'added', worktree: 'unchanged' },
      { path: 'untracked/file', staged: 'unchanged', worktree: 'untracked' },
    ])
  })

  it.each([-1500, -1, -5e12, 2 ** 32 * 1000, 1e13])('detects a change to a file with the time %d', async (mtimeMs) => {
    const { workspace, git } = await repository({ a: 'a\n' })
    await workspace.writeText('b', 'b\n')
    for (const path of ['a', 'b']) await workspace.setMeta(path, { mtimeMs })
    expect(await git.status()).toEqual([{ path: 'b', staged: 'unchanged', worktree: 'untracked' }])
    await git.add({ paths: ['.'] })
    expect(await git.status()).toEqual([{ path: 'b', staged: 'added', worktree: 'unchanged' }])
    await git.commit({ message: 'old' })
    await workspace.writeText('b', 'B\n')
    await workspace.setMeta('b', { mtimeMs })
    expect(await git.status()).toEqual([{ path: 'b', staged: 'unchanged', worktree: 'modified' }])
  })

  it('reports a file that became a link as type_changed', async () => {
    const { workspace, git } = await repository({ a: 'a\n', target: 't\n' })
    await workspace.remove('a')
    await workspace.symlink('target', 'a')
    expect(await git.status()).toEqual([{ path: 'a', staged: 'unchanged', worktree: 'type_changed' }])
  })

  it('detects a change of the same size within one clock tick', async () => {
    const { workspace, git } = await repository({ a: 'one\n' }, {}, { fs: createMemoryFs({ now: stopped.now }), host: stopped })
    await workspace.writeText('a', 'two\n')
    expect(await git.status()).toEqual([{ path: 'a', staged: 'unchanged', worktree: 'modified' }])
    await git.createBranch({ name: 'other' })
    await workspace.writeText('a', 'new\n')
    await git.add({ paths: ['a'] })
    await git.commit({ message: 'second' })
    await workspace.writeText('a', 'own\n')
    await expect(git.checkout({ ref: 'other' })).rejects.toEqual(inputError('"a"'))
    expect(await read(workspace, 'a')).toBe('own\n')
  })

  it('leaves out ignored files and nested repositories', async () => {
    const { workspace, git } = await repository({ '.gitignore': 'build/\n*.log\n', 'kept.log/file': 'x\n' })
    await workspace.writeText('build/out', 'x\n')
    await workspace.writeText('a.log', 'x\n')
    await createGit({ workspace, dir: 'inner' }).init()
    await workspace.writeText('inner/file', 'x\n')
    expect(await git.status()).toEqual([])
    await git.add({ paths: ['.'] })
    expect(await git.status()).toEqual([])
  })

  it('works on a read-only workspace', async () => {
    const fs = createMemoryFs()
    const { workspace } = await repository({ a: 'a\n' }, {}, { fs })
    await workspace.writeText('a', 'b\n')
    const reader = createGit({ workspace: createWorkspace({ fs, policy: { readOnly: true } }) })
    expect(await reader.status()).toHaveLength(1)
    expect((await reader.diff()).text).toContain('+b\n')
    expect(await reader.log()).toHaveLength(1)
    await expect(reader.add({ paths: ['a'] })).rejects.toEqual(refusal('FsError', 'EROFS', ''))
  })
})

describe('add and remove', () => {
  it('stages removed files, and a directory that replaces a file', async () => {
    const { workspace, git } = await repository({ a: 'a\n', 'b/c': 'c\n', d: 'd\n' })
    await workspace.remove('a')
    await workspace.writeText('a/inner', 'i\n')
    await workspace.remove('b', { recursive: true })
    await workspace.writeText('b', 'b\n')
    await workspace.remove('d')
    expect(await git.add({ paths: ['.'] })).toEqual({ added: ['a/inner', 'b'], removed: ['a', 'b/c', 'd'] })
    await git.commit({ message: 'turned over' })
    expect(await git.status()).toEqual([])
  })

  it('rejects missing, ignored and outside paths, and paths in .git', async () => {
    const { workspace, git } = await repository({}, { dir: 'repo' })
    await workspace.writeText('repo/.gitignore', '*.log\n')
    await workspace.writeText('repo/a.log', 'x\n')
    await expect(git.add({ paths: ['missing'] })).rejects.toEqual(inputError('there is no "missing"'))
    await expect(git.add({ paths: ['a.log'] })).rejects.toEqual(inputError('is ignored'))
    await expect(git.add({ paths: ['../file'] })).rejects.toEqual(inputError('outside the repository "/workspace/repo"'))
    await expect(git.add({ paths: ['../../file'] })).rejects.toEqual(refusal('WorkspaceError', 'path_outside_workspace', 'outside'))
    for (const path of ['.git', '.git/config', '.GIT/config', 'a/.git/config']) {
      await expect(git.add({ paths: [path] })).rejects.toEqual(inputError('belongs to git itself'))
    }
    await expect(git.add({ paths: [] })).rejects.toEqual(inputError('at least one path'))
    expect(await git.add({ paths: ['a.log'], force: true })).toEqual({ added: ['a.log'], removed: [] })
  })

  it('removes files and their empty directory, but rejects files with uncommitted changes', async () => {
    const { workspace, git } = await repository({ 'd/a': 'a\n', 'd/b': 'b\n', c: 'c\n' })
    await workspace.writeText('d/a', 'changed\n')
    await expect(git.remove({ paths: ['d'] })).rejects.toEqual(inputError('"d/a" has changes that no commit has'))
    await expect(git.remove({ paths: ['nothing'] })).rejects.toEqual(inputError('"nothing" is not in the index'))
    expect(await git.remove({ paths: ['d'], force: true })).toEqual({ removed: ['d/a', 'd/b'] })
    expect(await workspace.exists('d')).toBe(false)
    expect(await git.remove({ paths: ['c'], keepFiles: true })).toEqual({ removed: ['c'] })
    expect(await read(workspace, 'c')).toBe('c\n')
  })

  it('keep links and executable modes on a storage without either', async () => {
    const fs = createMemoryFs()
    const made = await repository({ 'run.sh': '#!/bin/sh\n' }, {}, { fs })
    await made.workspace.setMeta('run.sh', { mode: 0o755 })
    await made.workspace.symlink('run.sh', 'link')
    await made.git.add({ paths: ['.'] })
    await made.git.commit({ message: 'modes' })
    await made.git.createBranch({ name: 'other' })
    const bare = createWorkspace({ fs: bareFs() })
    for (const [path, content] of Object.entries(await made.workspace.files())) {
      await bare.writeBytes(path, typeof content === 'string' ? new TextEncoder().encode(content) : content)
    }
    await bare.writeText('link', 'run.sh')
    const git = createGit({ workspace: bare, author })
    expect(await git.status()).toEqual([])
    await bare.writeText('run.sh', '#!/bin/sh\necho\n')
    await git.add({ paths: ['.'] })
    await git.commit({ message: 'edited' })
    expect((await git.diff({ from: 'other', to: 'HEAD' })).text).not.toMatch(/mode/)
    await git.checkout({ ref: 'other' })
    expect(await git.status()).toEqual([])
    expect(await read(bare, 'run.sh')).toBe('#!/bin/sh\n')
    expect(await read(bare, 'link')).toBe('run.sh')
  })
})

describe('commit', () => {
  it('takes the time from the host, and the author from the options, the call or the config', async () => {
    const { workspace, git } = await repository({}, {}, { host: stopped })
    await workspace.writeText('a', 'a\n')
    await git.add({ paths: ['a'] })
    const { oid, branch } = await git.commit({ message: 'by Bo', author: { name: 'Bo', email: 'bo@example.com' } })
    expect(branch).toBe('main')
    const bo = { name: 'Bo', email: 'bo@example.com', timestamp: 1_700_000_000, timezoneOffset: 0 }
    expect(await git.log()).toEqual([{ oid, message: 'by Bo\n', parents: [], author: bo, committer: bo }])
    const anonymous = createGit({ workspace })
    await expect(anonymous.commit({ message: 'x', allowEmpty: true })).rejects.toEqual(inputError('there is no author'))
    const repo = { fs: toNodeFs(workspace), dir: workspace.root }
    await library.setConfig({ ...repo, path: 'user.name', value: 'Cy' })
    await library.setConfig({ ...repo, path: 'user.email', value: 'cy@example.com' })
    await anonymous.commit({ message: 'x', allowEmpty: true })
    expect((await git.log({ limit: 1 }))[0]?.author.name).toBe('Cy')
  })

  it('rejects an empty commit, an empty message, and an invalid author', async () => {
    const { git } = await repository({ a: 'a\n' })
    await expect(git.commit({ message: 'nothing new' })).rejects.toEqual(inputError('nothing is staged'))
    await expect(git.commit({ message: ' \n' })).rejects.toEqual(inputError('the message is empty'))
    await expect(git.commit({ message: 'a\0b', allowEmpty: true })).rejects.toEqual(inputError('cannot keep'))
    await expect(git.commit({ message: '\ud800', allowEmpty: true })).rejects.toEqual(inputError('cannot keep'))
    for (const name of ['', 'a\nauthor b', 'a <b>']) {
      await expect(git.commit({ message: 'm', allowEmpty: true, author: { name, email: 'e' } })).rejects.toEqual(
        inputError("the author's name"),
      )
    }
    expect(await git.log()).toHaveLength(1)
  })
})

describe('diff', () => {
  it('compares the worktree, the index and commits', async () => {
    const { workspace, git } = await repository({ a: '1\n2\n3\n', 'sub/b': 'b\n' })
    await workspace.writeText('a', '1\ntwo\n3\n')
    await git.add({ paths: ['a'] })
    await workspace.writeText('a', '1\ntwo\nthree\n')
    await workspace.writeText('untracked', 'u\n')
    const { files: changed, text, truncated } = await git.diff()
    expect(changed).toEqual([{ path: 'a', change: 'modified', binary: false }])
    expect(text).toBe('diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n two\n-3\n+three\n')
    expect(truncated).toBe(false)
    expect((await git.diff({ from: 'HEAD', to: 'index' })).text).toContain('-2\n+two\n 3\n')
    expect((await git.diff({ from: 'HEAD' })).text).toContain('-2\n-3\n+two\n+three\n')
    expect((await git.diff({ from: 'HEAD', paths: ['sub'] })).files).toEqual([])
    await git.commit({ message: 'second' })
    const [second, first] = await git.log()
    expect((await git.diff({ from: first?.oid.slice(0, 8) ?? '', to: second?.oid ?? '' })).text).toContain('-2\n+two\n')
    await expect(git.diff({ from: 'nowhere' })).rejects.toEqual(inputError('there is no nowhere'))
  })

  it('lists binary, new and removed files, and truncates at maxBytes', async () => {
    const { workspace, git } = await repository({ gone: 'g\n', long: 'l\n' })
    await workspace.writeBytes('image', Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 1]))
    await workspace.writeText('empty', '')
    await workspace.writeText('zlong', 'line\n'.repeat(500))
    await workspace.remove('gone')
    await git.add({ paths: ['.'] })
    const diff = await git.diff({ from: 'HEAD', to: 'index' })
    expect(diff.files.map(({ path, change, binary }) => [path, change, binary])).toEqual([
      ['empty', 'added', false],
      ['gone', 'deleted', false],
      ['image', 'added', true],
      ['zlong', 'added', false],
    ])
    expect(diff.text).toContain('diff --git a/image b/image\nnew file mode 100644\nBinary files /dev/null and b/image differ\n')
    expect(diff.text).toContain('diff --git a/empty b/empty\nnew file mode 100644\ndiff --git')
    expect(diff.text).toContain('deleted file mode 100644\n--- a/gone\n+++ /dev/null\n')
    const cut = await git.diff({ from: 'HEAD', to: 'index', maxBytes: 1000 })
    expect(cut.truncated).toBe(true)
    expect(cut.files).toHaveLength(4)
    expect(cut.text.length).toBeLessThan(1000)
  })
})

describe('branches and log', () => {
  it('creates, lists, checks and deletes branches', async () => {
    const { git } = await repository({ a: 'a\n' })
    const oid = (await git.log())[0]?.oid ?? ''
    expect(await git.createBranch({ name: 'feature/x' })).toEqual({ name: 'feature/x', oid, current: false })
    expect(await git.branches()).toEqual([
      { name: 'feature/x', oid, current: false },
      { name: 'main', oid, current: true },
    ])
    await expect(git.createBranch({ name: 'feature/x' })).rejects.toEqual(inputError('exists, choose another name'))
    await expect(git.createBranch({ name: 'a..b' })).rejects.toEqual(inputError('is no name for a branch'))
    await expect(git.createBranch({ name: 'b', from: 'nowhere' })).rejects.toEqual(inputError('there is no nowhere'))
    await expect(git.deleteBranch({ name: 'main' })).rejects.toEqual(inputError('it is checked out'))
    await git.deleteBranch({ name: 'feature/x' })
    await expect(git.deleteBranch({ name: 'feature/x' })).rejects.toEqual(inputError('there is no'))
    await git.checkout({ ref: oid.slice(0, 10) })
    expect(await git.currentBranch()).toBeUndefined()
  })

  it('limits the log, filters it by file, and returns an empty log before the first commit', async () => {
    const { workspace, git } = await repository()
    expect(await git.log()).toEqual([])
    expect(await git.branches()).toEqual([])
    expect(await git.currentBranch()).toBe('main')
    await expect(git.createBranch({ name: 'x' })).rejects.toEqual(inputError('there is no commit yet'))
    for (let i = 0; i < 5; i++) {
      await workspace.writeText(i % 2 ? 'odd' : 'even', `${i}\n`)
      await git.add({ paths: ['.'] })
      await git.commit({ message: `commit ${i}` })
    }
    expect((await git.log({ limit: 2 })).map(({ message }) => message)).toEqual(['commit 4\n', 'commit 3\n'])
    expect((await git.log({ path: 'odd' })).map(({ message }) => message)).toEqual(['commit 3\n', 'commit 1\n'])
    await expect(git.log({ limit: 0 })).rejects.toEqual(inputError('"limit"'))
    await expect(git.log({ ref: 'nowhere' })).rejects.toEqual(inputError('there is no nowhere'))
  })
})

describe('errors', () => {
  it('calls without a repository fail and name init and clone', async () => {
    const git = createGit({ workspace: createWorkspace({ fs: createMemoryFs() }), dir: 'sub' })
    for (const call of [git.status(), git.log(), git.commit({ message: 'm' }), git.checkout({ ref: 'main' })]) {
      await expect(call).rejects.toEqual(inputError('there is no git repository at "/workspace/sub", use init or clone first'))
    }
    await git.init()
    expect(await git.status()).toEqual([])
    expect(await git.init()).toEqual({ created: false })
  })

  it('calls pass on errors of the workspace and stop on abort', async () => {
    const { workspace, git } = await repository({ a: 'a\n' }, {}, { quotas: { bytes: 20_000 } })
    await workspace.writeBytes('big', crypto.getRandomValues(new Uint8Array(15_000)))
    await expect(git.add({ paths: ['big'] })).rejects.toEqual(refusal('FsError', 'ENOSPC', ''))
    expect(await git.status()).toEqual([{ path: 'big', staged: 'unchanged', worktree: 'untracked' }])
    const reason = new Error('enough')
    await expect(git.status({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const stop = new AbortController()
    const adding = git.add({ paths: ['.'], signal: stop.signal })
    stop.abort(reason)
    await expect(adding).rejects.toBe(reason)
  })

  it('an abort ends a call that waits while a tool locks the files', async () => {
    const { workspace, git } = await repository({ a: 'a\n' })
    const reason = new Error('enough')
    const stop = new AbortController()
    await workspace.locked(['a'], async () => {
      const first = git.status({ signal: stop.signal })
      const second = git.log({ signal: stop.signal })
      stop.abort(reason)
      await expect(first).rejects.toBe(reason)
      await expect(second).rejects.toBe(reason)
    })
    expect(await git.status()).toEqual([])
  })

  it('an index that names outside paths or .git is rejected', async () => {
    for (const filepath of ['../secret', '.git/config', '.GIT/config']) {
      const { workspace, git } = await repository({}, { dir: 'sub' })
      await git.commit({ message: 'first', allowEmpty: true })
      await workspace.writeText('secret', 's\n')
      const repo = { fs: toNodeFs(workspace), dir: '/workspace/sub' }
      const oid = await library.writeBlob({ ...repo, blob: new TextEncoder().encode('s\n') })
      await library.updateIndex({ ...repo, filepath, oid, add: true })
      for (const call of [git.status(), git.remove({ paths: ['.'], force: true }), git.checkout({ ref: 'HEAD', force: true })]) {
        const failure = (await call.catch((error: unknown) => error)) as Error
        expect(failure.message).toMatch(/: the (repository holds the path "\.\.\/secret"|index is damaged: it names "\.git")/i)
      }
      expect(await read(workspace, 'secret')).toBe('s\n')
    }
  })

  it('the `git` option replaces the library', async () => {
    const { git } = await repository({ a: 'a\n' }, { git: library })
    expect(await git.log()).toHaveLength(1)
  })

  it('a broken index is reported as a damaged repository', async () => {
    const { workspace, git } = await repository({ a: 'a\n' })
    await workspace.writeText('.git/index', 'DIRC no index')
    await expect(git.status()).rejects.toEqual(refusal('FsError', 'EIO', '"/workspace": the repository is damaged'))
  })
})

describe('concurrent calls', () => {
  it('concurrent calls of two instances run one after the other', async () => {
    const { workspace, git } = await repository({ a: 'a\n' })
    const other = createGit({ workspace, author })
    for (let i = 0; i < 20; i++) await workspace.writeText(`f${i}`, `${i}\n`)
    await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? git : other).add({ paths: [`f${i}`] })))
    expect((await git.status()).every(({ staged }) => staged === 'added')).toBe(true)
    await Promise.all([git.commit({ message: 'one' }), other.commit({ message: 'two', allowEmpty: true })])
    expect((await git.log()).map(({ message }) => message)).toEqual(['two\n', 'one\n', 'first\n'])
    expect(Object.keys(await files(workspace))).toHaveLength(21)
  })

  it('make a tool that writes wait for a checkout', async () => {
    const fs = hooked()
    const { workspace, git } = await repository({ a: 'one\n' }, {}, { fs })
    await git.checkout({ ref: 'other', create: true })
    await workspace.writeText('a', 'two\n')
    await git.add({ paths: ['a'] })
    await git.commit({ message: 'second' })
    let tool: Promise<unknown> | undefined
    // Changes the file while the checkout compares, before it writes.
    fs.beforeLstat = (path) => {
      if (path === '/a') tool ??= workspace.writeText('a', 'tool\n')
    }
    await git.checkout({ ref: 'main' })
    await tool
    expect([await read(workspace, 'a'), await git.currentBranch()]).toEqual(['tool\n', 'main'])
  })
})
