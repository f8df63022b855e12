// @module-tag facades
import { FsError, type NodeDirent, type NodeFsPromises, type NodeStats, toNodeFs, type Workspace, type WorkspaceOptions } from 'toolport'
import { createTestWorkspace } from 'toolport/testing'
import { describe, expect, it } from 'vitest'

const FILES = { 'a.txt': 'naïve\n', 'dir/b.txt': 'b' }

function open(options: Omit<WorkspaceOptions, 'fs' | 'host'> = {}): { fs: NodeFsPromises; workspace: Workspace } {
  const { workspace } = createTestWorkspace({ files: FILES, ...options })
  return { workspace, fs: toNodeFs(workspace).promises }
}

const code = (name: string): { code: string; name: string } => ({ name: 'FsError', code: name })

describe('toNodeFs', () => {
  it('has promises as an own enumerable property', () => {
    expect(Object.entries(toNodeFs(open().workspace)).map(([key]) => key)).toEqual(['promises'])
  })

  it('reads bytes, or text on request, and rejects unknown encodings', async () => {
    const { fs } = open()
    expect(await fs.readFile('/workspace/a.txt')).toEqual(new TextEncoder().encode('naïve\n'))
    for (const options of ['utf8', 'UTF-8', { encoding: 'utf8' }]) expect(await fs.readFile('a.txt', options)).toBe('naïve\n')
    for (const options of [null, {}, { encoding: null }]) expect(await fs.readFile('a.txt', options)).toBeInstanceOf(Uint8Array)
    expect(await fs.readFile('a.txt', 'base64')).toBe('bmHDr3ZlCg==')
    for (const options of ['base32', { encoding: 'x' }]) {
      await expect(fs.readFile('a.txt', options)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' })
      await expect(fs.writeFile('a.txt', 'x', options)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' })
    }
    expect(await fs.readFile('a.txt', 'utf8')).toBe('naïve\n')
  })

  it('keeps a byte order mark', async () => {
    const { fs } = open()
    await fs.writeFile('bom', '\ufeffx')
    expect(await fs.readFile('bom', 'utf8')).toBe('\ufeffx')
  })

  it('writes with flags and mode', async () => {
    const { fs } = open()
    await fs.writeFile('run.sh', '#!', { mode: 0o777 })
    expect((await fs.stat('run.sh')).mode).toBe(0o100755)
    await fs.writeFile('run.sh', '#', { mode: 0o600 })
    expect((await fs.stat('run.sh')).mode, 'only a new file gets the mode').toBe(0o100755)
    await expect(fs.writeFile('run.sh', '', { flag: 'wx' })).rejects.toMatchObject(code('EEXIST'))
    await fs.writeFile('run.sh', '+', { flag: 'a' })
    expect(await fs.readFile('run.sh', 'utf8')).toBe('#+')
    await expect(fs.writeFile('run.sh', '', { flag: 'r+' })).rejects.toMatchObject(code('ENOTSUP'))
    await fs.appendFile('new', 'x')
    await expect(fs.writeFile('no/dir', '')).rejects.toMatchObject({ ...code('ENOENT'), path: '/workspace/no/dir' })
  })

  it('returns stats like Node', async () => {
    const { fs } = open()
    await fs.symlink('a.txt', 'link')
    const kinds = (stats: Pick<NodeStats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): boolean[] => [
      stats.isFile(),
      stats.isDirectory(),
      stats.isSymbolicLink(),
    ]
    const [file, link, dir] = [await fs.stat('link'), await fs.lstat('link'), await fs.stat('dir')]
    expect([kinds(file), kinds(link), kinds(dir)]).toEqual([
      [true, false, false],
      [false, false, true],
      [false, true, false],
    ])
    expect([file.mode, link.mode, dir.mode]).toEqual([0o100644, 0o120777, 0o040755])
    expect(file.size).toBe(7)
    expect(file.ctimeMs).toBe(file.mtimeMs)
    expect(file.mtime.getTime()).toBe(file.mtimeMs)
    expect(file.ino).toBeGreaterThan(0)
    expect((await fs.stat('a.txt')).ino, 'stable').toBe((await fs.stat('/workspace/./a.txt')).ino)
    expect(kinds((await fs.readdir('.', { withFileTypes: true }))[2] as NodeDirent)).toEqual([false, false, true])
    expect(await fs.readdir('/workspace/.')).toEqual(['a.txt', 'dir', 'link'])
    expect(await fs.readlink('link')).toBe('a.txt')
    expect(await fs.readlink('link', 'buffer')).toEqual(new TextEncoder().encode('a.txt'))
  })

  it('rejects with the codes of Node', async () => {
    const { fs, workspace } = open()
    const failures: [name: string, attempt: () => Promise<unknown>, code: string][] = [
      ['readFile', () => fs.readFile('missing'), 'ENOENT'],
      ['readFile', () => fs.readFile('dir'), 'EISDIR'],
      ['readFile', () => fs.readFile('a.txt/x'), 'ENOTDIR'],
      ['writeFile', () => fs.writeFile('dir', ''), 'EISDIR'],
      ['writeFile', () => fs.writeFile('lone', '\ud800'), 'EINVAL'],
      ['readdir', () => fs.readdir('a.txt'), 'ENOTDIR'],
      ['readdir', () => fs.readdir('missing'), 'ENOENT'],
      ['mkdir', () => fs.mkdir('dir'), 'EEXIST'],
      ['mkdir', () => fs.mkdir('a.txt', { recursive: true }), 'EEXIST'],
      ['mkdir', () => fs.mkdir('x/y'), 'ENOENT'],
      ['mkdir', () => fs.mkdir('/'), 'EEXIST'],
      ['mkdir', () => fs.mkdir('/other', { recursive: true }), 'EACCES'],
      ['rmdir', () => fs.rmdir('dir'), 'ENOTEMPTY'],
      ['rmdir', () => fs.rmdir('a.txt'), 'ENOTDIR'],
      ['rmdir', () => fs.rmdir('missing'), 'ENOENT'],
      ['unlink', () => fs.unlink('dir'), 'EISDIR'],
      ['unlink', () => fs.unlink('missing'), 'ENOENT'],
      ['rm', () => fs.rm('dir'), 'EISDIR'],
      ['rm', () => fs.rm('missing'), 'ENOENT'],
      ['rm', () => fs.rm('.', { recursive: true }), 'EBUSY'],
      ['rename', () => fs.rename('missing', 'x'), 'ENOENT'],
      ['rename', () => fs.rename('dir', 'dir/sub'), 'EINVAL'],
      ['rename', () => fs.rename('a.txt', 'dir'), 'EISDIR'],
      ['rename', () => fs.rename('dir', 'a.txt'), 'ENOTDIR'],
      ['rename', () => fs.rename('a.txt', '/etc/x'), 'EACCES'],
      ['copyFile', () => fs.copyFile('missing', 'x'), 'ENOENT'],
      ['copyFile', () => fs.copyFile('/etc/passwd', 'x'), 'ENOENT'],
      ['readlink', () => fs.readlink('a.txt'), 'EINVAL'],
      ['symlink', () => fs.symlink('x', 'a.txt'), 'EEXIST'],
      ['symlink', () => fs.symlink('/etc/passwd', 'x'), 'EACCES'],
      ['access', () => fs.access('missing'), 'ENOENT'],
      ['stat', () => fs.stat('../../../etc/passwd'), 'ENOENT'],
      ['rm', () => fs.rm('', { recursive: true }), 'ENOENT'],
      ['copyFile', () => fs.copyFile('a.txt', ''), 'ENOENT'],
      ['writeFile', () => fs.writeFile('../x', ''), 'EACCES'],
      ['readFile', () => fs.readFile('/'), 'EISDIR'],
    ]
    for (const [name, attempt, expected] of failures) {
      await expect(attempt(), `${name} ${attempt}`).rejects.toMatchObject(code(expected))
      await expect(attempt()).rejects.toThrow(new RegExp(`^${expected}: `))
    }
    expect(await workspace.files()).toEqual(FILES)
  })

  it('renames and copies over existing files, and removes missing ones with `force`', async () => {
    const { fs, workspace } = open()
    await fs.copyFile('a.txt', 'dir/b.txt')
    await fs.rename('a.txt', 'dir/c.txt')
    await fs.rename('dir/c.txt', 'dir/b.txt')
    await fs.rm('missing', { force: true })
    await fs.mkdir('x/y', { recursive: true })
    await fs.mkdir('x/y', { recursive: true })
    await fs.mkdir('/', { recursive: true })
    await fs.rmdir('x/y')
    await fs.rm('x', { recursive: true })
    await fs.access('dir')
    expect(await workspace.files()).toEqual({ 'dir/b.txt': 'naïve\n' })
    await fs.chmod('dir/b.txt', 0o100600)
    await fs.utimes('dir/b.txt', 0, 12)
    expect(await fs.stat('dir/b.txt')).toMatchObject({ mode: 0o100600, mtimeMs: 12_000 })
  })

  it('rethrows the error of an iterable unchanged', async () => {
    const { fs, workspace } = open()
    for (const mine of [
      Object.assign(new Error('mine'), { code: 'MINE' }),
      new FsError({ code: 'EIO', op: 'read', path: '/x' }),
      'text',
      undefined,
    ]) {
      async function* pieces(): AsyncGenerator<string> {
        yield 'one'
        throw mine
      }
      expect(
        await fs.writeFile('a.txt', pieces()).then(
          () => 'written',
          (error) => error,
        ),
      ).toBe(mine)
      expect(
        await fs.appendFile('new', pieces()).then(
          () => 'written',
          (error) => error,
        ),
      ).toBe(mine)
    }
    expect(await workspace.files()).toEqual(FILES)
  })

  it('treats paths above the root as /, and shows only the parents of the root', async () => {
    const { fs } = open({ root: '/srv/deep/workspace' })
    expect(await fs.readdir('/')).toEqual(['srv'])
    expect(await fs.readdir('../../..')).toEqual(['srv'])
    expect(await fs.readdir('/../../srv/deep')).toEqual(['workspace'])
    expect((await fs.stat('/srv')).isDirectory()).toBe(true)
    expect(await fs.realpath('/srv/deep')).toBe('/srv/deep')
    expect(await fs.readFile('../../../../srv/deep/workspace/dir/b.txt', 'utf8')).toBe('b')
    await expect(fs.stat('/srv/deep/workspace2')).rejects.toMatchObject(code('ENOENT'))
    await expect(fs.rm('/srv', { recursive: true, force: true })).rejects.toMatchObject(code('EACCES'))
  })
})
