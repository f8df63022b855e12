// @module-tag move-delete
import type { Workspace } from 'toolport'
import { createTestWorkspace } from 'toolport/testing'
import { describe, expect, it } from 'vitest'

const FILES = { 'a.txt': 'a', 'b.txt': 'bb', 'dir/c.txt': 'c', 'dir/sub/d.txt': 'd', 'other/e.txt': 'e' }
const open = (): Workspace => createTestWorkspace({ files: FILES }).workspace

describe('remove', () => {
  it('removes files and empty directories, and non-empty ones only with `recursive`', async () => {
    const workspace = open()
    expect(await workspace.remove('a.txt')).toEqual({ path: '/workspace/a.txt', kind: 'file' })
    await expect(workspace.remove('dir')).rejects.toMatchObject({ code: 'ENOTEMPTY', path: '/workspace/dir' })
    expect(await workspace.remove('dir', { recursive: true })).toEqual({ path: '/workspace/dir', kind: 'dir' })
    await workspace.mkdir('empty')
    await workspace.remove('empty/')
    await expect(workspace.remove('empty')).rejects.toMatchObject({ code: 'ENOENT' })
    expect(Object.keys(await workspace.files())).toEqual(['b.txt', 'other/e.txt'])
  })

  it('rejects the root', async () => {
    const workspace = open()
    for (const path of ['.', '/workspace', '/workspace/', 'dir/..']) {
      for (const recursive of [false, true]) await expect(workspace.remove(path, { recursive })).rejects.toMatchObject({ code: 'EBUSY' })
    }
    expect(await workspace.files()).toEqual(FILES)
  })

  it('removes a link and not its target, and rejects a link with a trailing slash', async () => {
    const workspace = open()
    for (const target of ['dir', 'a.txt', 'missing', 'link', '.']) {
      await workspace.symlink(target, 'link')
      expect(await workspace.remove('link', { recursive: true })).toMatchObject({ kind: 'symlink' })
    }
    await workspace.symlink('dir', 'link')
    await expect(workspace.remove('link/', { recursive: true })).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(workspace.remove('a.txt/')).rejects.toMatchObject({ code: 'ENOTDIR' })
    expect(await workspace.files()).toEqual(FILES)
  })

  it('removes an entry through a linked parent directory', async () => {
    const workspace = open()
    await workspace.symlink('dir', 'link')
    expect(await workspace.remove('link/c.txt')).toEqual({ path: '/workspace/dir/c.txt', kind: 'file' })
  })
})

describe('move', () => {
  it('moves files and directories and creates parents', async () => {
    const workspace = open()
    const moved = await workspace.move('dir', 'x/y/dir')
    expect(moved).toEqual({ from: '/workspace/dir', to: '/workspace/x/y/dir', kind: 'dir', replaced: false })
    await workspace.move('a.txt', 'x/a.txt')
    await expect(workspace.move('b.txt', 'no/b.txt', { parents: false })).rejects.toMatchObject({ code: 'ENOENT' })
    expect(Object.keys(await workspace.files()).sort()).toEqual(['b.txt', 'other/e.txt', 'x/a.txt', 'x/y/dir/c.txt', 'x/y/dir/sub/d.txt'])
  })

  it('rejects invalid moves and changes nothing', async () => {
    const workspace = open()
    const cases: [from: string, to: string, code: string, overwrite?: boolean][] = [
      ['missing', 'x', 'ENOENT'],
      ['missing', 'new/x', 'ENOENT'],
      ['dir', 'dir/sub/dir', 'EINVAL', true],
      ['dir', 'dir/new', 'EINVAL'],
      ['.', 'dir/x', 'EINVAL'],
      ['/workspace', 'x', 'EINVAL'],
      ['a.txt', '.', 'EEXIST'],
      ['a.txt', '.', 'EBUSY', true],
      ['a.txt', 'b.txt', 'EEXIST'],
      ['a.txt', 'dir', 'EEXIST'],
      ['a.txt', 'dir', 'EISDIR', true],
      ['dir', 'a.txt', 'ENOTDIR', true],
      ['dir', 'other', 'ENOTEMPTY', true],
      ['a.txt', 'b.txt/x', 'ENOTDIR'],
      ['a.txt', 'new/', 'ENOENT'],
      ['a.txt/', 'new', 'ENOTDIR'],
    ]
    for (const [from, to, code, overwrite = false] of cases) {
      await expect(workspace.move(from, to, { overwrite }), `${from} to ${to}`).rejects.toMatchObject({ code })
      expect(await workspace.files()).toEqual(FILES)
      expect(await workspace.exists('new'), `${from} to ${to}`).toBe(false)
    }
  })

  it('onto itself changes nothing', async () => {
    const workspace = open()
    const expected = { from: '/workspace/a.txt', to: '/workspace/a.txt', kind: 'file', replaced: false }
    expect(await workspace.move('a.txt', './dir/../a.txt')).toEqual(expected)
    expect(await workspace.files()).toEqual(FILES)
  })

  it('replaces a file by a file and an empty directory by a directory', async () => {
    const workspace = open()
    expect(await workspace.move('a.txt', 'b.txt', { overwrite: true })).toMatchObject({ replaced: true })
    await workspace.mkdir('empty')
    expect(await workspace.move('dir', 'empty', { overwrite: true })).toMatchObject({ replaced: true })
    expect(await workspace.files()).toEqual({ 'b.txt': 'a', 'empty/c.txt': 'c', 'empty/sub/d.txt': 'd', 'other/e.txt': 'e' })
  })

  it('moves a link and not its target, even if the link dangles', async () => {
    const { workspace, fs } = createTestWorkspace({ files: FILES })
    for (const [name, target] of Object.entries({ good: 'a.txt', gone: 'missing', loop: 'loop', out: '../../etc/passwd' })) {
      await fs.symlink?.(target, `/${name}`)
      const moved = await workspace.locked([name, `x/${name}`], (locked) => locked.move(name, `x/${name}`))
      expect(moved).toMatchObject({ kind: 'symlink', to: `/workspace/x/${name}` })
      expect(await workspace.readlink(`x/${name}`)).toBe(target)
    }
    await workspace.move('b.txt', 'x/good', { overwrite: true })
    expect(await workspace.files()).toEqual({ ...omit(FILES, 'b.txt'), 'x/good': 'bb' })
  })
})

describe('moving a link onto its own target', () => {
  it.each(['move', 'copy'] as const)('is rejected because only the link would remain: %s', async (call) => {
    const workspace = open()
    await workspace.symlink('a.txt', 'l1')
    await workspace.symlink('l1', 'l2')
    await workspace.symlink('../a.txt', 'dir/far')
    for (const [from, to] of [
      ['l1', 'a.txt'],
      ['l2', 'a.txt'],
      ['l2', 'l1'],
      ['dir/far', 'a.txt'],
    ] as const) {
      await expect(workspace[call](from, to, { overwrite: true })).rejects.toMatchObject({
        code: 'EINVAL',
        detail: expect.stringContaining('the same'),
      })
    }
    expect(await workspace.files()).toMatchObject(FILES)
    // Overwriting another symlink, or a symlink with its target file, loses no content.
    await workspace[call]('dir/far', 'l2', { overwrite: true })
    await workspace[call]('a.txt', 'l1', { overwrite: true })
    expect((await workspace.readText('l1')).text).toBe('a')
  })
})

describe('moving a link that cannot be resolved', () => {
  it.each(['move', 'copy'] as const)('is rejected where it may lead: %s', async (call) => {
    const { workspace, fs } = createTestWorkspace({ files: FILES })
    await workspace.symlink('a.txt', 'c0')
    for (let i = 1; i <= 45; i++) await fs.symlink?.(`c${i - 1}`, `/c${i}`)
    await expect(workspace[call]('c45', 'a.txt', { overwrite: true })).rejects.toMatchObject({ code: 'ELOOP' })
    expect(await workspace.files()).toMatchObject(FILES)
  })

  it.each(['move', 'copy'] as const)('replaces a file that it certainly does not lead to: %s', async (call) => {
    const { workspace, fs } = createTestWorkspace({ files: FILES })
    const links = { gone: 'missing/x', below: 'b.txt/x', out: '../../etc/passwd', self: 'self', there: 'back', back: 'dir/../there' }
    for (const [name, target] of Object.entries(links)) await fs.symlink?.(target, `/${name}`)
    const paths = Object.keys(links).map((name) => [name, `/workspace/${name}`] as const)
    await workspace.locked([...paths.map(([, path]) => path), 'a.txt'], async (locked) => {
      for (const [name] of paths) {
        if (name === 'back') continue
        await locked[call](name, 'a.txt', { overwrite: true })
        expect(await workspace.readlink('a.txt')).toBe(links[name as keyof typeof links])
      }
    })
  })
})

describe('copy', () => {
  it('copies files, links as links, and directories recursively', async () => {
    const workspace = open()
    await workspace.symlink('../a.txt', 'dir/link')
    await workspace.symlink('missing', 'dir/gone')
    await workspace.setMeta('dir/c.txt', { mode: 0o755 })
    await workspace.copy('dir', 'new/copy')
    expect(await workspace.readlink('new/copy/link')).toBe('../a.txt')
    expect(await workspace.readlink('new/copy/gone')).toBe('missing')
    expect((await workspace.stat('new/copy/c.txt')).mode).toBe(0o755)
    await workspace.writeText('new/copy/c.txt', 'changed')
    expect(await workspace.files()).toEqual({ ...FILES, 'new/copy/c.txt': 'changed', 'new/copy/sub/d.txt': 'd' })
  })

  it('rejects invalid copies and changes nothing', async () => {
    const workspace = open()
    const cases: [from: string, to: string, code: string, overwrite?: boolean][] = [
      ['missing', 'new/x', 'ENOENT'],
      ['a.txt', 'a.txt', 'EINVAL', true],
      ['a.txt', './a.txt', 'EINVAL'],
      ['dir', 'dir/sub/copy', 'EINVAL'],
      ['.', 'copy', 'EINVAL'],
      ['a.txt', 'b.txt', 'EEXIST'],
      ['dir', 'other', 'EEXIST', true],
      ['dir', 'a.txt', 'EEXIST', true],
      ['a.txt', 'dir', 'EISDIR', true],
      ['a.txt', 'b.txt/x', 'ENOTDIR'],
      ['a.txt', 'new/', 'ENOENT'],
    ]
    for (const [from, to, code, overwrite = false] of cases) {
      await expect(workspace.copy(from, to, { overwrite }), `${from} to ${to}`).rejects.toMatchObject({ code })
      expect(await workspace.files()).toEqual(FILES)
      expect(await workspace.exists('new'), `${from} to ${to}`).toBe(false)
    }
  })

  it('replaces a link by a file and a file by a link, and keeps the link’s target', async () => {
    const workspace = open()
    await workspace.symlink('a.txt', 'link')
    await workspace.copy('b.txt', 'link', { overwrite: true })
    expect((await workspace.lstat('link')).kind).toBe('file')
    await workspace.symlink('a.txt', 'link2')
    await workspace.copy('link2', 'b.txt', { overwrite: true })
    expect(await workspace.readlink('b.txt')).toBe('a.txt')
    expect(await workspace.files()).toEqual({ ...omit(FILES, 'b.txt'), link: 'bb' })
  })

  it('leaves nothing of a directory whose copy fails', async () => {
    const { workspace, fs } = createTestWorkspace({ files: FILES })
    const copy = fs.copy as NonNullable<typeof fs.copy>
    let copies = 0
    Object.assign(fs, { copy: (from: string, to: string) => (++copies === 2 ? Promise.reject(new Error('torn cable')) : copy(from, to)) })
    await expect(workspace.copy('dir', 'new/copy')).rejects.toMatchObject({ code: 'EIO' })
    expect(await workspace.exists('new')).toBe(false)
  })
})

function omit(files: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([key]) => key !== name))
}
