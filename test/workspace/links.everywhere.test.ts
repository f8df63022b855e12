// @module-tag paths
import { createRuntime, fileTools, type Workspace } from 'toolport'
import { createTestWorkspace } from 'toolport/testing'
import { describe, expect, it } from 'vitest'

const FILES = { 'notes.txt': 'notes\n', 'src/a.ts': 'a\n', 'src/deep/b.ts': 'b\n' }

async function open(links: Record<string, string> = {}): Promise<Workspace> {
  const { workspace, fs } = createTestWorkspace({ files: FILES })
  for (const [path, target] of Object.entries(links)) await fs.symlink?.(target, `/${path}`)
  return workspace
}

describe('links', () => {
  it('are followed by stat, read, list and write, but not by lstat and readlink', async () => {
    const workspace = await open({ file: 'notes.txt', dir: 'src' })
    expect(await workspace.stat('file')).toMatchObject({ kind: 'file', size: 6 })
    expect(await workspace.lstat('file')).toMatchObject({ kind: 'symlink' })
    expect(await workspace.lstat('dir/')).toMatchObject({ kind: 'dir' })
    expect(await workspace.readlink('file')).toBe('notes.txt')
    await expect(workspace.readlink('notes.txt')).rejects.toMatchObject({ code: 'EINVAL' })
    expect((await workspace.list('dir')).map(({ name }) => name)).toEqual(['a.ts', 'deep'])
    expect(await workspace.writeText('file', 'new')).toMatchObject({ path: '/workspace/notes.txt', created: false })
    expect(await workspace.writeText('dir/new.ts', 'new')).toMatchObject({ path: '/workspace/src/new.ts', created: true })
    expect((await workspace.lstat('file')).kind).toBe('symlink')
  })

  it('dangling links are written through, and missing parents are created', async () => {
    const workspace = await open({ link: 'new/deep/file.txt', dir: 'made' })
    expect(await workspace.exists('link')).toBe(false)
    expect(await workspace.writeText('link', 'x')).toMatchObject({ path: '/workspace/new/deep/file.txt', created: true })
    expect(await workspace.mkdir('dir')).toEqual({ path: '/workspace/made', created: true })
    expect(await workspace.writeText('dir/y', 'y')).toMatchObject({ path: '/workspace/made/y' })
    await expect((await open({ link: 'missing' })).mkdir('link', { parents: false })).rejects.toMatchObject({ code: 'EEXIST' })
  })

  it('links in the middle of a path work in every tool', async () => {
    const workspace = await open({ dir: 'src', up: '.' })
    const runtime = createRuntime({ workspace, tools: fileTools() })
    await runtime.call('read_file', { path: 'dir/a.ts' })
    await runtime.call('edit_file', { path: 'dir/a.ts', edits: [{ old_string: 'a', new_string: 'A' }] })
    await runtime.call('write_file', { path: 'up/dir/deep/new.ts', content: 'n' })
    await runtime.call('edit_file', { path: 'dir/made.ts', edits: [{ old_string: '', new_string: 'm' }] })
    await runtime.call('move_file', { from: 'dir/deep/b.ts', to: 'up/c.ts' })
    await runtime.call('delete_file', { path: 'up/up/dir/made.ts' })
    expect(await workspace.files()).toEqual({ 'notes.txt': 'notes\n', 'src/a.ts': 'A\n', 'src/deep/new.ts': 'n', 'c.ts': 'b\n' })
  })

  it('links at the end of a path work in every tool', async () => {
    const workspace = await open({ one: 'two', two: 'src/a.ts', gone: 'new/file' })
    const runtime = createRuntime({ workspace, tools: fileTools() })
    await runtime.call('edit_file', { path: 'one', edits: [{ old_string: 'a', new_string: 'A' }] })
    await runtime.call('write_file', { path: 'one', content: 'B' })
    await runtime.call('write_file', { path: 'gone', content: 'C' })
    await runtime.call('move_file', { from: 'one', to: 'three' })
    await runtime.call('delete_file', { path: 'three' })
    expect(await workspace.files()).toEqual({ ...FILES, 'src/a.ts': 'B', 'new/file': 'C' })
    expect(await workspace.readlink('two')).toBe('src/a.ts')
  })

  it('cannot lead outside cap:45', async () => {
    const workspace = await open()
    for (const target of ['..', '../x', '/', '/etc/passwd', '/workspace2', '/workspace/..', 'src/../../x']) {
      await expect(workspace.symlink(target, 'link'), target).rejects.toMatchObject({ code: 'symlink_escape' })
    }
    await expect(workspace.symlink('../..', 'src/link')).rejects.toMatchObject({
      code: 'symlink_escape',
      message: 'Cannot make the link "/workspace/src/link": it points outside the workspace "/workspace"',
    })
    for (const target of ['.', 'notes.txt', '/workspace', '/workspace/src', '../workspace/notes.txt', 'missing']) {
      await workspace.symlink(target, 'link')
      expect(await workspace.readlink('link')).toBe(target)
      await workspace.remove('link')
    }
    await workspace.symlink('..', 'src/link')
  })

  it('cannot have a target that no storage can keep', async () => {
    const workspace = await open()
    for (const target of ['', 'a\0b', '\ud800', `${'a/'.repeat(2048)}a`]) {
      await expect(workspace.symlink(target, 'link'), JSON.stringify(target).slice(0, 20)).rejects.toMatchObject({ code: 'invalid_path' })
    }
    expect(await workspace.exists('link')).toBe(false)
  })

  it('do not replace existing entries', async () => {
    const workspace = await open({ gone: 'missing' })
    for (const path of ['notes.txt', 'src', 'gone', '.']) {
      await expect(workspace.symlink('src', path), path).rejects.toMatchObject({ code: 'EEXIST' })
    }
    await expect(workspace.symlink('src', 'no/link')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('are followed up to the limit', async () => {
    const hops = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`hop${i}`, i === 4 ? 'notes.txt' : `hop${i + 1}`]))
    const { workspace, fs } = createTestWorkspace({ files: FILES, maxSymlinks: 4 })
    for (const [path, target] of Object.entries(hops)) await fs.symlink?.(target, `/${path}`)
    expect(await workspace.realpath('hop1')).toBe('/workspace/notes.txt')
    await expect(workspace.realpath('hop0')).rejects.toMatchObject({ code: 'ELOOP', path: '/workspace/hop0' })
  })

  it('links in a path below a file fail with ENOTDIR', async () => {
    const workspace = await open({ file: 'notes.txt' })
    await expect(workspace.readText('file/x')).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(workspace.writeText('notes.txt/x/y', '')).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(workspace.writeText('file/', '')).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(workspace.writeText('new/', '')).rejects.toMatchObject({ code: 'EISDIR' })
    await expect(workspace.writeText('src', '')).rejects.toMatchObject({ code: 'EISDIR' })
    await expect(workspace.writeText('.', '')).rejects.toMatchObject({ code: 'EISDIR' })
  })

  it('are resolved by realpath even if the target is missing', async () => {
    const workspace = await open({ dir: 'src', gone: 'missing' })
    expect(await workspace.realpath('dir/new')).toBe('/workspace/src/new')
    expect(await workspace.realpath('gone/new')).toBe('/workspace/missing/new')
    expect(await workspace.realpath('dir/deep/..')).toBe('/workspace/src')
  })
})
