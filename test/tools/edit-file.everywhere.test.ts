// @module-tag edit-file
import { createRuntime, type FsAdapter, fileTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { bench, benchOver, utf8 } from './harness.js'

const edit = (path: string, ...pairs: [string, string, boolean?][]): unknown => ({
  path,
  edits: pairs.map(([old_string, new_string, replace_all]) => ({
    old_string,
    new_string,
    ...(replace_all !== undefined && { replace_all }),
  })),
})

describe('edit_file', () => {
  it('replaces one text and returns sizes and diff', async () => {
    const { ok, files } = bench({ f: 'one\ntwo\nthree\n' })
    expect(await ok('edit_file', edit('f', ['two', 'zwei']))).toEqual({
      path: '/workspace/f',
      created: false,
      replacements: 1,
      levels: ['exact'],
      bytes_before: 14,
      bytes_after: 15,
      diff: '--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n',
    })
    expect(await files()).toEqual({ f: 'one\nzwei\nthree\n' })
  })

  it('applies edits in order, each to the result of the one before', async () => {
    const { ok, files } = bench({ f: 'a\n' })
    await ok('edit_file', edit('f', ['a', 'b'], ['b', 'c']))
    expect(await files()).toEqual({ f: 'c\n' })
  })

  it.each([
    ['a NUL', 'a\n', 'x\0y'],
    ['a NUL far down in the file', `a\n${'b'.repeat(9000)}`, 'c\0', 'b'.repeat(9000)],
    ['the beginning of a PDF', 'a\n', '%PDF-1.7', 'a'],
    ['a NUL in a new file', undefined, 'x\0y', ''],
  ])('rejects %s, because the result would be binary', async (_, before, fresh, old = 'a') => {
    const start: Record<string, string> = before === undefined ? {} : { f: before }
    const { fail, files } = bench(start)
    const { output, error } = await fail('edit_file', edit('f', [old, fresh]))
    expect(output.code).toBe('invalid_input')
    expect(error).toContain('the result would be binary')
    expect(await files()).toEqual(start)
  })

  it('applies all edits or none cap:113', async () => {
    const { fail, files } = bench({ f: 'a\nb\n' })
    const { output } = await fail('edit_file', edit('f', ['a', 'x'], ['nope', 'y']))
    expect(output).toMatchObject({ code: 'no_match', edit: 1, issues: [{ path: 'edits[1].old_string' }] })
    expect(await files()).toEqual({ f: 'a\nb\n' })
  })

  it('rejects an ambiguous old_string and lists the line of each candidate', async () => {
    const { fail, files } = bench({ f: 'x\ny\nx\nz\nx\n' })
    const { output, error } = await fail('edit_file', edit('f', ['x', 'w']))
    expect(output).toMatchObject({ code: 'ambiguous_match', candidates: [1, 3, 5], recoverable: true })
    expect(error).toContain('3')
    expect(await files()).toEqual({ f: 'x\ny\nx\nz\nx\n' })
  })

  it('replaces every occurrence with `replace_all`', async () => {
    const { ok, files } = bench({ f: 'x\ny\nx\n' })
    expect(await ok('edit_file', edit('f', ['x', '$&', true]))).toMatchObject({ replacements: 2 })
    expect(await files()).toEqual({ f: '$&\ny\n$&\n' })
  })

  it('lists each applied tolerance once', async () => {
    const { read } = bench({ f: 'a\r\nb\r\nc\r\nd\r\ne\r\n' })
    const text = await read('edit_file', edit('f', ['a\nb', '1\n2'], ['c\nd', '3\n4'], ['e', '5']))
    expect(text).toMatch(/bytes\)\nMatched with tolerance: eol\n---/)
  })

  it('shows the closest match of an old_string that is not found', async () => {
    const { fail } = bench({ f: 'function alpha() {\n  return 1\n}\n' })
    const { output, error } = await fail('edit_file', edit('f', ['function alpha() {\n  return 2\n}', 'x']))
    expect(output).toMatchObject({ code: 'no_match', nearest: { line: 1 } })
    expect(error).toContain('Lines 1-3 are the closest match')
  })

  it.each([
    ['line endings', 'a\r\nb\r\nc\r\n', ['a\nb', 'x\ny'], 'x\r\ny\r\nc\r\n', 'eol'],
    ['trailing space', 'a  \nb\nc\n', ['a\nb', 'x\ny'], 'x  \ny\nc\n', 'trailing_space'],
    ['quotes', 'say “hi” – now\n', ['say "hi" - now', 'bye'], 'bye\n', 'unicode'],
  ] as const)('matches an old_string whose %s differ, and changes nothing else', async (_, before, [old, fresh], after, level) => {
    const { ok, files } = bench({ f: before })
    expect(await ok('edit_file', edit('f', [old, fresh]))).toMatchObject({ levels: [level] })
    expect(await files()).toEqual({ f: after })
  })

  it('keeps byte order mark, line endings and a missing final newline', async () => {
    const { ok, files } = bench({ f: '\ufeffa\r\nb\nc' })
    expect(await ok('edit_file', edit('f', ['c', 'd\ne']))).toMatchObject({ bytes_before: 9 })
    expect(await files()).toEqual({ f: '\ufeffa\r\nb\nd\ne' })
  })

  it('creates a missing file if old_string is empty', async () => {
    const { ok, fail, files } = bench({ f: '' })
    expect(await ok('edit_file', edit('d/new', ['', 'hi\n']))).toMatchObject({ created: true, bytes_before: 0, bytes_after: 3 })
    expect((await fail('edit_file', edit('f', ['', 'hi']))).output.code).toBe('invalid_input')
    expect((await fail('edit_file', edit('n', ['', 'hi'], ['a', 'b']))).output.code).toBe('invalid_input')
    expect((await fail('edit_file', edit('missing', ['x', 'y']))).output.code).toBe('ENOENT')
    expect(await files()).toEqual({ f: '', 'd/new': 'hi\n' })
  })

  it('returns the diff of a dry run without writing', async () => {
    const { ok, files } = bench({ f: 'a\n' })
    expect(await ok('edit_file', { ...(edit('f', ['a', 'b']) as object), dry_run: true })).toMatchObject({
      dry_run: true,
      bytes_after: 2,
      diff: expect.stringContaining('+b'),
    })
    expect(await ok('edit_file', { ...(edit('n', ['', 'b']) as object), dry_run: true })).toMatchObject({ created: true, dry_run: true })
    expect(await files()).toEqual({ f: 'a\n' })
  })

  it.each([
    ['no edits', { path: 'f', edits: [] }, 'invalid_input'],
    ['a no-op', edit('f', ['a', 'a']), 'invalid_input'],
    ['edits that cancel out', edit('f', ['a', 'b'], ['b', 'a']), 'invalid_input'],
    ['a directory', edit('d', ['a', 'b']), 'EISDIR'],
    ['binary', edit('bin', ['a', 'b']), 'binary_file'],
    ['invalid UTF-8', edit('latin', ['a', 'b']), 'binary_file'],
    ['a lone surrogate', edit('f', ['a', '\udc00']), 'invalid_input'],
    ['a trailing slash', edit('f/', ['a', 'b']), 'ENOTDIR'],
  ])('rejects %s and changes nothing', async (_, input, code) => {
    const start = { f: 'a\n', 'd/x': '', bin: new Uint8Array([97, 0, 255]), latin: new Uint8Array([97, 0xe9, 98]) }
    const { fail, files } = bench(start)
    expect((await fail('edit_file', input)).output.code).toBe(code)
    expect(await files()).toEqual(start)
  })

  it('rejects a file that changed since it was read', async () => {
    const { ok, fail, runtime, files } = bench({ f: 'one\n' })
    await ok('read_file', { path: 'f' })
    await runtime.workspace.writeText('f', 'one one\n')
    expect((await fail('edit_file', edit('f', ['one', 'two']))).output.code).toBe('ESTALE')
    expect(await files()).toEqual({ f: 'one one\n' })
  })

  it('accepts a file that was written or moved by earlier calls', async () => {
    const { ok, files } = bench({ f: 'one\n' })
    await ok('read_file', { path: 'f' })
    await ok('edit_file', edit('f', ['one', 'two']))
    await ok('move_file', { from: 'f', to: 'd/g' })
    await ok('edit_file', edit('d/g', ['two', 'three']))
    expect(await files()).toEqual({ 'd/g': 'three\n' })
  })

  it('runs concurrent edits of one file one after the other', async () => {
    const lines = Array.from({ length: 40 }, (_, i) => `line-${i}.`)
    const { ok, files } = bench({ f: lines.join('\n') })
    await Promise.all(lines.map((line, i) => ok('edit_file', edit('f', [line, `done-${i}.`]))))
    expect(await files()).toEqual({ f: lines.map((_, i) => `done-${i}.`).join('\n') })
  })

  it('stops long edits on abort and writes nothing', async () => {
    const big = 'const a = 1\n'.repeat(600_000)
    const controller = new AbortController()
    const fs = createMemoryFs({ files: { f: big } })
    const read: FsAdapter['read'] = async (...args) => {
      const bytes = await fs.read(...args)
      // The abort only happens during the edit if the edit yields to timers.
      setTimeout(() => controller.abort(), 0)
      return bytes
    }
    const runtime = createRuntime({ fs: { ...fs, read }, tools: fileTools() })
    const edits = Array.from({ length: 3 }, (_, i) => ({ old_string: `${1 + (i % 2)}`, new_string: `${2 - (i % 2)}`, replace_all: true }))
    const call = { name: 'edit_file', input: { path: 'f', edits } }
    const result = await runtime.execute(call, { signal: controller.signal })
    expect(result.output).toMatchObject({ status: 'aborted' })
    expect((await runtime.workspace.files()).f).toBe(big)
  })

  it('rejects more than a thousand edits', async () => {
    const { fail, files } = bench({ f: 'a' })
    const edits = Array.from({ length: 1001 }, (): [string, string] => ['a', 'b'])
    expect((await fail('edit_file', edit('f', ...edits))).output).toMatchObject({ code: 'invalid_input', issues: [{ path: 'edits' }] })
    expect(await files()).toEqual({ f: 'a' })
  })

  it('rejects a file above the size limit for edits', async () => {
    const { fail } = bench({ big: utf8('x'.repeat(17 * 1024 * 1024)) })
    expect((await fail('edit_file', edit('big', ['x', 'y']))).output.code).toBe('EFBIG')
  })
})

it('does not add a second byte order mark', async () => {
  const { ok, runtime } = bench({ f: '\ufeffx\n' })
  await ok('edit_file', { path: 'f', edits: [{ old_string: 'x', new_string: '\ufeffy' }] })
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode((await runtime.workspace.readBytes('f')).bytes)).toBe('\ufeffy\n')
})

describe('edit_file and storage calls', () => {
  const one = { path: 'a.txt', edits: [{ old_string: 'one', new_string: 'two' }] }

  it('are one lstat, one read, one write and one more lstat', async () => {
    const fs = createMemoryFs({ files: { 'a.txt': 'one\n' } })
    const calls: string[] = []
    const watched = new Proxy(fs, {
      get(target, name: keyof FsAdapter) {
        if (typeof target[name] === 'function') calls.push(name)
        return target[name]
      },
    })
    const { ok } = benchOver(createRuntime({ fs: watched, tools: fileTools() }))
    calls.length = 0
    await ok('edit_file', one)
    expect(calls).toEqual(['lstat', 'read', 'write', 'lstat'])
  })

  it('detect a concurrent write, even if the storage has no versions', async () => {
    const fs = createMemoryFs({ files: { 'a.txt': 'one\n' } })
    const unversioned: FsAdapter = {
      ...fs,
      lstat: async (path) => {
        const { version: _, ...stat } = await fs.lstat(path)
        return stat
      },
      read: async (path, options) => {
        const bytes = await fs.read(path, options)
        await fs.write(path, utf8('one, and more\n'))
        return bytes
      },
    }
    const { fail } = benchOver(createRuntime({ fs: unversioned, tools: fileTools() }))
    expect((await fail('edit_file', one)).output).toMatchObject({ code: 'ESTALE' })
    expect(await fs.read('/a.txt')).toEqual(utf8('one, and more\n'))
  })

  it('are not made to write in a dry run, which is allowed in a read-only workspace', async () => {
    const fs = createMemoryFs({ files: { 'a.txt': 'one\n' } })
    for (const policy of [{ readOnly: true }, { paths: [{ paths: 'a.txt', access: 'write', action: 'deny' }] } as const]) {
      const { ok, fail } = benchOver(createRuntime({ fs, policy, tools: fileTools() }))
      expect(await ok('edit_file', { ...one, dry_run: true })).toMatchObject({ dry_run: true })
      expect((await fail('edit_file', one)).output.code).toMatch(/^(EROFS|EACCES)$/)
    }
  })
})
