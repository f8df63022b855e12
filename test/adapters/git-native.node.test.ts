// @module-tag git
import { readlinkSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createWorkspace } from 'toolport'
import { createFetch } from 'toolport/adapters/fetch'
import { createGit } from 'toolport/adapters/git'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { describe, expect, it } from 'vitest'
import { service } from '../service.js'
import { countStatuses, EXPECTED_IDS, EXPECTED_STATUSES, gitAdapterSession } from '../workspace/git-session.js'
import { nativeGit } from './git-native-support.js'
import { author, bareFs, repository } from './git-support.js'

const { folder, native, exported, fsck } = nativeGit()

describe('native git and the repositories of the git adapter', () => {
  it('native git reads a repository in a directory', async () => {
    const root = folder()
    const session = await gitAdapterSession(createWorkspace({ fs: createNodeFs({ root }) }))
    expect(session).toMatchObject(EXPECTED_IDS)
    expect(countStatuses(session)).toEqual(EXPECTED_STATUSES)
    expect(fsck(root)).toBe('')
    expect(native(root, ['status', '--porcelain'])).toBe('')
    expect(native(root, ['rev-parse', 'main', 'topic']).trim().split('\n')).toEqual([session.merged, session.onBranch])
    expect(readlinkSync(join(root, 'link'))).toBe('src/d1/file1.txt')
  })

  it('native git reads full and shallow clones, also from a storage without links and modes', async () => {
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

  it('native git applies diffs of the adapter', async () => {
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
    // The copied files have new metadata, so refresh the index.
    native(before, ['status'])
    native(before, ['apply', '--index', '-'], text)
    await git.commit({ message: 'after' })
    native(before, ['commit', '-qm', 'after'])
    const after = await exported(workspace)
    expect(native(before, ['rev-parse', 'HEAD^{tree}'])).toBe(native(after, ['rev-parse', 'HEAD^{tree}']))
  })
})

describe('the git adapter and repositories of native git', () => {
  it('the adapter writes times before 1970 like native git', async () => {
    const root = folder()
    native(root, ['init', '-q', '-b', 'main'])
    writeFileSync(join(root, 'a'), 'a\n')
    utimesSync(join(root, 'a'), new Date(-1500), new Date(-1500))
    const git = createGit({ workspace: createWorkspace({ fs: createNodeFs({ root }) }), author })
    await git.add({ paths: ['a'] })
    const time = (): string | undefined => /mtime: \d+/.exec(native(root, ['ls-files', '--debug']))?.[0]
    const noted = time()
    native(root, ['add', '--renormalize', 'a'])
    expect([noted, time()]).toEqual(['mtime: 4294967294', noted])
    expect(await git.status()).toEqual([{ path: 'a', staged: 'added', worktree: 'unchanged' }])
  })

  it('the adapter shows the same status as native git', async () => {
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
