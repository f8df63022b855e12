// @module-tag read-file
import { createWorkspace, type FsAdapter } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createTestWorkspace } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { withoutMethods } from './slow-fs.js'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('text', () => {
  it('keeps line ends, final newline and every character in a round trip', async () => {
    const { workspace } = createTestWorkspace()
    for (const text of ['', '\n', 'a', 'a\n', 'a\r\nb\r\n', 'a\rb', 'a\r\nb\nc\r', '\u{1f600}naïve\u2028', '\t \v', 'a'.repeat(100_000)]) {
      await workspace.writeText('file', text)
      expect(await workspace.readText('file')).toMatchObject({ text, bom: false, size: utf8(text).length })
    }
  })

  it('larger than one decoding step survives a round trip or is rejected as binary', async () => {
    const { workspace } = createTestWorkspace()
    const STEP = 512 * 1024
    for (const pad of ['', 'x', 'xx', 'xxx']) {
      const text = pad + '😀→é\n'.repeat(STEP / 8)
      await workspace.writeText('file', text, { bom: true })
      expect(await workspace.readText('file')).toMatchObject({ bom: true, size: utf8(text).length + 3 })
      expect((await workspace.readText('file')).text === text).toBe(true)
    }
    for (const at of [0, STEP - 1, STEP, 2 * STEP]) {
      const bytes = new Uint8Array(2 * STEP + 1).fill(0x61)
      bytes[at] = 0xf0
      await workspace.writeBytes('file', bytes)
      await expect(workspace.readText('file')).rejects.toMatchObject({ code: 'binary_file', detected: 'application/octet-stream' })
    }
  })

  it('is returned without its byte order mark, which is reported', async () => {
    const { workspace } = createTestWorkspace({ files: { bom: '\ufeffx\r\n', only: '\ufeff', two: '\ufeff\ufeffx' } })
    expect(await workspace.readText('bom')).toMatchObject({ text: 'x\r\n', bom: true, size: 6 })
    expect(await workspace.readText('only')).toMatchObject({ text: '', bom: true, size: 3 })
    expect(await workspace.readText('two')).toMatchObject({ text: '\ufeffx', bom: true })
    const written = await workspace.writeText('bom', 'y', { bom: true })
    expect(written).toMatchObject({ bytesBefore: 6, bytesAfter: 4 })
    expect((await workspace.readBytes('bom')).bytes).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf, 0x79))
    await workspace.writeText('bom', 'y')
    expect(await workspace.readText('bom')).toMatchObject({ text: 'y', bom: false })
  })

  it('is rejected for binary content with the detected type', async () => {
    const binaries: [bytes: Uint8Array, detected: string][] = [
      [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), 'image/png'],
      [Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), 'image/jpeg'],
      [utf8('GIF89a'), 'image/gif'],
      [Uint8Array.of(0x1f, 0x8b, 8), 'application/gzip'],
      [Uint8Array.of(0x50, 0x4b, 3, 4), 'application/zip'],
      [Uint8Array.of(0xff, 0xfe, 0x61, 0), 'text/plain; charset=utf-16le'],
      [utf8('text\0text'), 'application/octet-stream'],
      [Uint8Array.of(0x61, 0xff), 'application/octet-stream'],
      [Uint8Array.of(0xc3), 'application/octet-stream'],
      [Uint8Array.of(0xed, 0xa0, 0x80), 'application/octet-stream'],
      [Uint8Array.of(0xc0, 0xaf), 'application/octet-stream'],
    ]
    const { workspace } = createTestWorkspace()
    for (const [bytes, detected] of binaries) {
      await workspace.writeBytes('file', bytes)
      await expect(workspace.readText('file'), detected).rejects.toMatchObject({ code: 'binary_file', detected, path: '/workspace/file' })
      expect((await workspace.readBytes('file')).bytes).toEqual(bytes)
    }
  })

  it('text with a lone surrogate is rejected, and nothing is written', async () => {
    const { workspace, files } = createTestWorkspace({ files: { a: 'a' } })
    for (const text of ['\ud800', 'x\udc00y', '\udc00\ud800']) {
      for (const path of ['a', 'new/b']) {
        await expect(workspace.writeText(path, text)).rejects.toMatchObject({ name: 'InputError', code: 'invalid_input' })
      }
    }
    expect(await files()).toEqual({ a: 'a' })
  })

  it('is read in byte ranges', async () => {
    const { workspace } = createTestWorkspace({ files: { a: '0123456789' } })
    const read = async (options: { offset?: number; length?: number }): Promise<string> =>
      new TextDecoder().decode((await workspace.readBytes('a', options)).bytes)
    expect([
      await read({ offset: 8 }),
      await read({ length: 2 }),
      await read({ offset: 20 }),
      await read({ offset: 3, length: 2 }),
    ]).toEqual(['89', '01', '', '34'])
  })

  it('content in files() is returned as text whatever the file is called', async () => {
    const fs = createMemoryFs({ files: { 'a/__proto__': 'x', bin: Uint8Array.of(255), '.gitignore': '*', '.git/x': 'g' } })
    const files = await createWorkspace({ fs }).files()
    expect(Object.keys(files)).toEqual(['.git/x', '.gitignore', 'a/__proto__', 'bin'])
    expect(files.bin).toEqual(Uint8Array.of(255))
  })
})

describe('writeText', () => {
  it('returns path, sizes and version', async () => {
    const { workspace } = createTestWorkspace({ files: { a: '12345' } })
    const first = await workspace.writeText('a', '123')
    expect(first).toMatchObject({ path: '/workspace/a', created: false, bytesBefore: 5, bytesAfter: 3 })
    expect(await workspace.writeText('a', '+', { mode: 'append' })).toMatchObject({ created: false, bytesBefore: 3, bytesAfter: 4 })
    expect(await workspace.writeText('b', 'x', { mode: 'append' })).toMatchObject({ created: true, bytesBefore: 0, bytesAfter: 1 })
    expect(first.version).not.toBe((await workspace.readText('a')).version)
    await expect(workspace.writeText('a', '', { mode: 'create' })).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(workspace.writeText('x/y', '', { parents: false })).rejects.toMatchObject({ code: 'ENOENT', path: '/workspace/x/y' })
  })

  it('appends on a storage without append', async () => {
    const fs: FsAdapter = withoutMethods(createMemoryFs({ files: { a: '1' } }), 'append', 'copy', 'rmTree')
    const workspace = createWorkspace({ fs })
    await workspace.writeText('a', '2', { mode: 'append' })
    await workspace.copy('a', 'd/e/b')
    expect(await workspace.files()).toEqual({ a: '12', 'd/e/b': '12' })
    await workspace.remove('d', { recursive: true })
    expect(await workspace.files()).toEqual({ a: '12' })
  })

  it('writeText with `expect` rejects a file that changed since it was read', async () => {
    const { workspace, fs, files } = createTestWorkspace({ files: { a: '1', b: '1' } })
    const { version } = await workspace.readText('a')
    await fs.write('/a', utf8('2'))
    const stale = { code: 'ESTALE', path: '/workspace/a' }
    await expect(workspace.writeText('a', '3', { expect: version })).rejects.toMatchObject(stale)
    await expect(workspace.writeText('a', '3', { expect: version, mode: 'append' })).rejects.toMatchObject(stale)
    await workspace.remove('a')
    await expect(workspace.writeText('a', '3', { expect: version })).rejects.toMatchObject(stale)
    expect(await files()).toEqual({ b: '1' })
    const b = await workspace.readText('b')
    const next = await workspace.writeText('b', '2', { expect: b.version })
    await workspace.writeText('b', '3', { expect: next.version })
  })

  it('writeText with `expect` compares size and time on a storage without versions', async () => {
    let now = 1
    const fs = createMemoryFs({ files: { a: '1' }, now: () => now })
    const { lstat } = fs
    const plain: FsAdapter = {
      ...fs,
      lstat: async (path) => {
        const { version: _, ...stat } = await lstat(path)
        return stat
      },
    }
    const workspace = createWorkspace({ fs: plain })
    const { version } = await workspace.readText('a')
    now = 2
    await fs.write('/a', utf8('2'))
    await expect(workspace.writeText('a', '3', { expect: version })).rejects.toMatchObject({ code: 'ESTALE' })
  })
})

describe('a storage that throws unexpected errors', () => {
  const host = '/home/ada/private'
  const thrown: unknown[] = [
    new Error(`ENOENT: no such file, open '${host}/a'`),
    Object.assign(new Error(`EACCES: ${host}`), { code: 'EACCES', path: host }),
    `a string about ${host}`,
    undefined,
    null,
    42,
  ]
  const calls: Record<string, (workspace: ReturnType<typeof createWorkspace>) => Promise<unknown>> = {
    read: (workspace) => workspace.readText('a'),
    write: (workspace) => workspace.writeText('a', 'x'),
    append: (workspace) => workspace.writeText('a', 'x', { mode: 'append' }),
    readdir: (workspace) => workspace.list('.'),
    mkdir: (workspace) => workspace.mkdir('d'),
    unlink: (workspace) => workspace.remove('a'),
    rename: (workspace) => workspace.move('a', 'b'),
    copy: (workspace) => workspace.copy('a', 'b'),
    symlink: (workspace) => workspace.symlink('a', 'b'),
    setMeta: (workspace) => workspace.setMeta('a', { mode: 0o600 }),
    lstat: (workspace) => workspace.stat('a'),
  }

  for (const [method, call] of Object.entries(calls)) {
    it(`gives EIO without a host path (${method})`, async () => {
      for (const error of thrown) {
        const fs = { ...createMemoryFs({ files: { a: 'a' } }), [method]: () => Promise.reject(error) }
        const caught: unknown = await call(createWorkspace({ fs })).catch((reason: unknown) => reason)
        expect(caught).toMatchObject({ name: 'FsError', code: 'EIO' })
        expect((caught as Error).message).toMatch(/^EIO: Cannot [a-z ]+ "\/workspace/)
        expect(JSON.stringify({ ...(caught as Error), cause: undefined, message: (caught as Error).message })).not.toContain(host)
      }
    })
  }

  it('errors contain virtual paths even if the storage has its own', async () => {
    const fs = createMemoryFs({ files: { 'd/a': '' } })
    const workspace = createWorkspace({ fs, root: '/srv/w' })
    for (const attempt of [
      () => workspace.readText('d/x'),
      () => workspace.list('d/a'),
      () => workspace.mkdir('d', { parents: false }),
      () => workspace.readText('d'),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ path: expect.stringMatching(/^\/srv\/w\/d/) })
      await expect(attempt()).rejects.toThrow(/^E[A-Z]+: Cannot [a-z ]+ "\/srv\/w\/d/)
    }
  })

  it('createWorkspace rejects an invalid root or cwd', () => {
    const fs = createMemoryFs()
    for (const root of ['', 'workspace', '/a/', '/a//b', '/a/../b', '/..', '/a/.'])
      expect(() => createWorkspace({ fs, root }), root).toThrow(TypeError)
    for (const cwd of ['/', '/workspace2', 'src', '/workspace/..']) expect(() => createWorkspace({ fs, cwd }), cwd).toThrow(TypeError)
    expect(createWorkspace({ fs, cwd: '/workspace/src' }).resolve('a')).toBe('/workspace/src/a')
    expect(createWorkspace({ fs, root: '/' }).resolve('a')).toBe('/a')
  })
})
