import { createWorkspace, type FsAdapter, type TreeChange, toBashFs, toNodeFs, type Workspace, type WorkspaceOptions } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { expect } from 'vitest'

/** An empty storage. */
export interface Subject {
  readonly fs: FsAdapter
  /** Opens the same storage again. Absent if the storage is not persistent. */
  readonly reopen?: () => FsAdapter | Promise<FsAdapter>
}

export type CheckpointCase = (subject: Subject) => Promise<void>

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

export const open = (fs: FsAdapter, options: Partial<WorkspaceOptions> = {}): Workspace =>
  createWorkspace({ fs, root: '/workspace', ...options })

/** The content of a workspace: kinds, contents, symlink targets, and permission bits if the storage has them. */
export async function treeOf(workspace: Workspace): Promise<Record<string, string>> {
  const tree: Record<string, string> = {}
  const { can } = workspace.fs
  for await (const run of workspace.walk(workspace.root, { ignore: false })) {
    for (const { path, kind } of run) {
      const { mode } = await workspace.lstat(path)
      const bits = can.mode && kind !== 'symlink' ? ` ${mode?.toString(8)}` : ''
      if (kind === 'dir') tree[path] = `dir${bits}`
      else if (kind === 'symlink') tree[path] = `-> ${await workspace.readlink(path)}`
      else tree[path] = `${[...(await workspace.readBytes(path)).bytes].join()}${bits}`
    }
  }
  return tree
}

/** `+` created, `-` removed, `*` changed. */
export const signs = (changes: readonly TreeChange[]): string[] =>
  changes.map(({ path, before, after }) => `${before ? (after ? '*' : '-') : '+'} ${path}`)

const failure = (code: string, text = ''): unknown => expect.objectContaining({ code, message: expect.stringContaining(text) })

const refused = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => ({ resolved: value }),
    (error: unknown) => error,
  )

async function filled(fs: FsAdapter, options: Partial<WorkspaceOptions> = {}): Promise<Workspace> {
  const workspace = open(fs, options)
  await workspace.writeText('a.txt', 'one')
  await workspace.writeText('d/b.txt', 'two')
  await workspace.writeText('d/e/c.txt', 'three')
  await workspace.mkdir('empty')
  if (fs.symlink) await workspace.symlink('d/b.txt', 'link')
  return workspace
}

/** Makes every kind of change in a small tree. */
async function changeAll(workspace: Workspace): Promise<void> {
  const { fs } = workspace
  await workspace.writeText('a.txt', 'another')
  await workspace.writeText('d/b.txt', '!', { mode: 'append' })
  await workspace.move('d', 'moved')
  await workspace.writeText('new/deep/f.txt', 'new')
  await workspace.remove('moved/e', { recursive: true })
  await workspace.remove('empty')
  await workspace.writeText('empty', 'a file now')
  await workspace.copy('moved/b.txt', 'd')
  if (fs.can.mode && fs.setMeta) await workspace.setMeta('a.txt', { mode: 0o600 })
  if (fs.symlink) {
    await workspace.remove('link')
    await workspace.symlink('a.txt', 'link')
    await workspace.symlink('a.txt', 'new/link')
  }
}

/** Cases for every storage, with or without checkpoints of its own. */
export const checkpointCases: Readonly<Record<string, CheckpointCase>> = {
  async 'restores the tree after every kind of change, and reverts the restore'({ fs }) {
    const workspace = await filled(fs)
    const before = await treeOf(workspace)
    const { id } = await workspace.checkpoint()
    await changeAll(workspace)
    const after = await treeOf(workspace)
    expect(after).not.toEqual(before)
    const restored = await workspace.restore(id)
    expect(await treeOf(workspace)).toEqual(before)
    expect(restored.checkpoint).toMatchObject({ id: 'c2', label: 'before restoring c1' })
    await workspace.restore(restored.checkpoint.id)
    expect(await treeOf(workspace)).toEqual(after)
    await workspace.restore(id)
    expect(await treeOf(workspace)).toEqual(before)
    // Nothing differs, so `restore` changes nothing and makes no other checkpoint.
    expect(await workspace.restore(id)).toMatchObject({ changes: [] })
  },

  async 'lists differences from a checkpoint to now, back, and between two'({ fs }) {
    const workspace = await filled(fs)
    await workspace.checkpoint({ label: 'first' })
    await workspace.writeText('a.txt', 'ONE')
    await workspace.move('d/b.txt', 'd/x.txt')
    await workspace.mkdir('m')
    await workspace.checkpoint()
    await workspace.writeText('later', '1')
    const diff = await workspace.diff('c1', 'c2')
    expect(signs(diff.changes)).toEqual(['* /workspace/a.txt', '- /workspace/d/b.txt', '+ /workspace/d/x.txt', '+ /workspace/m'])
    expect(diff.changes[0]).toMatchObject({ before: { kind: 'file', size: 3 }, after: { kind: 'file', size: 3 } })
    expect(await diff.read('a.txt', 'before')).toEqual(utf8('one'))
    expect(await diff.read('/workspace/a.txt', 'after')).toEqual(utf8('ONE'))
    expect(await diff.read('d/x.txt', 'after')).toEqual(utf8('two'))
    expect(await refused(diff.read('d/x.txt', 'before'))).toEqual(failure('ENOENT', 'not a file before the compared changes'))
    expect(await refused(diff.read('m', 'after'))).toEqual(failure('ENOENT'))
    expect(signs((await workspace.diff('c2', 'c1')).changes)).toEqual([
      '* /workspace/a.txt',
      '+ /workspace/d/b.txt',
      '- /workspace/d/x.txt',
      '- /workspace/m',
    ])
    expect(signs((await workspace.diff('c2')).changes)).toEqual(['+ /workspace/later'])
    expect(signs((await workspace.diff('now', 'c2')).changes)).toEqual(['- /workspace/later'])
    expect((await workspace.diff('now')).changes).toEqual([])
    expect((await workspace.diff('c1', 'c1')).changes).toEqual([])
  },

  async 'content that was changed and written back is no difference'({ fs }) {
    const workspace = await filled(fs)
    await workspace.checkpoint()
    await workspace.writeText('a.txt', 'two')
    await workspace.writeText('a.txt', 'one')
    await workspace.move('d', 'x')
    await workspace.move('x', 'd')
    await workspace.writeText('gone', 'soon')
    await workspace.remove('gone')
    await workspace.remove('empty')
    await workspace.mkdir('empty')
    expect((await workspace.diff('c1')).changes).toEqual([])
    expect(await workspace.checkpoint({ reuse: true })).toMatchObject({ id: 'c1' })
    await workspace.writeText('a.txt', 'eno')
    expect(signs((await workspace.diff('c1')).changes)).toEqual(['* /workspace/a.txt'])
    expect(await workspace.checkpoint({ reuse: true })).toMatchObject({ id: 'c2' })
    expect(await workspace.checkpoint({ reuse: true })).toMatchObject({ id: 'c2' })
    expect(await workspace.checkpoint()).toMatchObject({ id: 'c3' })
  },

  async 'reading the current side of a diff is rejected if the file has changed since'({ fs }) {
    const workspace = await filled(fs)
    await workspace.checkpoint()
    await workspace.writeText('a.txt', 'ONE')
    const diff = await workspace.diff('c1')
    expect(await diff.read('a.txt', 'after')).toEqual(utf8('ONE'))
    await workspace.writeText('a.txt', 'TWO')
    expect(await refused(diff.read('a.txt', 'after'))).toEqual(failure('ESTALE', 'compare again'))
    expect(await diff.read('a.txt', 'before')).toEqual(utf8('one'))
  },

  async 'restores chosen paths with their missing directories'({ fs }) {
    const workspace = await filled(fs)
    await workspace.checkpoint()
    await workspace.writeText('a.txt', 'ONE')
    await workspace.remove('d', { recursive: true })
    await workspace.writeText('d', 'a file in the way')
    await workspace.writeText('new/x', 'stays')
    const { changes } = await workspace.restore('c1', { paths: ['d/e'] })
    expect(signs(changes)).toEqual(['* /workspace/d', '+ /workspace/d/e', '+ /workspace/d/e/c.txt'])
    expect(await workspace.files()).toEqual({ 'a.txt': 'ONE', 'd/e/c.txt': 'three', 'new/x': 'stays' })
    await workspace.restore('c1', { paths: ['/workspace/new', 'd/b.txt'] })
    expect(await workspace.files()).toEqual({ 'a.txt': 'ONE', 'd/b.txt': 'two', 'd/e/c.txt': 'three' })
    expect(await refused(workspace.restore('c1', { paths: ['nothing/here'] }))).toEqual(
      failure('ENOENT', 'neither in the checkpoint c1 nor'),
    )
    expect((await workspace.restore('c1', { paths: [] })).changes).toEqual([])
  },

  async 'an unknown checkpoint is rejected with a list of the existing ones'({ fs }) {
    const workspace = open(fs)
    expect(await workspace.checkpoints()).toEqual([])
    expect(await refused(workspace.restore('c1'))).toEqual(failure('no_match', 'no checkpoint exists'))
    await workspace.checkpoint({ label: 'first' })
    await workspace.checkpoint()
    expect(await refused(workspace.restore('c7'))).toEqual(failure('no_match', 'There is no checkpoint "c7": existing checkpoints: c1, c2'))
    expect(await refused(workspace.restore('now'))).toEqual(failure('no_match'))
    expect(await refused(workspace.diff('__proto__'))).toEqual(failure('no_match'))
    expect(await refused(workspace.diff('c1', 'c3'))).toEqual(failure('no_match'))
    expect(await workspace.checkpoints()).toMatchObject([{ id: 'c1', label: 'first' }, { id: 'c2' }])
    expect(await refused(workspace.checkpoint({ label: 'x'.repeat(201) }))).toEqual(failure('invalid_input', 'at most 200'))
  },

  async 'keeps a limited number, and later ones stay complete when the first are dropped'({ fs }) {
    const workspace = open(fs, { checkpoints: { keep: 3 } })
    const trees: Record<string, unknown> = {}
    for (let i = 1; i <= 6; i++) {
      await workspace.writeText('n', `${i}`)
      if (i % 2) await workspace.writeText(`f${i}`, 'x')
      else await workspace.remove(`f${i - 1}`)
      trees[(await workspace.checkpoint()).id] = await treeOf(workspace)
    }
    expect((await workspace.checkpoints()).map(({ id }) => id)).toEqual(['c4', 'c5', 'c6'])
    // Making room for the checkpoint that a restore makes does not drop the restored one.
    await workspace.writeText('n', 'now')
    await workspace.restore('c4')
    expect(await treeOf(workspace)).toEqual(trees.c4)
    expect((await workspace.checkpoints()).map(({ id }) => id)).toEqual(['c5', 'c6', 'c7'])
    await workspace.restore('c6')
    expect(await treeOf(workspace)).toEqual(trees.c6)
    expect(await refused(workspace.restore('c4'))).toEqual(failure('no_match'))
  },

  async 'a diff reports that a checkpoint was dropped'({ fs }) {
    const workspace = await filled(fs, { checkpoints: { keep: 1 } })
    await workspace.checkpoint()
    await workspace.writeText('a.txt', 'ONE')
    const diff = await workspace.diff('c1')
    await workspace.checkpoint()
    expect(await refused(diff.read('a.txt', 'before'))).toEqual(failure('ESTALE', 'c1 is no longer kept'))
  },

  async 'a checkpoint includes changes through the facades'({ fs }) {
    const workspace = await filled(fs)
    const before = await treeOf(workspace)
    await workspace.checkpoint()
    const { promises: node } = toNodeFs(workspace)
    await node.writeFile('/workspace/a.txt', 'node')
    await node.rename('/workspace/d/e', '/workspace/e')
    await node.mkdir('/workspace/x/y', { recursive: true })
    await node.appendFile('/workspace/x/y/z', 'z')
    await node.rm('/workspace/empty', { recursive: true })
    const bash = toBashFs(workspace, { scratch: createMemoryFs() })
    await bash.writeFile('/workspace/d/b.txt', 'bash')
    await bash.mv('/workspace/e', '/workspace/x/e')
    await bash.cp('/workspace/x', '/workspace/copy', { recursive: true })
    await bash.rm('/workspace/x', { recursive: true })
    await bash.writeFile('/tmp/private', 'not in it')
    await workspace.restore('c1')
    expect(await treeOf(workspace)).toEqual(before)
  },

  async 'the checkpoint folder is hidden, and its name is rejected everywhere'({ fs }) {
    const workspace = await filled(fs)
    await workspace.checkpoint()
    await workspace.writeText('a.txt', 'ONE')
    await workspace.checkpoint()
    await workspace.remove('d', { recursive: true })
    const name = '.toolport-checkpoints'
    expect((await workspace.list('.')).map((entry) => entry.name)).not.toContain(name)
    const seen: string[] = []
    for await (const run of workspace.walk('.', { ignore: false })) for (const { path } of run) seen.push(path)
    expect(seen.join(' ')).not.toContain(name)
    expect(Object.keys(await workspace.files()).join(' ')).not.toContain(name)
    expect(await workspace.exists(name)).toBe(false)
    expect(await refused(workspace.stat(name))).toEqual(failure('ENOENT'))
    expect(await refused(workspace.list(`./${name}/`))).toEqual(failure('ENOENT'))
    expect(await refused(workspace.readBytes(`${name}/x`))).toEqual(failure('ENOENT'))
    for (const attempt of [
      () => workspace.writeText(`${name}/x`, ''),
      () => workspace.writeText(name, ''),
      () => workspace.mkdir(name),
      () => workspace.mkdir(`${name}/deep/er`),
      () => workspace.remove(name, { recursive: true }),
      () => workspace.move('a.txt', `${name}/x`),
      () => workspace.move(name, 'shown'),
      () => workspace.copy('a.txt', name),
    ]) {
      expect(await refused(attempt())).toEqual(failure('EACCES', 'reserved for checkpoints'))
    }
    expect(await refused(workspace.copy(name, 'shown'))).toEqual(failure('ENOENT'))
    if (fs.symlink) {
      await workspace.symlink(name, 'way')
      expect(await refused(workspace.list('way'))).toEqual(failure('ENOENT'))
      expect(await refused(workspace.writeText('way/x', ''))).toEqual(failure('EACCES'))
      await workspace.remove('way')
    }
    const { promises: node } = toNodeFs(workspace)
    expect(await node.readdir('/workspace')).not.toContain(name)
    expect(await refused(node.readdir(`/workspace/${name}`))).toEqual(failure('ENOENT'))
    const bash = toBashFs(workspace, { scratch: createMemoryFs() })
    expect(await bash.readdir('/workspace')).not.toContain(name)
    expect(await bash.exists(`/workspace/${name}`)).toBe(false)
    expect(bash.getAllPaths()).toEqual([])
    // In a subdirectory, the name is not reserved.
    await workspace.writeText(`d/${name}/x`, 'free')
    await workspace.restore('c1')
    expect(await workspace.files()).toEqual({
      'a.txt': 'one',
      'd/b.txt': 'two',
      'd/e/c.txt': 'three',
    })
  },

  async 'a rule that denies one path rejects the whole restore'({ fs }) {
    const free = await filled(fs)
    await free.checkpoint()
    await free.writeText('a.txt', 'ONE')
    await free.writeText('d/b.txt', 'TWO')
    const after = await treeOf(free)
    const ruled = open(fs, { policy: { paths: [{ paths: 'd', access: 'write', action: 'deny', reason: 'not yours' }] } })
    expect(await refused(ruled.restore('c1'))).toEqual(failure('EACCES', 'not yours'))
    expect(await treeOf(free)).toEqual(after)
    expect(signs((await ruled.restore('c1', { paths: ['a.txt'] })).changes)).toEqual(['* /workspace/a.txt'])
    const blind = open(fs, { policy: { paths: [{ paths: 'd/b.txt', access: 'read', action: 'deny' }] } })
    const diff = await blind.diff('c1')
    expect(signs(diff.changes)).toEqual(['* /workspace/d/b.txt'])
    expect(await refused(diff.read('d/b.txt', 'before'))).toEqual(failure('EACCES'))
  },

  async 'a read-only workspace lists checkpoints but does not create or restore them'({ fs }) {
    const workspace = await filled(fs)
    await workspace.checkpoint()
    await workspace.writeText('a.txt', 'ONE')
    const reader = open(fs, { policy: { readOnly: true } })
    expect(await reader.checkpoints()).toMatchObject([{ id: 'c1' }])
    expect(signs((await reader.diff('c1')).changes)).toEqual(['* /workspace/a.txt'])
    expect(await refused(reader.checkpoint())).toEqual(failure('EROFS'))
    expect(await refused(reader.restore('c1'))).toEqual(failure('EROFS'))
  },

  async 'quotas apply to a restore but do not count checkpoint data'({ fs }) {
    const workspace = open(fs, { quotas: { bytes: 100, files: 10 } })
    await workspace.writeText('a', 'x'.repeat(90))
    await workspace.checkpoint()
    await workspace.remove('a')
    await workspace.writeText('b', 'y'.repeat(90))
    await workspace.checkpoint()
    await workspace.writeText('b', 'z'.repeat(95))
    await workspace.writeText('c', '12345')
    expect(await refused(workspace.writeText('d', '6'))).toEqual(failure('ENOSPC', '101 of 100 bytes'))
    for (let i = 0; i < 8; i++) await workspace.mkdir(`dir${i}`)
    expect(await refused(workspace.mkdir('one-more'))).toEqual(failure('ENOSPC', '11 of 10 files'))
    await workspace.restore('c1')
    expect(Object.keys(await workspace.files())).toEqual(['a'])
    await workspace.writeText('a', 'x'.repeat(100))
    expect(await refused(workspace.writeText('more', '1'))).toEqual(failure('ENOSPC'))
    const { id } = await workspace.checkpoint()
    await workspace.remove('a')
    await workspace.writeText('small', '1')
    expect(await refused(open(fs, { quotas: { bytes: 99 } }).restore(id))).toEqual(failure('ENOSPC', '100 of 99 bytes'))
    expect(await workspace.files()).toEqual({ small: '1' })
  },

  async 'a checkpoint waits for running calls'({ fs }) {
    const workspace = open(fs)
    await workspace.writeText('n', '0')
    const made = workspace.locked(['x', 'y'], async (locked) => {
      await locked.writeText('x', '1')
      const checkpoint = workspace.checkpoint()
      await workspace.host.yield()
      await locked.writeText('y', '1')
      return { checkpoint }
    })
    await (await made).checkpoint
    await workspace.writeText('x', '2')
    await workspace.writeText('y', '2')
    await workspace.restore('c1')
    expect(await workspace.files()).toEqual({ n: '0', x: '1', y: '1' })
  },

  async 'a checkpoint within a call that holds locks does not wait'({ fs }) {
    const workspace = open(fs)
    await workspace.writeText('x', '0')
    await workspace.locked(['x'], async (locked) => {
      await locked.writeText('x', '1')
      expect(await locked.checkpoint()).toMatchObject({ id: 'c1' })
      await locked.writeText('x', '2')
      await expect(locked.restore('c1')).rejects.toThrow('the root is not one of the locked paths')
    })
    await workspace.locked(['.'], async (locked) => {
      await locked.restore('c1')
      expect(await locked.files()).toEqual({ x: '1' })
    })
    await Promise.all([workspace.restore('c2'), workspace.writeText('y', '1'), workspace.checkpoint(), workspace.restore('c1')])
    expect((await workspace.readText('x')).text).toBe('1')
  },

  async 'all of many concurrent changes are kept'({ fs }) {
    const workspace = await filled(fs)
    const before = await treeOf(workspace)
    await workspace.checkpoint()
    await Promise.all([
      ...Array.from({ length: 20 }, (_, i) => workspace.writeText('a.txt', `${i}`)),
      ...Array.from({ length: 20 }, (_, i) => workspace.writeText(`many/f${i % 5}`, `${i}`)),
      workspace.remove('d', { recursive: true }),
      ...Array.from({ length: 5 }, (_, i) => workspace.writeText('d/b.txt', `${i}`)),
      ...Array.from({ length: 5 }, () => workspace.move('empty', 'full').catch(() => undefined)),
    ])
    await workspace.restore('c1')
    expect(await treeOf(workspace)).toEqual(before)
  },

  async 'empty, large and binary files are restored unchanged'({ fs }) {
    const workspace = open(fs)
    const large = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7 + (i >> 8)) % 251)
    await workspace.writeBytes('large', large)
    await workspace.writeBytes('empty', new Uint8Array(0))
    await workspace.writeBytes('binary', Uint8Array.of(0, 255, 10, 13, 0))
    await workspace.writeText('grün ☃ 日本.txt', 'ü')
    await workspace.checkpoint()
    const before = await treeOf(workspace)
    await workspace.writeText('empty', 'no longer')
    await workspace.writeBytes('large', large.slice(1))
    await workspace.writeBytes('binary', Uint8Array.of(0, 255, 10, 13, 1))
    await workspace.remove('grün ☃ 日本.txt')
    await workspace.restore('c1')
    expect(await treeOf(workspace)).toEqual(before)
  },

  async 'two workspaces on one storage share their checkpoints'({ fs }) {
    const first = await filled(fs)
    const second = open(fs)
    await second.writeText('a.txt', 'second')
    const { id } = await first.checkpoint()
    await second.writeText('a.txt', 'changed')
    expect(await second.checkpoint()).toMatchObject({ id: 'c2' })
    await first.writeText('a.txt', 'again')
    await second.restore(id)
    expect((await first.readText('a.txt')).text).toBe('second')
  },
}

/** Removes everything without the library's knowledge, like `git clean -fdx` or `deleteAll()`. */
export async function removeAll(fs: FsAdapter, path: string): Promise<void> {
  for (const { name, kind } of await fs.readdir(path)) {
    if (kind === 'dir') await removeAll(fs, `${path}/${name}`)
    else await fs.unlink(`${path}/${name}`)
  }
  await fs.rmdir(path)
}

/** Cases for persistent storages. */
export const lastingCases: Readonly<Record<string, CheckpointCase>> = {
  async 'the workspace continues after the checkpoint data was removed'({ fs }) {
    const workspace = await filled(fs)
    await workspace.checkpoint()
    await workspace.writeText('a.txt', 'ONE')
    await workspace.checkpoint()
    await removeAll(fs, '/.toolport-checkpoints')
    await workspace.writeText('new.txt', 'new')
    await workspace.remove('d', { recursive: true })
    expect(await workspace.checkpoints()).toEqual([])
    const gone = 'its data in ".toolport-checkpoints" was removed; no checkpoint exists'
    expect(await refused(workspace.restore('c1'))).toEqual(failure('no_match', `There is no checkpoint "c1": ${gone}`))
    expect(await workspace.checkpoint({ reuse: true })).toMatchObject({ id: 'c3', lost: ['c1', 'c2'] })
    expect(await workspace.checkpoint()).not.toHaveProperty('lost')
    await workspace.writeText('a.txt', 'TWO')
    await workspace.restore('c3')
    expect(await workspace.files()).toEqual({ 'a.txt': 'ONE', 'new.txt': 'new' })
    await removeAll(fs, '/.toolport-checkpoints')
    const { id } = await workspace.checkpoint({ reuse: true })
    await workspace.move('new.txt', 'moved.txt')
    await workspace.restore(id)
    expect(await workspace.files()).toEqual({ 'a.txt': 'ONE', 'new.txt': 'new' })
    await workspace.close()
  },

  async 'checkpoints survive reopening, and no id is reused'({ fs, reopen }) {
    const first = await filled(fs)
    await first.checkpoint({ label: 'grün "1"\n' })
    await first.writeText('a.txt', 'ONE')
    await first.checkpoint()
    await first.remove('d', { recursive: true })
    const tree = await treeOf(first)
    await first.close()
    const second = open(await (reopen as NonNullable<typeof reopen>)(), { checkpoints: { keep: 2 } })
    expect(await second.checkpoints()).toMatchObject([{ id: 'c1', label: 'grün "1"\n' }, { id: 'c2' }])
    // Written before `second` has used any checkpoint.
    await second.writeText('a.txt', 'TWO')
    expect(await second.checkpoint()).toMatchObject({ id: 'c3' })
    await second.restore('c2')
    expect(await second.files()).toEqual({ 'a.txt': 'ONE', 'd/b.txt': 'two', 'd/e/c.txt': 'three' })
    await second.close()
    const third = open(await (reopen as NonNullable<typeof reopen>)(), { checkpoints: { keep: 1 } })
    expect(await third.checkpoint()).toMatchObject({ id: 'c4' })
    expect(await third.checkpoints()).toHaveLength(1)
    expect(Object.keys(tree).join(' ')).not.toContain('.toolport')
    await third.close()
    expect(await open(await (reopen as NonNullable<typeof reopen>)()).checkpoint()).toMatchObject({ id: 'c5' })
  },
}
