// @module-tag zeroclaw
import { createRuntime, type PathRule } from 'toolport'
import { zeroclaw } from 'toolport/presets/zeroclaw'
import { createTestWorkspace } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { done, failed } from './zeroclaw-cases.js'

function bench(files: Record<string, string> = {}, security = {}, paths: readonly PathRule[] = []) {
  const { workspace, host } = createTestWorkspace({ files, policy: { paths } })
  const runtime = createRuntime({ workspace, host, preset: zeroclaw({ security, fileTools: true }) })
  const wire = async (name: string, input: unknown) => {
    const call = { name, input }
    return runtime.toWire(await runtime.execute(call), call)
  }
  const text = async (path: string): Promise<string> => (await workspace.readText(path)).text
  return { runtime, workspace, wire, text }
}

describe('file_write of zeroclaw', () => {
  it('writes the whole file and creates directories', async () => {
    const { wire, text, workspace } = bench({ 'a.txt': 'old' })
    expect(await wire('file_write', { path: 'a.txt', content: 'héllo' })).toEqual(done('Written 6 bytes to a.txt'))
    expect(await wire('file_write', { path: 'x/y/z.txt', content: '' })).toEqual(done('Written 0 bytes to x/y/z.txt'))
    expect(await wire('file_write', { path: 'b.bin', content: 'AAEC', encoding: 'base64' })).toEqual(done('Written 3 bytes to b.bin'))
    expect([await text('a.txt'), await text('x/y/z.txt')]).toEqual(['héllo', ''])
    expect([...(await workspace.readBytes('b.bin')).bytes]).toEqual([0, 1, 2])
  })

  it.each([
    [{ content: 'x' }, "Missing 'path' parameter"],
    [{ path: 'a' }, "Missing 'content' parameter"],
    [{ path: 'a', content: 'x', encoding: 'hex' }, "Invalid 'encoding' parameter: expected utf8 or base64"],
    [{ path: 'a', content: '*', encoding: 'base64' }, 'Cannot write "a": content is not valid base64'],
    [{ path: 'dir', content: 'x' }, 'Failed to write file: Cannot write "/workspace/dir": it is a directory'],
    [{ path: 'link', content: 'x' }, 'Refusing to write through symlink: /workspace/link'],
    [{ path: 'denied', content: 'x' }, 'Path not allowed by security policy: Cannot write "/workspace/denied": private'],
  ])('rejects %j', async (input, error) => {
    const { wire, workspace } = bench({ 'dir/a.txt': 'A' }, {}, [{ paths: 'denied', access: 'write', action: 'deny', reason: 'private' }])
    await workspace.symlink('dir/a.txt', 'link')
    expect(await wire('file_write', input)).toEqual(failed(error))
  })

  it('keeps CRLF and the byte order mark of the file', async () => {
    const { wire, workspace } = bench({ 'a.txt': '\ufeffa\r\n' })
    expect(await wire('file_write', { path: 'a.txt', content: 'x\ny\n' })).toEqual(
      done('Written 9 bytes to a.txt, kept CRLF line endings and the byte order mark'),
    )
    expect(await workspace.files()).toEqual({ 'a.txt': '\ufeffx\r\ny\r\n' })
  })

  it('applies the policy: outside paths, read-only autonomy and rate limit', async () => {
    const { wire } = bench({}, { maxActionsPerHour: 1 })
    expect(await wire('file_write', { path: '/etc/x', content: '' })).toMatchObject({
      success: false,
      error: expect.stringMatching(/^Path not allowed by security policy: ./),
    })
    expect(await wire('file_write', { path: 'a', content: '' })).toEqual(done('Written 0 bytes to a'))
    expect(await wire('file_write', { path: 'a', content: '' })).toEqual(failed('Rate limit exceeded: too many actions in the last hour'))
    expect(await bench({}, { autonomy: 'readonly' }).wire('file_write', { path: 'a', content: '' })).toEqual(
      failed('Action blocked: autonomy is read-only'),
    )
  })

  it('rejects a file that changed since it was read', async () => {
    const { wire, workspace } = bench({ 'a.txt': 'A' })
    await wire('file_read', { path: 'a.txt' })
    await workspace.writeText('a.txt', 'somebody else')
    expect(await wire('file_write', { path: 'a.txt', content: 'B' })).toEqual(
      failed('Failed to write file: Cannot write "/workspace/a.txt": it changed since it was read: read it again'),
    )
  })
})

describe('file_edit of zeroclaw', () => {
  it('replaces the only occurrence and keeps everything else', async () => {
    const { wire, text } = bench({ 'a.txt': 'one\r\ntwo\nthree' })
    const edit = { path: 'a.txt', old_string: 'two', new_string: '$& $1' }
    expect(await wire('file_edit', edit)).toEqual(done('Edited a.txt: replaced 1 occurrence (16 bytes)'))
    expect(await text('a.txt')).toBe('one\r\n$& $1\nthree')
    expect(await wire('file_edit', { path: 'a.txt', old_string: 'one\r\n', new_string: '' })).toMatchObject({ success: true })
    expect(await text('a.txt')).toBe('$& $1\nthree')
  })

  it.each([
    ['finds LF text in a CRLF file', '\ufeffa\r\nb\r\n', 'a\nb', 'x\ny', '\ufeffx\r\ny\r\n'],
    ['writes new lines with CRLF', 'a\r\nb\r\n', 'a', 'x\ny', 'x\r\ny\r\nb\r\n'],
    ['finds LF text in the CRLF part of a mixed file', 'a\r\nb\nc\n', 'a\nb', 'x\ny', 'x\r\ny\nc\n'],
    ['keeps LF in a mixed file', 'a\r\nb\nc\n', 'b\nc', 'x\ny', 'a\r\nx\ny\n'],
  ])('%s, also right after file_write', async (_, before, old_string, new_string, after) => {
    const { wire, text, workspace } = bench({ a: before })
    if (!before.includes('c')) await wire('file_write', { path: 'a', content: 'a\nb\n' })
    expect(await wire('file_edit', { path: 'a', old_string, new_string })).toMatchObject({ success: true })
    expect((await workspace.readText('a')).bom).toBe(after.startsWith('\ufeff'))
    expect(await text('a')).toBe(after.replace('\ufeff', ''))
  })

  it.each([
    [{ old_string: 'a', new_string: 'b' }, "Missing 'path' parameter"],
    [{ path: 'a', new_string: 'b' }, "Missing 'old_string' parameter"],
    [{ path: 'a', old_string: 'b' }, "Missing 'new_string' parameter"],
    [{ path: 'a', old_string: '', new_string: 'b' }, 'old_string must not be empty'],
    [{ path: 'a', old_string: 'x', new_string: 'b' }, 'old_string matches 3 times; must match exactly once'],
    [{ path: 'o', old_string: 'aa', new_string: 'b' }, 'old_string matches 2 times; must match exactly once'],
    [{ path: 'nope', old_string: 'x', new_string: 'b' }, 'Failed to edit file: Cannot edit "/workspace/nope": no such file or directory'],
  ])('rejects %j', async (input, error) => {
    const { wire } = bench({ a: 'x x x', o: 'aaa' })
    expect(await wire('file_edit', input)).toEqual(failed(error))
  })

  it('requires a non-empty old_string in its schema', () => {
    const { inputSchema } =
      bench()
        .runtime.getModelManifest()
        .find(({ name }) => name === 'file_edit') ?? {}
    expect(inputSchema?.properties).toMatchObject({ old_string: { minLength: 1 } })
  })

  it('shows the closest match', async () => {
    const { wire } = bench({ a: 'function f() {\n    return 1\n}\n' })
    expect(await wire('file_edit', { path: 'a', old_string: 'function f() {\n  return 1\n}', new_string: '' })).toMatchObject({
      success: false,
      error: expect.stringMatching(/^old_string not found in file\. Lines 1-3 are the closest match and differ in indentation/),
    })
  })

  it('applies concurrent edits both', async () => {
    const { wire, text } = bench({ a: 'one two' })
    await Promise.all([
      wire('file_edit', { path: 'a', old_string: 'one', new_string: '1' }),
      wire('file_edit', { path: 'a', old_string: 'two', new_string: '2' }),
    ])
    expect(await text('a')).toBe('1 2')
  })
})

it('searches in linear time, with and without a match', async () => {
  const near = `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`
  const { wire, text } = bench({ 'a.txt': 'a'.repeat(400_000), 'b.txt': `x${near}x` })
  expect(await wire('file_edit', { path: 'a.txt', old_string: near, new_string: '' })).toMatchObject({
    success: false,
    error: expect.stringMatching(/^old_string not found in file/),
  })
  expect(await wire('file_edit', { path: 'b.txt', old_string: near, new_string: 'y' })).toMatchObject({ success: true })
  expect(await text('b.txt')).toBe('xyx')
})
