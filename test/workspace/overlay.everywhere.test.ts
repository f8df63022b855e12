// @module-tag branches
import {
  branchWorkspace,
  createOverlayFs,
  createRuntime,
  createWorkspace,
  type FsAdapter,
  FsError,
  fileTools,
  type Workspace,
  type WorkspaceOptions,
} from 'toolport'
import { createMemoryFs, type MemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { withoutMethods } from './slow-fs.js'
import { shown, snapshot } from './tree-snapshot.js'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const FILES = { 'a.txt': 'a', 'b.txt': 'b', 'dir/c.txt': 'c', 'dir/sub/d.txt': 'd', 'big.bin': 'x'.repeat(1000) }
const CHANGING = ['write', 'mkdir', 'unlink', 'rmdir', 'rename', 'symlink', 'append', 'copy', 'rmTree', 'setMeta']

/** A storage that counts its calls and rejects changes. */
function watched(files: Record<string, string> = FILES): { readonly fs: FsAdapter; readonly calls: string[]; readonly memory: MemoryFs } {
  const memory = createMemoryFs({ files })
  const calls: string[] = []
  const methods = Object.entries(memory).map(([key, method]) => {
    if (typeof method !== 'function') return [key, method]
    const counted = (...args: unknown[]): unknown => {
      if (CHANGING.includes(key)) throw new Error(`the lower storage was touched: ${key}`)
      calls.push(`${key} ${String(args[0])}`)
      return (method as (...args: unknown[]) => unknown)(...args)
    }
    return [key, counted]
  })
  return { fs: Object.fromEntries(methods) as FsAdapter, calls, memory }
}

const reads = (calls: readonly string[]): string[] => calls.filter((call) => call.startsWith('read '))

describe('createOverlayFs', () => {
  it('copies a file up when it first changes, never when it is read', async () => {
    const { fs: lower, calls } = watched()
    const overlay = createOverlayFs({ lower })
    await overlay.lstat('/big.bin')
    await overlay.readdir('/')
    await overlay.usage()
    await overlay.changes()
    expect(reads(calls), 'looking reads no content').toEqual([])
    await overlay.read('/a.txt')
    expect(reads(calls)).toEqual(['read /a.txt'])
    expect((await overlay.changes()).changes, 'reading changes nothing').toEqual([])
    calls.length = 0
    await overlay.write('/b.txt', bytes('new'))
    expect(reads(calls), 'what is replaced is read once, to know it again').toEqual(['read /b.txt'])
    calls.length = 0
    for (let i = 0; i < 3; i++) await overlay.append('/big.bin', bytes('y'))
    await overlay.setMeta('/a.txt', { mode: 0o600 })
    await overlay.setMeta('/a.txt', { mtimeMs: 5 })
    expect(reads(calls), 'once each').toEqual(['read /big.bin', 'read /a.txt'])
    expect((await overlay.lstat('/big.bin')).size).toBe(1003)
    expect(await overlay.read('/a.txt')).toEqual(bytes('a'))
    expect(reads(calls), 'from then on it is here').toHaveLength(2)
  })

  it('moves a directory without reading its content', async () => {
    const files = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`dir/sub${i % 10}/f${i}`, 'x']))
    const { fs: lower, calls } = watched(files)
    const overlay = createOverlayFs({ lower })
    await overlay.rename('/dir', '/moved')
    await overlay.rename('/moved/sub0', '/sub')
    expect(calls.length).toBeLessThan(12)
    expect(reads(calls)).toEqual([])
    expect((await overlay.readdir('/')).map(({ name }) => name).sort()).toEqual(['moved', 'sub'])
    expect(await overlay.read('/sub/f10')).toEqual(bytes('x'))
    await overlay.write('/moved/sub1/f1', bytes('y'))
    await overlay.rename('/sub', '/moved/sub0')
    await overlay.rename('/moved', '/dir')
    expect((await overlay.changes()).changes).toEqual([
      { path: '/dir/sub1/f1', before: { kind: 'file', size: 1, mode: 0o644 }, after: { kind: 'file', size: 1, mode: 0o644 } },
    ])
  })

  it('has the capabilities of the lower storage: links, modes and case', async () => {
    const memory = createMemoryFs({ files: { Name: '1' } })
    const plain: FsAdapter = { ...withoutMethods(memory, 'symlink', 'readlink'), can: { ...memory.can, mode: false, caseSensitive: false } }
    const overlay = createOverlayFs({ lower: plain })
    expect(overlay.symlink).toBeUndefined()
    expect(overlay.can).toMatchObject({ mode: false, caseSensitive: false, persistence: 'memory' })
    await expect(overlay.setMeta('/Name', { mode: 0o600 })).rejects.toMatchObject({ code: 'ENOTSUP' })
    expect(await overlay.lstat('/')).not.toHaveProperty('mode')
    await overlay.write('/new', bytes('n'))
    expect(await overlay.lstat('/new')).not.toHaveProperty('mode')
    await expect(overlay.write('/NEW', bytes('n'), { create: 'exclusive' })).rejects.toMatchObject({ code: 'EEXIST' })
    await overlay.unlink('/Name')
    expect((await overlay.readdir('/')).map(({ name }) => name)).toEqual(['new'])
  })

  it('leaves the lower storage open, and can be committed after it is closed', async () => {
    const lower = createMemoryFs()
    const overlay = createOverlayFs({ lower })
    await overlay.write('/a', bytes('a'))
    await overlay.close()
    await expect(overlay.read('/a')).rejects.toMatchObject({ code: 'EIO' })
    expect((await overlay.commit(createWorkspace({ fs: lower }))).applied).toHaveLength(1)
    expect(await lower.read('/a')).toEqual(bytes('a'))
  })

  it('uses its own paths in errors of the lower storage', async () => {
    const { fs: lower } = watched()
    const overlay = createOverlayFs({ lower })
    await overlay.rename('/dir', '/moved')
    await expect(overlay.read('/moved/sub')).rejects.toMatchObject({
      code: 'EISDIR',
      path: '/moved/sub',
      message: expect.not.stringContaining('/dir'),
    })
    const broken = createOverlayFs({ lower: { ...lower, lstat: () => Promise.reject(new Error('/home/me/disk')) } })
    await expect(broken.lstat('/a.txt')).rejects.toMatchObject({
      code: 'EIO',
      path: '/a.txt',
      message: expect.not.stringContaining('home'),
    })
  })

  it('shows later changes of the lower storage in a directory where a change failed', async () => {
    const { fs: lower, memory } = watched()
    const overlay = createOverlayFs({ lower })
    await expect(overlay.unlink('/dir/sub/missing')).rejects.toMatchObject({ code: 'ENOENT' })
    await memory.rmTree('/dir')
    await memory.write('/dir', bytes('a file now'))
    expect(await overlay.read('/dir')).toEqual(bytes('a file now'))
  })

  it('counts a directory with own files after the lower storage lost it', async () => {
    const { fs: lower, memory } = watched()
    const overlay = createOverlayFs({ lower })
    await overlay.write('/dir/new.txt', bytes('new'))
    await memory.rmTree('/dir')
    expect(await overlay.usage()).toEqual({ bytes: 1005, files: 5 })
  })

  it('can be committed only to its lower storage', async () => {
    const overlay = createOverlayFs({ lower: createMemoryFs() })
    await overlay.mkdir('/a')
    await expect(overlay.commit(createWorkspace({ fs: createMemoryFs() }))).rejects.toThrow('does not use the lower storage')
    expect((await overlay.changes()).changes).toHaveLength(1)
  })

  it('reads complete content during a concurrent write', async () => {
    const overlay = createOverlayFs({ lower: createMemoryFs({ files: FILES }) })
    const write = overlay.write('/a.txt', bytes('later'))
    const read = overlay.read('/a.txt')
    const discard = overlay.discard()
    const after = overlay.read('/a.txt')
    await Promise.all([write, discard])
    expect([await read, await after]).toEqual([bytes('later'), bytes('a')])
  })
})

const live = (options: Partial<WorkspaceOptions> = {}): Workspace => createWorkspace({ fs: createMemoryFs({ files: FILES }), ...options })

describe('branchWorkspace', () => {
  it('rejects what the mounts of the workspace reject, also in nested branches', async () => {
    const [fs, m, ro] = [
      createMemoryFs({ files: { f: 'f' } }),
      createMemoryFs({ files: { x: 'x' } }),
      createMemoryFs({ files: { r: 'r' } }),
    ]
    const workspace = createWorkspace({ fs, mounts: { 'a/m': m, ro: { fs: ro, readOnly: true } } })
    const branch = branchWorkspace(workspace)
    for (const { workspace: own } of [branchWorkspace(branch.workspace), branch]) {
      await expect(own.remove('a/m', { recursive: true })).rejects.toMatchObject({ code: 'EBUSY' })
      await expect(own.remove('a', { recursive: true })).rejects.toMatchObject({ code: 'EBUSY' })
      await expect(own.move('a', 'b')).rejects.toMatchObject({ code: 'EBUSY' })
      for (const change of [
        () => own.writeText('ro/new', 'n'),
        () => own.writeText('ro/r', 'n'),
        () => own.remove('ro/r'),
        () => own.setMeta('ro/r', { mode: 0o600 }),
        () => own.move('f', 'ro/f'),
        () => own.move('ro/r', 'f', { overwrite: true }),
        () => own.copy('f', 'ro/f'),
      ])
        await expect(change()).rejects.toMatchObject({ code: 'EROFS' })
      await own.copy('ro/r', 'a/m/r')
      await own.move('f', 'a/m/f')
    }
    expect((await branch.commit()).conflicts).toEqual([])
    expect(await workspace.files()).toEqual({ 'a/m/f': 'f', 'a/m/r': 'r', 'a/m/x': 'x', 'ro/r': 'r' })
  })

  it('works as a dry run with the same paths, links and rules', async () => {
    const workspace = live({
      root: '/repo',
      cwd: '/repo/dir',
      policy: { paths: [{ paths: 'b.txt', action: 'deny' }] },
      quotas: { fileBytes: 2000 },
    })
    const before = shown(await snapshot(workspace.fs))
    const branch = branchWorkspace(workspace)
    expect([branch.workspace.root, branch.workspace.cwd, branch.workspace.host]).toEqual(['/repo', '/repo/dir', workspace.host])
    await branch.workspace.writeText('c.txt', 'C')
    await branch.workspace.remove('/repo/a.txt')
    await branch.workspace.move('sub', '/repo/new')
    await expect(branch.workspace.readText('/repo/b.txt')).rejects.toMatchObject({ code: 'EACCES' })
    await expect(branch.workspace.writeText('large', 'x'.repeat(2001))).rejects.toMatchObject({ code: 'EFBIG' })
    const { changes, read } = await branch.changes()
    expect(changes.map(({ path, before: old, after }) => `${path} ${old?.kind ?? '-'} ${after?.kind ?? '-'}`)).toEqual([
      '/repo/a.txt file -',
      '/repo/dir/c.txt file file',
      '/repo/dir/sub dir -',
      '/repo/dir/sub/d.txt file -',
      '/repo/new - dir',
      '/repo/new/d.txt - file',
    ])
    expect([await read('/repo/dir/c.txt', 'before'), await read('c.txt', 'after')]).toEqual([bytes('c'), bytes('C')])
    await expect(read('/repo/new', 'after')).rejects.toMatchObject({ code: 'ENOENT' })
    expect(shown(await snapshot(workspace.fs))).toEqual(before)
    await branch.discard()
    expect((await branch.changes()).changes).toEqual([])
    expect(await branch.workspace.exists('/repo/a.txt')).toBe(true)
  })

  it('writes its changes on commit and can be used afterwards', async () => {
    const workspace = live()
    const branch = branchWorkspace(workspace)
    await branch.workspace.writeText('a.txt', 'A')
    await branch.workspace.move('dir', 'moved')
    await branch.workspace.writeText('moved/c.txt', 'C')
    const { applied, conflicts } = await branch.commit()
    expect(conflicts).toEqual([])
    expect(applied.map(({ path }) => workspace.relative(path))).toEqual([
      'a.txt',
      'dir',
      'dir/c.txt',
      'dir/sub',
      'dir/sub/d.txt',
      'moved',
      'moved/c.txt',
      'moved/sub',
      'moved/sub/d.txt',
    ])
    expect(await workspace.files()).toEqual({
      'a.txt': 'A',
      'b.txt': 'b',
      'big.bin': FILES['big.bin'],
      'moved/c.txt': 'C',
      'moved/sub/d.txt': 'd',
    })
    expect(await branch.commit()).toEqual({ applied: [], conflicts: [], left: [] })
    await workspace.writeText('b.txt', 'live')
    expect((await branch.workspace.readText('b.txt')).text, 'what is not changed here shows what is there').toBe('live')
  })

  it('commits disjoint changes of two branches, and reports conflicts to the second', async () => {
    const workspace = live()
    const [one, two, three] = [branchWorkspace(workspace), branchWorkspace(workspace), branchWorkspace(workspace)]
    for (const [branch, name] of [
      [one, 'one'],
      [two, 'two'],
      [three, 'three'],
    ] as const) {
      const tools = createRuntime({ workspace: branch.workspace, tools: fileTools() })
      await tools.call('write_file', { path: `out/${name}.txt`, content: name })
      if (branch === three) continue
      const edit = { path: branch === one ? 'a.txt' : 'b.txt', edits: [{ old_string: branch === one ? 'a' : 'b', new_string: name }] }
      await tools.call('edit_file', edit)
    }
    await three.workspace.writeText('a.txt', 'three')
    await three.workspace.remove('dir', { recursive: true })
    expect((await one.commit()).conflicts).toEqual([])
    expect((await two.commit()).conflicts, 'both made "out"').toEqual([])
    await workspace.writeText('dir/sub/d.txt', 'changed')
    await workspace.writeText('dir/fresh.txt', 'fresh')
    const before = shown(await snapshot(workspace.fs))
    expect(await three.commit()).toEqual({
      applied: [],
      left: [],
      conflicts: [
        { path: '/workspace/a.txt', reason: 'it was changed meanwhile' },
        { path: '/workspace/dir/fresh.txt', reason: 'it was created meanwhile' },
        { path: '/workspace/dir/sub/d.txt', reason: 'it was changed meanwhile' },
      ],
    })
    expect(shown(await snapshot(workspace.fs)), 'nothing of it is done').toEqual(before)
    expect((await three.workspace.readText('a.txt')).text, 'nothing of it is forgotten').toBe('three')
    expect(await three.workspace.exists('dir')).toBe(false)
    expect(await workspace.files()).toMatchObject({ 'a.txt': 'one', 'b.txt': 'two', 'out/one.txt': 'one', 'out/two.txt': 'two' })
  })

  it.each([
    ['it was removed meanwhile', (tree: Workspace) => tree.writeText('a.txt', 'x'), (tree: Workspace) => tree.remove('a.txt')],
    [
      'its type changed meanwhile',
      (tree: Workspace) => tree.writeText('a.txt', 'x'),
      async (tree: Workspace) => {
        await tree.remove('a.txt')
        await tree.symlink('b.txt', 'a.txt')
      },
    ],
    ['it was created meanwhile', (tree: Workspace) => tree.writeText('n', 'x'), (tree: Workspace) => tree.writeText('n', 'y')],
    ['it was changed meanwhile', (tree: Workspace) => tree.remove('a.txt'), (tree: Workspace) => tree.writeText('a.txt', 'y')],
    [
      'its mode was changed meanwhile',
      (tree: Workspace) => tree.setMeta('a.txt', { mode: 0o755 }),
      (tree: Workspace) => tree.setMeta('a.txt', { mode: 0o600 }),
    ],
    ['it was changed meanwhile', (tree: Workspace) => tree.writeText('a.txt', 'x'), (tree: Workspace) => tree.writeText('a.txt', 'b')],
    [
      'it was removed from its old path meanwhile',
      (tree: Workspace) => tree.move('dir', 'n'),
      (tree: Workspace) => tree.remove('dir', { recursive: true }),
    ],
  ])('reports a conflict: %s', async (reason, ours, theirs) => {
    const workspace = live()
    const branch = branchWorkspace(workspace)
    await ours(branch.workspace)
    await theirs(workspace)
    const before = shown(await snapshot(workspace.fs))
    const { applied, conflicts } = await branch.commit()
    expect(applied).toEqual([])
    expect(conflicts.map((conflict) => conflict.reason)).toContain(reason)
    expect(shown(await snapshot(workspace.fs))).toEqual(before)
  })

  it.each([
    ['a write', (tree: Workspace) => tree.writeText('a.txt', 'x'), 'a.txt', 'x'],
    ['an append', (tree: Workspace) => tree.writeText('a.txt', 'x', { mode: 'append' }), 'a.txt', 'ax'],
    ['a removal', (tree: Workspace) => tree.remove('a.txt'), 'a.txt', undefined],
    [
      'the removal of its directory',
      async (tree: Workspace) => {
        await tree.move('a.txt', 'dir/a.txt')
        await tree.remove('dir', { recursive: true })
      },
      'a.txt',
      undefined,
    ],
    [
      'a move and a write',
      async (tree: Workspace) => {
        await tree.move('a.txt', 'n.txt')
        await tree.writeText('n.txt', 'x')
      },
      'n.txt',
      'x',
    ],
  ])('a new time or mode and equal bytes are no conflict with %s, and the mode stays', async (_, ours, path, content) => {
    const workspace = live()
    const branch = branchWorkspace(workspace)
    await ours(branch.workspace)
    await workspace.writeText('a.txt', 'a')
    await workspace.setMeta('a.txt', { mtimeMs: 1000, mode: 0o755 })
    expect((await branch.commit()).conflicts).toEqual([])
    expect((await workspace.files())[path]).toBe(content)
    if (content !== undefined) expect((await workspace.stat(path)).mode).toBe(0o755)
  })

  it('keeps files that others write into a directory that the branch moved', async () => {
    const workspace = live()
    const branch = branchWorkspace(workspace)
    await branch.workspace.move('dir', 'moved')
    await branch.workspace.writeText('dir', 'a file now')
    await workspace.writeText('dir/c.txt', 'theirs')
    await workspace.writeText('dir/fresh.txt', 'fresh')
    expect((await branch.commit()).conflicts).toEqual([])
    expect(await workspace.files()).toMatchObject({
      dir: 'a file now',
      'moved/c.txt': 'theirs',
      'moved/fresh.txt': 'fresh',
      'moved/sub/d.txt': 'd',
    })
  })

  it('swaps two files without losing content', async () => {
    const workspace = live()
    const branch = branchWorkspace(workspace)
    await branch.workspace.move('a.txt', 'tmp')
    await branch.workspace.move('b.txt', 'a.txt')
    await branch.workspace.move('tmp', 'b.txt')
    expect((await branch.commit()).conflicts).toEqual([])
    expect(await workspace.files()).toEqual({ ...FILES, 'a.txt': 'b', 'b.txt': 'a' })
  })

  it('applies quotas, rules, read-only mode and abort of the workspace before any change', async () => {
    const cases: [Partial<WorkspaceOptions>, Record<string, unknown>, AbortSignal?][] = [
      [{ quotas: { bytes: 1010 } }, { code: 'ENOSPC' }],
      [{ policy: { readOnly: true } }, { code: 'EROFS' }],
      [{ policy: { paths: [{ paths: 'n', action: 'deny' }] } }, { code: 'EACCES' }],
      [{ policy: { paths: [{ paths: 'n', action: 'ask' }] } }, { code: 'approval_required' }],
      [{}, { message: 'enough' }, AbortSignal.abort(new Error('enough'))],
    ]
    for (const [options, error, signal] of cases) {
      const fs = createMemoryFs({ files: FILES })
      const overlay = createOverlayFs({ lower: fs })
      await overlay.write('/n', bytes('0123456789'))
      await overlay.unlink('/a.txt')
      const workspace = createWorkspace({ fs, ...options })
      const before = shown(await snapshot(fs))
      await expect(overlay.commit(workspace, signal && { signal })).rejects.toMatchObject(error)
      expect(shown(await snapshot(fs))).toEqual(before)
      expect((await overlay.changes()).changes).toHaveLength(2)
      if (error.code === 'approval_required') await overlay.commit(workspace, { approve: async () => true })
    }
  })

  it('rejects a link that leads outside', async () => {
    const fs = createMemoryFs()
    const overlay = createOverlayFs({ lower: fs })
    await overlay.symlink?.('../../etc', '/out')
    await expect(overlay.commit(createWorkspace({ fs }))).rejects.toMatchObject({ code: 'symlink_escape' })
    expect(await fs.readdir('/')).toEqual([])
  })

  it('waits for calls that lock what it changes', async () => {
    const workspace = live()
    const branch = branchWorkspace(workspace)
    await branch.workspace.writeText('a.txt', 'branch')
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const held = new Promise<void>((entered) => {
      void workspace.locked(['a.txt'], async (locked) => {
        entered()
        await released
        await locked.writeText('a.txt', 'live')
      })
    })
    await held
    const commit = branch.commit()
    for (let i = 0; i < 20; i++) await workspace.host.yield()
    expect(await workspace.files()).toEqual(FILES)
    release()
    expect((await commit).conflicts).toEqual([{ path: '/workspace/a.txt', reason: 'it was changed meanwhile' }])
    expect(await workspace.files()).toMatchObject({ 'a.txt': 'live' })
  })

  it('can be committed again after a failed commit', async () => {
    for (let at = 1; ; at++) {
      let left = Number.POSITIVE_INFINITY
      const memory = createMemoryFs({ files: { ...FILES, 'old/f': 'f' } })
      const methods = Object.entries(memory).map(([key, method]) => {
        if (typeof method !== 'function' || !CHANGING.includes(key)) return [key, method]
        const failing = async (...args: unknown[]): Promise<unknown> => {
          if (--left === 0) throw new FsError({ code: 'EIO', op: key, path: String(args[0]) })
          return (method as (...args: unknown[]) => unknown)(...args)
        }
        return [key, failing]
      })
      const workspace = createWorkspace({ fs: Object.fromEntries(methods) as FsAdapter })
      const branch = branchWorkspace(workspace)
      await branch.workspace.writeText('a.txt', 'A')
      await branch.workspace.setMeta('b.txt', { mode: 0o600 })
      await branch.workspace.move('dir', 'moved')
      await branch.workspace.writeText('moved/c.txt', 'C')
      await branch.workspace.remove('old', { recursive: true })
      await branch.workspace.writeText('old', 'a file')
      const [before, wanted] = [await workspace.files(), await branch.workspace.files()]
      left = at
      const first = await branch.commit().catch(() => undefined)
      left = Number.POSITIVE_INFINITY
      if (first) {
        // The test must have had enough steps to be meaningful.
        expect(at).toBeGreaterThan(8)
        break
      }
      expect(await workspace.files()).toEqual(before)
      expect((await branch.commit()).conflicts).toEqual([])
      expect(await workspace.files()).toEqual(wanted)
    }
  })

  it('can be read by a caller that holds a lock while a commit waits', async () => {
    const workspace = live()
    const branch = branchWorkspace(workspace)
    await branch.workspace.writeText('a.txt', 'branch')
    const seen = await workspace.locked(['a.txt'], async () => {
      const commit = branch.commit()
      for (let i = 0; i < 20; i++) await workspace.host.yield()
      await branch.workspace.writeText('late/b.txt', 'made while it waits')
      return {
        commit,
        text: (await branch.workspace.readText('a.txt')).text,
        paths: (await branch.changes()).changes.map(({ path }) => path),
      }
    })
    expect(seen).toMatchObject({ text: 'branch', paths: ['/workspace/a.txt', '/workspace/late', '/workspace/late/b.txt'] })
    expect((await seen.commit).applied.map(({ path }) => path)).toEqual(seen.paths)
    expect(await workspace.files()).toMatchObject({ 'a.txt': 'branch', 'late/b.txt': 'made while it waits' })
    expect((await branch.changes()).changes).toEqual([])
  })

  it('can be branched again', async () => {
    const workspace = live()
    const outer = branchWorkspace(workspace)
    const inner = branchWorkspace(outer.workspace)
    await outer.workspace.writeText('a.txt', 'outer')
    await inner.workspace.writeText('b.txt', 'inner')
    expect((await inner.workspace.readText('a.txt')).text).toBe('outer')
    expect((await inner.commit()).applied).toHaveLength(1)
    expect(await workspace.files()).toEqual(FILES)
    expect((await outer.commit()).applied.map(({ path }) => path)).toEqual(['/workspace/a.txt', '/workspace/b.txt'])
    expect(await workspace.files()).toMatchObject({ 'a.txt': 'outer', 'b.txt': 'inner' })
  })

  it('can be reverted by a checkpoint of the workspace', async () => {
    const workspace = live()
    const { id } = await workspace.checkpoint()
    const branch = branchWorkspace(workspace)
    await branch.workspace.remove('dir', { recursive: true })
    await branch.commit()
    await workspace.restore(id)
    expect(await workspace.files()).toEqual(FILES)
  })
})
