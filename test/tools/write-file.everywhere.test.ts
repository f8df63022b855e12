// @module-tag write-file
import { describe, expect, it } from 'vitest'
import { bench } from './harness.js'
import { keptTextCases } from './kept-text-cases.js'

keptTextCases(async (files) => bench(files))

describe('write_file', () => {
  it('creates a file and its directories, with a diff', async () => {
    const { ok, files } = bench()
    expect(await ok('write_file', { path: 'a/b/c.txt', content: 'hé\n' })).toEqual({
      path: '/workspace/a/b/c.txt',
      created: true,
      bytes_before: 0,
      bytes_after: 4,
      diff: '--- /dev/null\n+++ b/a/b/c.txt\n@@ -0,0 +1 @@\n+hé\n',
    })
    expect(await files()).toEqual({ 'a/b/c.txt': 'hé\n' })
  })

  it('replaces the content of a file', async () => {
    const { ok, files } = bench({ f: 'one\ntwo\n' })
    const output = await ok('write_file', { path: 'f', content: 'one\nthree\n' })
    expect(output).toMatchObject({ created: false, bytes_before: 8, bytes_after: 10 })
    expect(output.diff).toContain('-two\n+three\n')
    expect(await files()).toEqual({ f: 'one\nthree\n' })
  })

  it('appends, also to a missing file', async () => {
    const { ok, files } = bench({ f: 'one' })
    expect(await ok('write_file', { path: 'f', content: '\ntwo\n', mode: 'append' })).toMatchObject({ bytes_before: 3, bytes_after: 8 })
    await ok('write_file', { path: 'g', content: 'new', mode: 'append' })
    expect(await files()).toEqual({ f: 'one\ntwo\n', g: 'new' })
  })

  it('writes bytes from base64, without a diff', async () => {
    const { ok, files } = bench()
    expect(await ok('write_file', { path: 'f', content: 'AP8B', encoding: 'base64' })).toEqual({
      path: '/workspace/f',
      created: true,
      bytes_before: 0,
      bytes_after: 3,
    })
    expect(await files()).toEqual({ f: new Uint8Array([0, 255, 1]) })
  })

  it('writes an empty file', async () => {
    const { ok, files } = bench()
    expect(await ok('write_file', { path: 'f', content: '' })).toMatchObject({ created: true, bytes_after: 0 })
    expect(await files()).toEqual({ f: '' })
  })

  it('rejects an existing file in mode "create"', async () => {
    const { fail, files } = bench({ f: 'old' })
    expect((await fail('write_file', { path: 'f', content: 'new', mode: 'create' })).output).toMatchObject({
      code: 'EEXIST',
      recoverable: true,
    })
    expect(await files()).toEqual({ f: 'old' })
  })

  it.each([
    ['a directory', { path: 'd', content: 'x' }, 'EISDIR'],
    ['a trailing slash', { path: 'new/', content: 'x' }, 'EISDIR'],
    ['a path below a file', { path: 'f/g', content: 'x' }, 'ENOTDIR'],
    ['a path far below a file', { path: 'f/g/h/i', content: 'x' }, 'ENOTDIR'],
    ['bad base64', { path: 'n', content: '*', encoding: 'base64' }, 'invalid_input'],
    ['a lone surrogate', { path: 'n', content: 'a\ud800b' }, 'invalid_input'],
    ['content above the file size limit', { path: 'n', content: 'x'.repeat(101) }, 'EFBIG'],
  ])('rejects %s and changes nothing', async (_, input, code) => {
    const { fail, files } = bench({ f: 'file', 'd/x': '' }, { quotas: { fileBytes: 100 } })
    expect((await fail('write_file', input)).output.code).toBe(code)
    expect(await files()).toEqual({ f: 'file', 'd/x': '' })
  })

  it('writes through a link', async () => {
    const { ok, files, runtime } = bench({ real: 'x' })
    await runtime.workspace.symlink('real', 'link')
    expect(await ok('write_file', { path: 'link', content: 'y' })).toMatchObject({ path: '/workspace/real', created: false })
    expect(await files()).toEqual({ real: 'y' })
    expect((await runtime.workspace.lstat('link')).kind).toBe('symlink')
  })

  it('rejects overwriting a file that changed since it was read, until it is read again', async () => {
    const { ok, fail, files, runtime } = bench({ f: 'one' })
    await ok('read_file', { path: 'f' })
    await runtime.workspace.writeText('f', 'two')
    expect((await fail('write_file', { path: 'f', content: 'three' })).output).toMatchObject({ code: 'ESTALE', recoverable: true })
    expect(await files()).toEqual({ f: 'two' })
    await ok('read_file', { path: 'f' })
    await ok('write_file', { path: 'f', content: 'three' })
    await ok('write_file', { path: 'f', content: 'four' })
    expect(await files()).toEqual({ f: 'four' })
  })

  it('recreates a file that was removed since it was read, after a new read', async () => {
    const { ok, fail, runtime, files } = bench({ f: 'one' })
    await ok('read_file', { path: 'f' })
    await runtime.workspace.remove('f')
    expect((await fail('write_file', { path: 'f', content: 'two' })).output.code).toBe('ESTALE')
    expect((await fail('read_file', { path: 'f' })).output.code).toBe('ENOENT')
    await ok('write_file', { path: 'f', content: 'two' })
    expect(await files()).toEqual({ f: 'two' })
  })

  it('overwrites a changed file that was never read', async () => {
    const { ok, runtime, files } = bench({ f: 'one' })
    await runtime.workspace.writeText('f', 'two')
    await ok('write_file', { path: 'f', content: 'three' })
    expect(await files()).toEqual({ f: 'three' })
  })

  it('keeps the line ends and byte order mark of a file that is compared in pieces', async () => {
    const before = `\ufeff${'é'.repeat(524_287)}\r\n${'x'.repeat(4 * 1024 * 1024)}\r\n`
    const { ok, runtime } = bench({ f: before })
    expect(await ok('write_file', { path: 'f', content: 'new\n', mode: 'append' })).toMatchObject({ kept: ['crlf'] })
    expect((await runtime.workspace.readText('f')).text.slice(-6)).toBe('\nnew\r\n')
    expect(await ok('write_file', { path: 'f', content: 'x\n' })).toMatchObject({ kept: ['crlf', 'bom'], bytes_after: 6 })
  })

  it('tells the model which style it kept', async () => {
    const { read } = bench({ f: '\ufeffa\r\n' })
    expect(await read('read_file', { path: 'f' })).toContain('[CRLF line endings; byte order mark]')
    expect(await read('write_file', { path: 'f', content: 'b\n' })).toContain(
      'Wrote /workspace/f (6 to 6 bytes, kept CRLF line endings and the byte order mark)',
    )
  })

  it('loses no concurrent append', async () => {
    const { ok, files } = bench({ f: '' })
    await Promise.all(Array.from({ length: 50 }, (_, i) => ok('write_file', { path: 'f', content: `${i}\n`, mode: 'append' })))
    const lines = ((await files()).f as string).trim().split('\n')
    expect(lines.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i))
  })
})

it('errors name the operation, and results show file names on one line', async () => {
  const { fail, read } = bench({ f: 'a\n', 'n\nWrote x': 'b\n' })
  expect((await fail('write_file', { path: 'f/x', content: '' })).error).toMatch(/^ENOTDIR: Cannot write "\/workspace\/f\/x"/)
  const path = 'n\nWrote x'
  const shown = '/workspace/n⟨U+000A⟩Wrote x'
  expect(await read('write_file', { path, content: 'c\n' })).toContain(`Wrote ${shown} (`)
  expect(await read('edit_file', { path, edits: [{ old_string: 'c', new_string: 'd' }] })).toContain(`Edited ${shown} (`)
  const patch = '--- "a/n\\nWrote x"\n+++ "b/n\\nWrote x"\n@@ -1 +1 @@\n-d\n+e\n'
  expect(await read('apply_patch', { patch })).toContain(`Updated ${shown}\n`)
  expect(await read('move_file', { from: path, to: 'g\nh' })).toBe(`Moved file ${shown} to /workspace/g⟨U+000A⟩h`)
  expect(await read('delete_file', { path: 'g\nh' })).toBe('Removed file /workspace/g⟨U+000A⟩h')
})
