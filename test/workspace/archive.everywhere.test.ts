// @module-tag archives
import { createWorkspace, type FsAdapter, FsError, type Workspace } from 'toolport'
import { createMemoryFs, type MemoryFsOptions } from 'toolport/adapters/memory'
import { readZip, writeZip } from 'toolport/adapters/zip'
import {
  type ArchiveEntry,
  archiveEntries,
  collectBytes,
  type ExportOptions,
  exportWorkspace,
  gzip,
  importArchive,
  importEntries,
  readArchive,
  writeSnapshot,
  writeTar,
} from 'toolport/archive'
import { withFaults } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { cut, dir, file, flat, join, link, print, raw, tarOf, text, utf8 } from '../unit/archive-support.js'
import { slowFs } from './slow-fs.js'

const workspaceOf = (files: MemoryFsOptions['files'] = {}, options = {}): Workspace =>
  createWorkspace({ fs: createMemoryFs({ files }), ...options })
const exported = (workspace: Workspace, options: ExportOptions): Promise<Uint8Array> => collectBytes(exportWorkspace(workspace, options))
const tar = (...entries: ArchiveEntry[]): Promise<Uint8Array> => collectBytes(writeTar(entries))
const pathsOf = async (bytes: Uint8Array): Promise<string[]> => (await flat(readArchive(bytes))).map(({ path }) => path)

/** All entries of a tree, with their contents. */
async function treeOf(workspace: Workspace): Promise<Record<string, string>> {
  const tree: Record<string, string> = {}
  for await (const run of workspace.walk(workspace.root, { ignore: false })) {
    for (const { path, kind } of run) {
      const at = workspace.relative(path)
      if (kind === 'dir') tree[`${at}/`] = ''
      else tree[at] = kind === 'file' ? text((await workspace.readBytes(path)).bytes) : `-> ${await workspace.readlink(path)}`
    }
  }
  return tree
}

const FILES = {
  'src/a.ts': 'a',
  'src/deep/b.ts': 'bb',
  'README.md': '# hi',
  'dist/out.js': 'o',
  '.gitignore': 'dist\n',
  '.git/HEAD': 'ref',
}

async function sample(): Promise<Workspace> {
  const workspace = workspaceOf(FILES)
  await workspace.mkdir('empty')
  await workspace.symlink('../README.md', 'src/link')
  return workspace
}

describe('exportWorkspace', () => {
  it.each(['tar', 'tar.gz', 'snapshot'] as const)('an export as %s keeps everything in a round trip', async (format) => {
    const from = await sample()
    const to = workspaceOf()
    const report = await importArchive(to, await exported(from, { format }), { links: 'keep' })
    expect(await treeOf(to)).toEqual(await treeOf(from))
    expect(report).toEqual({ path: '/workspace', files: 6, directories: 5, links: 1, bytes: 16, replaced: 0, skipped: [] })
  })

  it('keeps everything in a round trip through zip', async () => {
    const from = await sample()
    const to = workspaceOf()
    const bytes = await collectBytes(writeZip(archiveEntries(from)))
    await importEntries(to, await readZip(bytes), { links: 'keep' })
    expect(await treeOf(to)).toEqual(await treeOf(from))
  })

  it('an export of a directory omits ignored and excluded files, and links if requested', async () => {
    const from = await sample()
    expect(await pathsOf(await exported(from, { format: 'tar', path: 'src' }))).toEqual(['a.ts', 'deep', 'deep/b.ts', 'link'])
    expect(await pathsOf(await exported(from, { format: 'tar', ignore: true, links: 'skip' }))).toEqual([
      '.gitignore',
      'README.md',
      'empty',
      'src',
      'src/a.ts',
      'src/deep',
      'src/deep/b.ts',
    ])
    const exclude = ['.git*', 'dist', '**/*.ts']
    expect(await pathsOf(await exported(from, { format: 'tar', exclude }))).toEqual(['README.md', 'empty', 'src', 'src/deep', 'src/link'])
    const pasted = ['/workspace/.git*', '/workspace/dist', '/workspace/**/*.ts']
    expect(await pathsOf(await exported(from, { format: 'tar', exclude: pasted }))).toEqual([
      'README.md',
      'empty',
      'src',
      'src/deep',
      'src/link',
    ])
    await expect(exported(from, { format: 'tar', exclude: '/etc/*' })).rejects.toThrow('outside the workspace')
    await expect(exported(from, { format: 'tar', exclude: '!src' })).rejects.toThrow('remove the "!"')
    await expect(exported(from, { format: 'tar', links: 'refuse' })).rejects.toThrow('it is a link')
    await expect(exported(from, { format: 'tar', path: 'README.md' })).rejects.toMatchObject({ code: 'ENOTDIR' })
    expect(() => exportWorkspace(from, { format: 'rar' as 'tar' })).toThrow('"tar", "tar.gz" or "snapshot"')
  })

  it('omits checkpoint data', async () => {
    const from = await sample()
    await from.checkpoint()
    await from.writeText('README.md', 'changed')
    for (const format of ['tar', 'snapshot'] as const) expect(text(await exported(from, { format }))).not.toContain('.toolport-checkpoints')
  })

  it('a snapshot gives the same bytes for the same tree, whatever the times and modes', async () => {
    const one = workspaceOf(FILES)
    const other = workspaceOf({}, { root: '/elsewhere' })
    for (const [path, content] of Object.entries(FILES).reverse()) await other.writeText(path, content)
    await other.setMeta('README.md', { mode: 0o600, mtimeMs: 5 })
    expect(await exported(other, { format: 'snapshot' })).toEqual(await exported(one, { format: 'snapshot' }))
    expect(await exported(other, { format: 'snapshot', modes: true })).not.toEqual(await exported(one, { format: 'snapshot', modes: true }))
  })

  it('keeps modes, and times on request', async () => {
    const from = workspaceOf({ 'run.sh': '#!/bin/sh' })
    await from.setMeta('run.sh', { mode: 0o755, mtimeMs: 1_500_000_000_000 })
    const plain = workspaceOf()
    await importArchive(plain, await exported(from, { format: 'tar', times: true }))
    expect(await plain.stat('run.sh')).toMatchObject({ mode: 0o755 })
    expect((await plain.stat('run.sh')).mtimeMs).not.toBe(1_500_000_000_000)
    const timed = workspaceOf()
    await importArchive(timed, await exported(from, { format: 'tar', times: true }), { times: true, modes: false })
    expect(await timed.stat('run.sh')).toMatchObject({ mode: 0o644, mtimeMs: 1_500_000_000_000 })
  })

  it('makes absolute links relative, and rejects one that leads outside', async () => {
    const fs = createMemoryFs({ files: { 'a/b/c.txt': 'c', 'd.txt': 'd' } })
    const workspace = createWorkspace({ fs })
    await fs.symlink?.('/workspace/d.txt', '/a/b/up')
    await fs.symlink?.('/workspace/a', '/a/b/self')
    const targets = (await flat(archiveEntries(workspace))).flatMap(({ target }) => target ?? [])
    expect(targets).toEqual(['..', '../../d.txt'])
    await fs.symlink?.('/etc/passwd', '/bad')
    await expect(flat(archiveEntries(workspace))).rejects.toMatchObject({ code: 'symlink_escape', path: '/workspace/bad' })
    expect((await flat(archiveEntries(workspace, { links: 'skip' }))).length).toBe(4)
  })

  it('keeps links to themselves: nothing follows them, and they can be removed', async () => {
    const links = [link('a', 'a'), link('b', 'c'), link('c', 'b'), dir('d'), link('d/up', '..')]
    const workspace = workspaceOf()
    await importArchive(workspace, await tar(...links), { links: 'keep' })
    const tree = { a: '-> a', b: '-> c', c: '-> b', 'd/': '', 'd/up': '-> ..' }
    expect(await treeOf(workspace)).toEqual(tree)
    for (const name of ['a', 'b', 'd/up/a']) await expect(workspace.readBytes(name), name).rejects.toMatchObject({ code: 'ELOOP' })
    const again = workspaceOf()
    await importArchive(again, await exported(workspace, { format: 'tar' }), { links: 'keep' })
    expect(await treeOf(again)).toEqual(tree)
    for (const name of ['a', 'b', 'c', 'd']) await again.remove(name, { recursive: true })
    expect(await treeOf(again)).toEqual({})
  })

  it('reads large files in parts and fails with ESTALE if the file changes', async () => {
    const big = new Uint8Array(3 * 1024 * 1024 + 1).map((_, i) => i % 251)
    const from = workspaceOf({ big })
    const to = workspaceOf()
    await importArchive(to, exportWorkspace(from, { format: 'tar.gz' }))
    expect(print((await to.readBytes('big')).bytes)).toBe(print(big))
    const stream = exportWorkspace(from, { format: 'tar' }).getReader()
    await stream.read()
    await from.writeBytes('big', big.fill(1))
    const rest = async (): Promise<void> => {
      while (!(await stream.read()).done);
    }
    await expect(rest()).rejects.toMatchObject({ code: 'ESTALE', path: '/workspace/big' })
  })

  it('names an unreadable path, and stops on abort', async () => {
    const from = workspaceOf(FILES, { policy: { paths: [{ paths: '.git', action: 'deny', reason: 'private' }] } })
    await expect(exported(from, { format: 'tar' })).rejects.toMatchObject({ code: 'EACCES', path: '/workspace/.git' })
    expect(await pathsOf(await exported(from, { format: 'tar', exclude: '.git' }))).toHaveLength(8)
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(exported(from, { format: 'tar.gz', signal })).rejects.toThrow('enough')
  })
})

describe('importArchive and importEntries', () => {
  it('create the directory, strip components and list what they left out', async () => {
    const workspace = workspaceOf()
    const bytes = await tar(
      dir('package'),
      file('package/index.js', '1'),
      file('package/lib/a.js', '2'),
      file('top.txt'),
      link('package/l', 'x'),
    )
    const report = await importArchive(workspace, bytes, { path: 'node_modules/x', strip: 1, links: 'skip' })
    expect(report).toEqual({
      path: '/workspace/node_modules/x',
      files: 2,
      directories: 3,
      links: 0,
      bytes: 2,
      replaced: 0,
      skipped: [
        { path: 'top.txt', reason: 'stripped' },
        { path: 'package/l', reason: 'link' },
      ],
    })
    expect(await workspace.files()).toEqual({ 'node_modules/x/index.js': '1', 'node_modules/x/lib/a.js': '2' })
  })

  it('accept bytes, parts, streams, blobs and entries', async () => {
    const bytes = await tar(file('a', '1'))
    const sources = [
      bytes,
      [bytes],
      cut(bytes, [100]),
      new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(),
      new Blob([bytes as Uint8Array<ArrayBuffer>]),
    ]
    for (const source of sources) {
      const workspace = workspaceOf()
      await importArchive(workspace, source as Uint8Array)
      expect(await workspace.files()).toEqual({ a: '1' })
    }
    const workspace = workspaceOf()
    await importEntries(workspace, [file('a', '1'), dir('b')])
    await importEntries(workspace, () => [file('c', '2')])
    expect(await treeOf(workspace)).toEqual({ a: '1', 'b/': '', c: '2' })
  })

  it('reject, replace or skip existing files', async () => {
    const before = { a: 'old', 'd/x': 'kept' }
    const bytes = await tar(file('new', 'n'), file('a', 'new'), dir('d'))
    const refusing = workspaceOf(before)
    await expect(importArchive(refusing, bytes)).rejects.toMatchObject({ code: 'EEXIST', path: '/workspace/a' })
    expect(await refusing.files()).toEqual(before)
    const replacing = workspaceOf(before)
    expect(await importArchive(replacing, bytes, { overwrite: 'replace' })).toMatchObject({ files: 2, replaced: 1 })
    expect(await replacing.files()).toEqual({ a: 'new', 'd/x': 'kept', new: 'n' })
    const leaving = workspaceOf(before)
    expect((await importArchive(leaving, bytes, { overwrite: 'skip' })).skipped).toEqual([{ path: 'a', reason: 'exists' }])
    expect(await leaving.files()).toEqual({ ...before, new: 'n' })
  })

  it('do not replace a directory, and write nothing below a file', async () => {
    const workspace = workspaceOf({ 'd/x': '1', f: '2' })
    const replace = { overwrite: 'replace' } as const
    await expect(importArchive(workspace, await tar(file('d', 'x')), replace)).rejects.toMatchObject({ code: 'EISDIR' })
    await expect(importArchive(workspace, await tar(file('f/x', 'x')), replace)).rejects.toMatchObject({
      code: 'ENOTDIR',
      path: '/workspace/f',
    })
    await expect(importArchive(workspace, await tar(dir('f')), replace)).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(importArchive(workspace, await tar(file('x')), { path: 'f' })).rejects.toMatchObject({ code: 'ENOTDIR' })
    expect(await workspace.files()).toEqual({ 'd/x': '1', f: '2' })
  })

  it('replace a link instead of writing through it', async () => {
    const workspace = workspaceOf({ 'real/x': 'kept', target: 'kept' })
    await workspace.symlink('real', 'd')
    await workspace.symlink('target', 'l')
    await workspace.symlink('nowhere', 'dangling')
    const replace = { overwrite: 'replace' } as const
    await expect(importArchive(workspace, await tar(file('d/x', 'new')), replace)).rejects.toMatchObject({
      code: 'ELOOP',
      path: '/workspace/d',
    })
    await expect(importArchive(workspace, await tar(file('dangling', 'x')))).rejects.toMatchObject({ code: 'EEXIST' })
    await importArchive(workspace, await tar(file('l', 'new'), file('dangling', 'x')), replace)
    expect(await treeOf(workspace)).toEqual({ d: '-> real', dangling: 'x', l: 'new', 'real/': '', 'real/x': 'kept', target: 'kept' })
    // The target directory itself may be a symlink.
    await importArchive(workspace, await tar(file('y', '1')), { path: 'd' })
    expect(await workspace.files()).toMatchObject({ 'real/y': '1' })
  })

  it('reject links by default, and keep only those that stay inside', async () => {
    const workspace = workspaceOf()
    await expect(importArchive(workspace, await tar(link('l', 'a')))).rejects.toMatchObject({
      message: expect.stringContaining('links: "skip"'),
      details: { reason: 'link', entry: 'l' },
    })
    const keep = { links: 'keep', path: 'in' } as const
    for (const target of ['/etc/passwd', '../x', 'a/../../x', 'a/../b', '..\\x', '']) {
      const entries = [{ path: 'a/l', kind: 'symlink' as const, size: 0, target: target === '../x' ? '../../x' : target }]
      await expect(importEntries(workspace, entries, keep), target).rejects.toMatchObject({ details: { reason: 'link' } })
    }
    await importArchive(workspace, await tar(link('a/l', '../b'), link('m', './a/l'), link('n', '.')), keep)
    expect(await treeOf(workspace)).toEqual({ 'in/': '', 'in/a/': '', 'in/a/l': '-> ../b', 'in/m': '-> ./a/l', 'in/n': '-> .' })
    // Judged one by one, both symlinks stay inside, but together they would lead outside.
    const pair = await tar(link('a/b/up', '../..'), link('esc', 'a/b/up/../x'))
    await expect(importArchive(workspaceOf(), pair, { links: 'keep' })).rejects.toMatchObject({ details: { entry: 'esc' } })
    const bare: FsAdapter = { ...createMemoryFs(), can: createMemoryFs().can }
    const { symlink: _, readlink: __, ...without } = bare
    await expect(
      importArchive(createWorkspace({ fs: without as FsAdapter }), await tar(link('l', 'a')), { links: 'keep' }),
    ).rejects.toMatchObject({
      code: 'ENOTSUP',
    })
  })

  it('reject paths of checkpoint data', async () => {
    const workspace = workspaceOf()
    const bytes = await tar(file('a', '1'), file('.toolport-checkpoints/x', '1'))
    await expect(importArchive(workspace, bytes)).rejects.toMatchObject({ code: 'EACCES' })
    expect(await workspace.files()).toEqual({})
  })

  it('reject names that collide on a case-insensitive storage', async () => {
    const memory = createMemoryFs()
    const fs: FsAdapter = { ...memory, can: { ...memory.can, caseSensitive: false } }
    for (const [one, other] of [
      ['README', 'readme'],
      ['\u00e9', 'e\u0301'],
      ['A/x', 'a'],
    ] as const) {
      await expect(importEntries(createWorkspace({ fs }), [file(one), file(other)]), one).rejects.toMatchObject({
        details: { reason: 'collision' },
      })
      await importEntries(workspaceOf(), [file(one), file(other)])
    }
  })

  it('apply policy and quotas, and leave nothing behind on failure', async () => {
    const bytes = await tar(file('a', '1'), file('secret/key', '2'), file('z', '3'))
    const ruled = workspaceOf(
      { old: 'o' },
      { policy: { paths: [{ paths: 'secret', action: 'deny', access: 'write', reason: 'private' }] } },
    )
    await expect(importArchive(ruled, bytes, { path: 'secret/..' })).rejects.toMatchObject({
      code: 'EACCES',
      message: expect.stringContaining('private; nothing was imported (1 change undone)'),
    })
    expect(await treeOf(ruled)).toEqual({ old: 'o' })
    const small = workspaceOf({ old: 'o' }, { quotas: { files: 3 } })
    await expect(importArchive(small, bytes)).rejects.toMatchObject({ code: 'ENOSPC', message: expect.stringContaining('undone') })
    expect(await treeOf(small)).toEqual({ old: 'o' })
    const frozen = workspaceOf({}, { policy: { readOnly: true } })
    await expect(importArchive(frozen, bytes)).rejects.toMatchObject({ code: 'EROFS' })
    await expect(importArchive(workspaceOf(), bytes, { path: '../out' })).rejects.toMatchObject({ code: 'path_outside_workspace' })
    await expect(importArchive(workspaceOf({}, { quotas: { fileBytes: 4 } }), await tar(file('big', 'x'.repeat(5))))).rejects.toMatchObject(
      { code: 'EFBIG' },
    )
  })

  it('check all bytes before anything is written', async () => {
    const bad = [
      await join(raw({ name: 'a', content: '1' }), raw({ name: '../x' })),
      (await tarOf({ name: 'a', content: '1' }, { name: 'b', content: 'x'.repeat(600) })).subarray(0, 2000),
      await collectBytes(gzip(await join(raw({ name: 'a', content: '1' }), raw({ name: 'h', type: '1' })))),
    ]
    const snapshot = await collectBytes(writeSnapshot([file('a', '1'), file('b', '2')]))
    snapshot[snapshot.length - 1] = 0
    for (const bytes of [...bad, snapshot]) {
      const workspace = workspaceOf()
      const seen: string[] = []
      const importing = importArchive(workspace, bytes, { path: 'in', onProgress: ({ path }) => void seen.push(path) })
      await expect(importing).rejects.toMatchObject({ name: 'InputError' })
      expect(seen).toEqual([])
      expect(await treeOf(workspace)).toEqual({})
    }
  })

  it('restore everything if the end of a stream is invalid', async () => {
    const workspace = workspaceOf({ a: 'old', 'd/kept': 'k' })
    await workspace.setMeta('a', { mode: 0o600 })
    await workspace.symlink('a', 'l')
    const before = await treeOf(workspace)
    const bytes = await tarOf(
      { name: 'a', content: 'new', mode: '0000755\0' },
      { name: 'd/new', content: '1' },
      { name: 'e/f/g', content: '2' },
      { name: 'l', content: 'no link' },
      { name: '../x' },
    )
    const seen: string[] = []
    const importing = importArchive(workspace, cut(bytes, [700]), { overwrite: 'replace', onProgress: ({ path }) => void seen.push(path) })
    await expect(importing).rejects.toMatchObject({
      name: 'InputError',
      message: expect.stringMatching(/"\.\.\/x" leaves the archive with "\.\."; nothing was imported \(6 changes undone\)/),
      details: { reason: 'name', entry: '../x' },
    })
    expect(seen).toHaveLength(4)
    expect(await treeOf(workspace)).toEqual(before)
    expect(await workspace.stat('a')).toMatchObject({ mode: 0o600 })
  })

  it('report a mode that cannot be restored', async () => {
    const fs = createMemoryFs({ files: { a: 'old' } })
    const workspace = createWorkspace({ fs })
    await workspace.setMeta('a', { mode: 0o600 })
    Object.assign(fs, { setMeta: () => Promise.reject(new FsError({ code: 'EIO', op: 'change the mode of', path: '/a' })) })
    const importing = importArchive(workspace, cut(await tarOf({ name: 'a', content: 'new' }, { name: '../x' }), [700]), {
      overwrite: 'replace',
    })
    await expect(importing).rejects.toMatchObject({ message: expect.stringContaining('1 of 1 change could not be undone') })
  })

  it('remove a partially written file', async () => {
    const memory = createMemoryFs({ files: { old: 'earlier content' } })
    const bound = (name: keyof FsAdapter): unknown => (memory[name] as (...args: never[]) => unknown).bind(memory)
    const methods = ['lstat', 'readdir', 'read', 'mkdir', 'unlink', 'rmdir', 'rename', 'flush', 'close'] as const
    const fs = {
      name: 'halves',
      can: { ...memory.can, atomicReplace: false },
      ...Object.fromEntries(methods.map((name) => [name, bound(name)])),
      write: async (path, bytes, options) => {
        const fails = text(bytes).startsWith('fails')
        await memory.write(path, fails ? bytes.subarray(0, 2) : bytes, options)
        if (fails) throw new FsError({ code: 'EIO', op: 'write', path })
      },
    } as FsAdapter
    const workspace = createWorkspace({ fs })
    for (const path of ['old', 'new']) {
      const entries = [file('a', '1'), file(path, 'fails half-way')]
      await expect(importEntries(workspace, entries, { overwrite: 'replace' })).rejects.toMatchObject({
        code: 'EIO',
        message: expect.stringContaining('nothing was imported (2 changes undone)'),
      })
      expect(await treeOf(workspace)).toEqual({ old: 'earlier content' })
    }
    // The policy rejected the second entry before it was written, so only one change is undone.
    const ruled = createWorkspace({ fs, policy: { paths: [{ paths: 'old', action: 'deny', access: 'write', reason: 'private' }] } })
    await expect(importEntries(ruled, [file('a', '1'), file('old', 'x')], { overwrite: 'replace' })).rejects.toMatchObject({
      message: expect.stringContaining('(1 change undone)'),
    })
  })

  it('throw the abort reason or the error of onProgress, and restore everything', async () => {
    const bytes = await tar(file('a', '1'), file('b', '2'), file('c', '3'))
    const controller = new AbortController()
    const reason = new Error('enough')
    const workspace = workspaceOf()
    const stop = (): void => controller.abort(reason)
    await expect(importArchive(workspace, bytes, { signal: controller.signal, onProgress: stop })).rejects.toBe(reason)
    expect(await treeOf(workspace)).toEqual({})
    const fault = (): void => {
      throw reason
    }
    await expect(importArchive(workspace, bytes, { onProgress: fault })).rejects.toBe(reason)
    expect(await treeOf(workspace)).toEqual({})
  })

  it('stop waiting for locks on abort, and cancel an unread stream', async () => {
    const workspace = workspaceOf({ a: 'old' })
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const holding = workspace.locked([workspace.root], () => held)
    const cancelled: unknown[] = []
    const stream = (): ReadableStream<Uint8Array> => new ReadableStream({ cancel: (reason) => void cancelled.push(reason) })
    const stop = new AbortController()
    const waiting = importArchive(workspace, stream(), { signal: stop.signal })
    const reason = new Error('enough')
    stop.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    release()
    await holding
    const refused = importArchive(workspace, stream(), { strip: -1 })
    await expect(refused).rejects.toThrow('"strip"')
    expect(cancelled).toEqual([reason, await refused.catch((error: unknown) => error)])
    expect(await treeOf(workspace)).toEqual({ a: 'old' })
  })

  it('list the accepted types for an invalid source', async () => {
    for (const data of ['abc', null, undefined, 1, new ArrayBuffer(3), {}]) {
      await expect(importArchive(workspaceOf(), data as never), String(data)).rejects.toThrow('expected a Uint8Array')
    }
  })

  it('report progress', async () => {
    const seen: unknown[] = []
    await importEntries(workspaceOf(), [file('a', '12'), dir('d'), file('d/b', '3')], {
      onProgress: (progress) => void seen.push(progress),
    })
    expect(seen).toEqual([
      { path: '/workspace/a', files: 1, bytes: 2 },
      { path: '/workspace/d', files: 1, bytes: 2 },
      { path: '/workspace/d/b', files: 2, bytes: 3 },
    ])
  })

  it('write several files in parallel, without lstat where nothing can exist', async () => {
    const memory = createMemoryFs({ files: { 'there/old': 'old' } })
    const looked: string[] = []
    let [running, most, bytesRunning, mostBytes] = [0, 0, 0, 0]
    const counting: FsAdapter = {
      ...memory,
      lstat(path) {
        looked.push(path)
        return memory.lstat(path)
      },
      async write(path, bytes, options) {
        running += 1
        bytesRunning += bytes.length
        most = Math.max(most, running)
        mostBytes = Math.max(mostBytes, bytesRunning)
        await slow.write(path, bytes, options)
        running -= 1
        bytesRunning -= bytes.length
      },
    }
    const slow = slowFs(memory)
    const workspace = createWorkspace({ fs: counting })
    const small = Array.from({ length: 200 }, (_, at) => file(`made/${at % 10}/${at}`, `${at}`))
    const seen: string[] = []
    const report = await importEntries(workspace, small, { onProgress: ({ path }) => void seen.push(workspace.relative(path)) })
    expect(report).toMatchObject({ files: 200, directories: 11, replaced: 0 })
    expect(seen).toEqual(small.map(({ path }) => path))
    expect(most).toBeGreaterThan(8)
    expect(most).toBeLessThanOrEqual(32)
    const looks = (at: string): number => looked.filter((path) => path === at).length
    await workspace.writeText('made/by-itself', '1')
    expect(small.map(({ path }) => looks(`/${path}`))).toEqual(small.map(() => looks('/made/by-itself')))

    const large = Array.from({ length: 6 }, (_, at) => file(`there/${at}`, 'x'.repeat(1_500_000)))
    await importEntries(workspace, [...large, file('there/old', 'new')], { overwrite: 'replace' })
    expect(mostBytes).toBeGreaterThan(1_500_000)
    expect(mostBytes).toBeLessThanOrEqual(4 * 1024 * 1024)
    expect(await workspace.readText('there/old')).toMatchObject({ text: 'new' })
  })

  it('wait for running writes before they restore', async () => {
    const memory = createMemoryFs({ files: { old: 'old' } })
    const fs = withFaults(slowFs(memory), { fault: 'ENOSPC', when: ({ method, path }) => method === 'write' && path === '/2' })
    const workspace = createWorkspace({ fs })
    const entries = [file('old', 'new'), ...Array.from({ length: 20 }, (_, at) => file(`${at}`, `${at}`))]
    await expect(importEntries(workspace, entries, { overwrite: 'replace' })).rejects.toMatchObject({
      code: 'ENOSPC',
      path: '/workspace/2',
      message: expect.stringContaining('nothing was imported'),
    })
    expect(await treeOf(workspace)).toEqual({ old: 'old' })
  })

  it('lock their target directory and nothing else until they end', async () => {
    const workspace = createWorkspace({ fs: slowFs(createMemoryFs({ files: { 'other/x': '1' } })) })
    const order: string[] = []
    const importing = importArchive(workspace, await tar(file('a', '1'), file('b', '2')), { path: 'in' }).then(() => order.push('import'))
    await workspace.writeText('other/x', '2').then(() => order.push('other'))
    await Promise.all([importing, workspace.writeText('in/a', 'later').then(() => order.push('same'))])
    expect(order).toEqual(['other', 'import', 'same'])
    expect(await workspace.files()).toEqual({ 'other/x': '2', 'in/a': 'later', 'in/b': '2' })
  })

  it('work within locked()', async () => {
    const workspace = workspaceOf()
    await workspace.locked(['in'], (locked) => importEntries(locked, [file('a', '1')], { path: 'in' }))
    expect(await workspace.files()).toEqual({ 'in/a': '1' })
  })

  it('copy hard links, also with stripped components, and list what they left out', async () => {
    const bytes = await tarOf(
      { name: 'top/a', content: 'aaa', mode: '0000755\0' },
      { name: 'top/h', type: '1', target: 'top/a' },
      { name: 'top/d/hh', type: '1', target: 'top/h' },
      { name: 'top/fifo', type: '6' },
    )
    const workspace = workspaceOf({ h: 'old' })
    const options = { strip: 1, special: 'skip', overwrite: 'replace' } as const
    expect(await importArchive(workspace, bytes, options)).toMatchObject({
      files: 3,
      bytes: 9,
      replaced: 1,
      skipped: [{ path: 'top/fifo', reason: 'special' }],
    })
    expect(await workspace.files()).toEqual({ a: 'aaa', h: 'aaa', 'd/hh': 'aaa' })
    // A streamed archive gives the same result.
    const streamed = workspaceOf()
    expect((await importArchive(streamed, cut(bytes, [700]), options)).skipped).toHaveLength(1)
    expect(await streamed.files()).toEqual({ a: 'aaa', h: 'aaa', 'd/hh': 'aaa' })
    await expect(importArchive(workspaceOf(), bytes, { strip: 1 })).rejects.toMatchObject({
      details: { reason: 'unsupported', entry: 'top/fifo' },
    })
    // Hard links are skipped together with their file.
    const kept = workspaceOf({ a: 'mine' })
    expect((await importArchive(kept, bytes, { ...options, overwrite: 'skip' })).skipped.map(({ path }) => path)).toEqual([
      'top/a',
      'top/h',
      'top/d/hh',
      'top/fifo',
    ])
    // The size limit counts a hard link with the size of its content.
    await expect(importArchive(workspaceOf(), bytes, { ...options, limits: { bytes: 8 } })).rejects.toMatchObject({ code: 'EFBIG' })
  })

  it('import a hard link to a symlink as the same symlink', async () => {
    const bytes = await tarOf(
      { name: 'x', content: 'x' },
      { name: 's', type: '2', target: 'x' },
      { name: 'h', type: '1', target: 's' },
      { name: 'hh', type: '1', target: 'h' },
    )
    const workspace = workspaceOf()
    expect(await importArchive(workspace, bytes, { links: 'keep' })).toMatchObject({ files: 1, links: 3, skipped: [] })
    expect(await treeOf(workspace)).toEqual({ x: 'x', s: '-> x', h: '-> x', hh: '-> x' })
    const skipped = ['s', 'h', 'hh'].map((path) => ({ path, reason: 'link' }))
    expect(await importArchive(workspaceOf(), bytes, { links: 'skip' })).toMatchObject({ files: 1, links: 0, skipped })
    await expect(importArchive(workspaceOf(), bytes)).rejects.toMatchObject({ details: { reason: 'link', entry: 's' } })
    // The hard link would make a copy of the symlink in another directory, where the copy would lead outside.
    const escaping = await tarOf({ name: 'd/s', type: '2', target: '../x' }, { name: 'h', type: '1', target: 'd/s' })
    await expect(importArchive(workspaceOf(), escaping, { links: 'keep' })).rejects.toMatchObject({
      details: { reason: 'link', entry: 'h' },
    })
  })

  it('list a hard link whose target was stripped completely', async () => {
    const bytes = await tarOf(
      { name: 'top', content: 'A' },
      { name: 'pkg/in', type: '1', target: 'top' },
      { name: 'pkg/on', type: '1', target: 'pkg/in' },
      { name: 'pkg/b', content: 'B' },
    )
    for (const data of [bytes, cut(bytes, [700])]) {
      const workspace = workspaceOf()
      expect((await importArchive(workspace, data, { strip: 1 })).skipped).toEqual([
        { path: 'top', reason: 'stripped' },
        { path: 'pkg/in', reason: 'link' },
        { path: 'pkg/on', reason: 'link' },
      ])
      expect(await workspace.files()).toEqual({ b: 'B' })
    }
  })

  it('accept a directory named like a drive, but not an absolute drive path', async () => {
    const workspace = workspaceOf({ 'c:/d': '1', 'C:x': '2', 'e/z:': '3', 'f:': '4' })
    const before = await treeOf(workspace)
    for (const format of ['tar', 'tar.gz', 'snapshot', 'zip'] as const) {
      const to = workspaceOf()
      if (format === 'zip') await importEntries(to, await readZip(await collectBytes(writeZip(archiveEntries(workspace)))), { path: 'in' })
      else await importArchive(to, await exported(workspace, { format }), { path: 'in' })
      expect(Object.entries(await treeOf(to)), format).toEqual([
        ['in/', ''],
        ...Object.entries(before).map(([path, is]) => [`in/${path}`, is]),
      ])
    }
    expect(text(await exported(workspace, { format: 'tar' })).match(/\.\/[cf]:\/?d?/g)).toEqual(['./c:/', './c:/d', './f:'])
    for (const name of ['c:/d', 'c:', 'C:\\d'])
      await expect(importArchive(workspaceOf(), await tarOf({ name })), name).rejects.toMatchObject({ details: { reason: 'name' } })
  })

  it('reject or omit names with a backslash', async () => {
    const bytes = await tarOf(
      { name: 'a\\b', content: 'x'.repeat(600) },
      { name: '..\\..\\c', content: 'y' },
      { name: 'h', type: '1', target: 'a\\b' },
      { name: 'd\\', type: '5' },
      { name: 'z', content: 'z' },
    )
    await expect(importArchive(workspaceOf(), bytes)).rejects.toMatchObject({ details: { reason: 'name', entry: 'a\\b' } })
    for (const data of [bytes, cut(bytes, [700])]) {
      const workspace = workspaceOf()
      const skipped = ['a\\b', '..\\..\\c', 'h', 'd\\'].map((path) => ({ path, reason: 'special' }))
      expect(await importArchive(workspace, data, { special: 'skip' })).toMatchObject({ files: 1, skipped })
      expect(await workspace.files()).toEqual({ z: 'z' })
    }
  })

  it('reject a hard link to a file outside the archive', async () => {
    for (const entries of [
      [{ name: 'h', type: '1', target: 'a' }, { name: 'a' }],
      [{ name: 'h', type: '1', target: 'there' }],
      [
        { name: 'd/', type: '5' },
        { name: 'h', type: '1', target: 'd' },
      ],
      [{ name: 'a' }, { name: 'h', type: '1', target: '../a' }],
    ]) {
      const workspace = workspaceOf({ there: 'secret' })
      const importing = importArchive(workspace, await tarOf(...entries))
      await expect(importing).rejects.toMatchObject({
        details: { reason: expect.stringMatching(/link|name/), entry: expect.stringMatching(/h|a/) },
      })
      expect(await workspace.files()).toEqual({ there: 'secret' })
    }
  })

  it('keep names with a colon in a round trip', async () => {
    const workspace = workspaceOf({ 'x:y.txt': '1', 'd/a:b': '2' })
    for (const format of ['tar', 'snapshot'] as const) {
      const to = workspaceOf()
      await importArchive(to, await exported(workspace, { format }))
      expect(await to.files()).toEqual({ 'x:y.txt': '1', 'd/a:b': '2' })
    }
  })

  it('always give the owner read and write access, and no special bits', async () => {
    const workspace = workspaceOf()
    await importArchive(
      workspace,
      await tarOf({ name: 'd/', type: '5', mode: '0000000\0' }, { name: 'd/f', content: '1', mode: '0007111\0' }),
    )
    expect(await workspace.stat('d')).toMatchObject({ mode: 0o700 })
    expect(await workspace.stat('d/f')).toMatchObject({ mode: 0o711 })
  })

  it('reject invalid options', async () => {
    for (const options of [{ strip: -1 }, { overwrite: 'yes' }, { links: 'follow' }, { limits: { bytes: Number.NaN } }]) {
      await expect(importEntries(workspaceOf(), [file('a')], options as object), JSON.stringify(options)).rejects.toThrow(TypeError)
    }
  })

  it('yield to the event loop, so that an abort takes effect', async () => {
    const controller = new AbortController()
    const endless = function* (): Generator<ArchiveEntry> {
      for (let i = 0; ; i++) yield file(`f${i % 1000}/${i}`, utf8('x'))
    }
    setTimeout(() => controller.abort(new Error('stopped')), 5)
    const workspace = workspaceOf()
    const limits = { entries: Number.POSITIVE_INFINITY }
    await expect(importEntries(workspace, endless(), { signal: controller.signal, limits })).rejects.toThrow('stopped')
    expect(await treeOf(workspace)).toEqual({})
  })
})
