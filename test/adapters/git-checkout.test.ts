// @module-tag git
import '../shims/buffer-if-missing.js'
import { FsError } from 'toolport'
import { describe, expect, it } from 'vitest'
import { author, files, hooked, inputError, type Made, read, refusal, repository } from './git-support.js'

/**
 * A repository with two branches, of which `main` is checked out. `main`: its files. `other`: how the files of the branch `other` differ;
 * undefined: removed.
 */
async function branches(
  main: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string | undefined>>,
  fs = hooked(),
): Promise<Made & { readonly fs: typeof fs }> {
  const made = await repository(main, {}, { fs })
  const { workspace, git } = made
  await git.checkout({ ref: 'other', create: true })
  for (const [path, text] of Object.entries(other)) if (text === undefined) await workspace.remove(path, { recursive: true })
  for (const [path, text] of Object.entries(other)) if (text !== undefined) await workspace.writeText(path, text)
  await git.add({ paths: ['.'] })
  await git.commit({ message: 'other' })
  await git.checkout({ ref: 'main' })
  return { ...made, fs }
}

describe('checkout', () => {
  it('writes changed files and removes deleted files and their empty directories', async () => {
    const { workspace, git } = await branches({ a: '1\n', 'd/e/f': 'f\n', same: 's\n' }, { a: '2\n', d: undefined, 'new/n': 'n\n' })
    expect(await git.checkout({ ref: 'other' })).toMatchObject({ branch: 'other', written: 2, removed: 1 })
    expect(await files(workspace)).toEqual({ a: '2\n', same: 's\n', 'new/n': 'n\n' })
    expect(await workspace.exists('d')).toBe(false)
    expect(await git.status()).toEqual([])
    expect(await git.currentBranch()).toBe('other')
  })

  it('replaces files by directories or links, and back', async () => {
    const { workspace, git } = await branches({ a: 'file\n', 'b/c': 'c\n', l: 'plain\n' }, { a: undefined, 'a/x': 'x\n', b: undefined })
    await git.checkout({ ref: 'other' })
    await workspace.remove('l')
    await workspace.symlink('a/x', 'l')
    await workspace.writeText('b', 'b is a file\n')
    await git.add({ paths: ['.'] })
    await git.commit({ message: 'links' })
    await git.checkout({ ref: 'main' })
    expect(await files(workspace)).toEqual({ a: 'file\n', 'b/c': 'c\n', l: 'plain\n' })
    await git.checkout({ ref: 'other' })
    expect(await files(workspace)).toEqual({ 'a/x': 'x\n', b: 'b is a file\n' })
    expect(await workspace.readlink('l')).toBe('a/x')
    expect(await git.status()).toEqual([])
  })

  it('rejects before writing if a file blocks a directory, or if a staged directory blocks a file', async () => {
    const taken = await branches({ a: 'a\n', d: 'd\n' }, { a: 'b\n', d: undefined, 'd/x': 'x\n' })
    await taken.git.remove({ paths: ['d'], keepFiles: true })
    await expect(taken.git.checkout({ ref: 'other' })).rejects.toEqual(inputError('would be lost in "d"'))
    expect(await files(taken.workspace)).toEqual({ a: 'a\n', d: 'd\n' })

    const staged = await branches({ a: 'a\n' }, { a: 'b\n', d: 'd\n' })
    await staged.workspace.writeText('d/x', 'in the index only\n')
    await staged.git.add({ paths: ['d'] })
    await staged.workspace.remove('d', { recursive: true })
    await expect(staged.git.checkout({ ref: 'other' })).rejects.toEqual(inputError('would be lost in "d/x"'))
    expect(await files(staged.workspace)).toEqual({ a: 'a\n' })
    expect(await staged.git.status()).toEqual([{ path: 'd/x', staged: 'added', worktree: 'deleted' }])
    expect(await staged.git.checkout({ ref: 'other', force: true })).toMatchObject({ branch: 'other' })
    expect(await staged.git.status()).toEqual([])
  })

  it('keeps local changes to files that are equal in both commits', async () => {
    const { workspace, git } = await branches({ a: '1\n', same: 's\n', staged: 's\n' }, { a: '2\n' })
    await workspace.writeText('same', 'mine\n')
    await workspace.writeText('staged', 'mine\n')
    await workspace.writeText('untracked', 'mine\n')
    await workspace.writeText('added', 'mine\n')
    await git.add({ paths: ['staged', 'added'] })
    await git.checkout({ ref: 'other' })
    expect(await files(workspace)).toEqual({ a: '2\n', same: 'mine\n', staged: 'mine\n', untracked: 'mine\n', added: 'mine\n' })
    expect(await git.status()).toEqual([
      { path: 'added', staged: 'added', worktree: 'unchanged' },
      { path: 'same', staged: 'unchanged', worktree: 'modified' },
      { path: 'staged', staged: 'modified', worktree: 'unchanged' },
      { path: 'untracked', staged: 'unchanged', worktree: 'untracked' },
    ])
  })

  // `make`: makes content that a checkout would lose, so git rejects the checkout. `names`: the path that the error names.
  const LOSSES: Readonly<Record<string, { readonly make: (made: Made) => Promise<unknown>; readonly names: string }>> = {
    'a changed file': { make: ({ workspace }) => workspace.writeText('a', 'mine\n'), names: 'a' },
    'a staged change': {
      make: async ({ workspace, git }) => {
        await workspace.writeText('a', 'mine\n')
        await git.add({ paths: ['a'] })
      },
      names: 'a',
    },
    'a changed file that the other side removes': { make: ({ workspace }) => workspace.writeText('gone', 'mine\n'), names: 'gone' },
    'an untracked file': { make: ({ workspace }) => workspace.writeText('new', 'mine\n'), names: 'new' },
    'an added file': {
      make: async ({ workspace, git }) => {
        await workspace.writeText('new', 'mine\n')
        await git.add({ paths: ['new'] })
      },
      names: 'new',
    },
    'an ignored file': {
      make: async ({ workspace }) => {
        await workspace.writeText('.gitignore', 'new\n')
        await workspace.writeText('new', 'mine\n')
      },
      names: 'new',
    },
    'an untracked directory in the place of a file': { make: ({ workspace }) => workspace.writeText('new/inner', 'mine\n'), names: 'new' },
    'an untracked file in the place of a directory': { make: ({ workspace }) => workspace.writeText('dir', 'mine\n'), names: 'dir' },
    'an untracked link in the place of a directory': { make: ({ workspace }) => workspace.symlink('same', 'dir'), names: 'dir' },
  }

  for (const [what, { make, names }] of Object.entries(LOSSES)) {
    it(`rejects ${what} without changing anything, and discards the changes with force`, async () => {
      const made = await branches({ a: '1\n', gone: 'g\n', same: 's\n' }, { a: '2\n', gone: undefined, new: 'n\n', 'dir/x': 'x\n' })
      await make(made)
      const before = [await files(made.workspace), await made.git.status()]
      const refused = made.git.checkout({ ref: 'other' })
      await expect(refused).rejects.toEqual(inputError(`local changes would be lost in "${names}": commit them`))
      await expect(refused).rejects.toMatchObject({ details: { conflicts: [names] } })
      expect([await files(made.workspace), await made.git.status()]).toEqual(before)
      expect(await made.git.currentBranch()).toBe('main')
      await made.git.checkout({ ref: 'other', force: true })
      expect(await files(made.workspace)).toMatchObject({ a: '2\n', new: 'n\n', 'dir/x': 'x\n', same: 's\n' })
      expect((await made.git.status()).filter(({ path }) => path !== '.gitignore')).toEqual([])
    })
  }

  it('overwrites an unedited file after its attributes changed, but rejects an edited one', async () => {
    const { workspace, git } = await branches({ a: 'one\r\n', b: 'b\n' }, { a: 'other\n' })
    await workspace.writeText('.gitattributes', '* text\n')
    await git.add({ paths: ['.gitattributes'] })
    await git.commit({ message: 'rules' })
    await workspace.setMeta('a', { mtimeMs: 1_000_000 })
    await workspace.writeText('b', 'mine\n')
    // The new rules would normalise the line endings of `a`, so git lists the file as changed too.
    expect((await git.status()).map(({ path }) => path)).toEqual(['a', 'b'])
    expect(await git.checkout({ ref: 'other' })).toMatchObject({ branch: 'other' })
    expect(await files(workspace)).toMatchObject({ a: 'other\n', b: 'mine\n' })
    await git.checkout({ ref: 'main' })
    expect(await files(workspace)).toMatchObject({ a: 'one\r\n', b: 'mine\n' })
    await workspace.writeText('a', 'one\r\nmine\r\n')
    await expect(git.checkout({ ref: 'other' })).rejects.toEqual(inputError('local changes would be lost in "a"'))
  })

  it('restores all tracked files with force and HEAD, and leaves untracked files', async () => {
    const { workspace, git } = await branches({ a: '1\n', b: '1\n' }, { a: '2\n' })
    await workspace.writeText('a', 'mine\n')
    await workspace.remove('b')
    await workspace.writeText('untracked', 'mine\n')
    await git.checkout({ ref: 'HEAD', force: true })
    expect(await files(workspace)).toEqual({ a: '1\n', b: '1\n', untracked: 'mine\n' })
    expect(await git.currentBranch()).toBe('main')
  })

  it('detaches HEAD at tags and commits, and creates branches at other commits', async () => {
    const { git } = await branches({ a: '1\n' }, { a: '2\n' })
    const oid = (await git.log({ ref: 'other', limit: 1 }))[0]?.oid
    expect(await git.checkout({ ref: oid ?? '' })).toMatchObject({ branch: undefined, oid })
    expect(await git.checkout({ ref: 'third', create: true, from: 'main' })).toMatchObject({ branch: 'third', written: 1 })
    await expect(git.checkout({ ref: 'third', create: true })).rejects.toEqual(inputError('exists'))
    await expect(git.checkout({ ref: 'nowhere' })).rejects.toEqual(inputError('there is no branch, tag or commit of that name'))
    await expect(git.checkout({ ref: 'bad name', create: true })).rejects.toEqual(inputError('is no name for a branch'))
    expect(await git.currentBranch()).toBe('third')
  })

  it('creates a branch before the first commit', async () => {
    const { workspace, git } = await repository()
    await git.checkout({ ref: 'dev', create: true })
    expect(await git.currentBranch()).toBe('dev')
    await workspace.writeText('a', 'a\n')
    await git.add({ paths: ['.'] })
    expect((await git.commit({ message: 'first', author })).branch).toBe('dev')
  })

  it('can be repeated after an interruption at any write', async () => {
    const tree = { a: '1\n', 'd/b': '1\n', gone: 'g\n', c: 'c\n' }
    const target = { a: '2\n', 'd/b': '2\n', 'e/new': 'n\n', c: 'c\n' }
    for (let cut = 0; ; cut++) {
      const { fs, workspace, git } = await branches(tree, { ...target, gone: undefined })
      let writes = 0
      fs.beforeWrite = (path) => {
        if (writes++ === cut) throw new FsError({ code: 'ENOSPC', op: 'write', path })
      }
      const failed = await git.checkout({ ref: 'other' }).then(
        () => false,
        (error: unknown) => {
          expect(error).toEqual(refusal('FsError', 'ENOSPC', ''))
          return true
        },
      )
      delete fs.beforeWrite
      if (failed) await git.checkout({ ref: 'other' })
      expect(await files(workspace)).toEqual(target)
      expect(await git.status()).toEqual([])
      expect(await git.currentBranch()).toBe('other')
      if (!failed) break
      expect(cut).toBeLessThan(50)
    }
  })

  it('stops on abort and can be repeated', async () => {
    const { fs, workspace, git } = await branches({ a: '1\n', b: '1\n' }, { a: '2\n', b: '2\n' })
    const stop = new AbortController()
    const reason = new Error('enough')
    fs.beforeWrite = (path) => {
      if (path === '/a') stop.abort(reason)
    }
    await expect(git.checkout({ ref: 'other', signal: stop.signal })).rejects.toBe(reason)
    expect(await read(workspace, 'b')).toBe('1\n')
    await git.checkout({ ref: 'other' })
    expect(await git.status()).toEqual([])
    expect(await read(workspace, 'b')).toBe('2\n')
  })
})
