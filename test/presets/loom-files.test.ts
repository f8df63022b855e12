// @module-tag loom
import type { ReadOptions } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { withFaults } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { loomBench } from './loom-bench.js'

const MIB = 1024 * 1024
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('read_file of loom', () => {
  it('reads only what it shows and one more byte cap:24', async () => {
    const fs = withFaults(createMemoryFs({ files: { 'a.txt': 'x'.repeat(3 * MIB) } }), [])
    const { ok } = loomBench({}, { fs, root: '/workspace' })
    expect((await ok('read_file', { path: 'a.txt', max_bytes: 10 })).contents).toBe('x'.repeat(10))
    expect((await ok('read_file', { path: 'a.txt' })).contents.length).toBe(MIB)
    const reads = fs.faults.operations.filter(({ method }) => method === 'read')
    expect(reads.map(({ args }) => (args[1] as ReadOptions).length)).toEqual([11, MIB + 1])
  })

  it('shows a model 1 MiB of any content cap:24 cap:46', async () => {
    const { runtime } = loomBench({ 'a.bin': new Uint8Array(MIB), 'b.bin': new Uint8Array(MIB).fill(0xff) })
    for (const [path, character] of [
      ['a.bin', '\0'],
      ['b.bin', '\ufffd'],
    ] as const) {
      const result = await runtime.execute({ name: 'read_file', input: { path } })
      expect(result.ok && 'content' in result).toBe(false)
      expect(result.ok && JSON.stringify(result.output)).toBe(
        JSON.stringify({ path: `/workspace/${path}`, contents: character.repeat(MIB), truncated: false }),
      )
    }
  })

  it('shows at most 16 MiB cap:46', async () => {
    const { ok } = loomBench({ 'a.txt': 'x'.repeat(16 * MIB + 1) })
    const { contents, truncated } = await ok('read_file', { path: 'a.txt', max_bytes: 1e12 })
    expect([contents.length, truncated]).toEqual([16 * MIB, true])
  })
})

describe('edit_file of loom', () => {
  const text = 'one\r\ntwo\r\n'

  it('writes once for any number of edits cap:27', async () => {
    const fs = withFaults(createMemoryFs({ files: { 'a.txt': text } }), [])
    const { ok, fail } = loomBench({}, { fs, root: '/workspace' })
    const edits = Array.from({ length: 500 }, (_, i) => ({ old_str: '', new_str: `${i}\r\n` }))
    expect((await ok('edit_file', { path: 'a.txt', edits })).edits_applied).toBe(500)
    await fail('edit_file', { path: 'a.txt', edits: [...edits, { old_str: 'nowhere', new_str: '' }] })
    expect(fs.faults.operations.filter(({ changes }) => changes)).toMatchObject([{ method: 'write', path: '/a.txt' }])
  })

  it('applies concurrent edits one after the other cap:27', async () => {
    const { ok } = loomBench()
    const append = (i: number): Promise<unknown> => ok('edit_file', { path: 'a.txt', edits: [{ old_str: '', new_str: `${i}\n` }] })
    await Promise.all(Array.from({ length: 50 }, (_, i) => append(i)))
    const { contents } = await ok('read_file', { path: 'a.txt' })
    expect(contents.split('\n').length).toBe(51)
  })

  it('rejects a file that changed since it was read, but accepts its own changes cap:27', async () => {
    const { ok, fail, runtime } = loomBench({ 'a.txt': text })
    const edits = [{ old_str: 'one', new_str: 'one' }]
    await ok('read_file', { path: 'a.txt' })
    await ok('edit_file', { path: 'a.txt', edits })
    await ok('edit_file', { path: 'a.txt', edits })
    await runtime.workspace.writeText('a.txt', 'one, by somebody else')
    expect(await fail('edit_file', { path: 'a.txt', edits })).toBe(
      'Error: IO error: ESTALE: Cannot edit "/workspace/a.txt": it changed since it was read: read it again',
    )
    expect(await runtime.workspace.files()).toEqual({ 'a.txt': 'one, by somebody else' })
    await runtime.workspace.remove('a.txt')
    await ok('edit_file', { path: 'a.txt', edits: [{ old_str: '', new_str: 'anew' }] })
    expect(await runtime.workspace.files()).toEqual({ 'a.txt': 'anew' })
  })

  it('stops before the file exceeds the size limit cap:46', async () => {
    const { fail, runtime } = loomBench({ 'a.txt': 'aaaaaaaa' })
    const grow = { old_str: 'a', new_str: 'a'.repeat(64), replace_all: true }
    expect(await fail('edit_file', { path: 'a.txt', edits: Array.from({ length: 60 }, () => grow) })).toBe(
      'Error: IO error: EFBIG: Cannot edit "/workspace/a.txt": it would have more than 16777216 characters',
    )
    const append = { old_str: '', new_str: 'x'.repeat(9 * MIB) }
    expect(await fail('edit_file', { path: 'b.txt', edits: [append, append] })).toMatch(/^Error: IO error: EFBIG/)
    expect(await runtime.workspace.files()).toEqual({ 'a.txt': 'aaaaaaaa' })
  })

  it('rejects files that are too large to edit cap:46', async () => {
    const { fail, ok } = loomBench({ 'big.txt': 'x'.repeat(16 * MIB + 1), 'large.txt': `${'x'.repeat(15 * MIB)}end` })
    expect(await fail('edit_file', { path: 'big.txt', edits: [{ old_str: 'x', new_str: 'y', replace_all: true }] })).toBe(
      'Error: IO error: EFBIG: Cannot edit "/workspace/big.txt": 16777217 bytes are more than 16777216',
    )
    expect(await ok('edit_file', { path: 'large.txt', edits: [{ old_str: 'end', new_str: '' }] })).toMatchObject({
      original_bytes: 15 * MIB + 3,
      new_bytes: 15 * MIB,
    })
  })

  it('searches repetitive text in linear time cap:46', async () => {
    const old_str = `${'a'.repeat(50_000)}b${'a'.repeat(50_000)}`
    const { fail, ok } = loomBench({ 'a.txt': 'a'.repeat(MIB), 'b.txt': `${'a'.repeat(MIB)}${old_str}` })
    expect(await fail('edit_file', { path: 'a.txt', edits: [{ old_str, new_str: '' }] })).toMatch(/^Error: Invalid arguments: old_str not/)
    const edits = [{ old_str, new_str: '$&', replace_all: true }]
    expect((await ok('edit_file', { path: 'b.txt', edits })).new_bytes).toBe(MIB + 2)
  })

  it('replaces thousands of matches from left to right cap:30', async () => {
    const { ok } = loomBench({ 'a.txt': 'a'.repeat(10_001), 'b.txt': 'ab'.repeat(4000), 'c.txt': `${'x'.repeat(39)}-\r\n`.repeat(4001) })
    const replaced = async (path: string, old_str: string, new_str: string): Promise<string> => {
      await ok('edit_file', { path, edits: [{ old_str, new_str, replace_all: true }] })
      return (await ok('read_file', { path })).contents
    }
    expect((await replaced('a.txt', 'aa', '$&b')) === `${'$&b'.repeat(5000)}a`).toBe(true)
    expect((await replaced('b.txt', 'ba', '')) === 'ab').toBe(true)
    expect((await replaced('c.txt', `${'x'.repeat(39)}-\r\n`, '$1')) === '$1'.repeat(4001)).toBe(true)
  })

  it('truncates quotes in messages cap:29', async () => {
    const message = await loomBench({ 'a.txt': text }).fail('edit_file', {
      path: 'a.txt',
      edits: [{ old_str: 'x'.repeat(MIB), new_str: '' }],
    })
    expect(message.startsWith('Error: Invalid arguments: old_str not found: xxx')).toBe(true)
    expect(message.length).toBeLessThan(5000)
  })

  it('leaves the file unchanged if the call is aborted cap:27', async () => {
    const { runtime } = loomBench({ 'a.txt': 'ab'.repeat(MIB) })
    const controller = new AbortController()
    const edits = Array.from({ length: 1000 }, () => ({ old_str: 'ab', new_str: 'ba', replace_all: true }))
    const call = runtime.execute({ name: 'edit_file', input: { path: 'a.txt', edits } }, { signal: controller.signal })
    setTimeout(() => controller.abort(), 0)
    const result = await call
    expect(result).toMatchObject({ ok: false, output: { status: 'aborted' } })
    expect((await runtime.workspace.files())['a.txt'] === 'ab'.repeat(MIB)).toBe(true)
  })

  it('applies read-only mode, quotas and path rules cap:11', async () => {
    const edits = [{ old_str: '', new_str: 'xx' }]
    const options = { fs: createMemoryFs(), root: '/workspace' }
    expect(await loomBench({}, { ...options, policy: { readOnly: true } }).fail('edit_file', { path: 'a', edits })).toMatch(
      /^Error: IO error: EROFS: .* "\/workspace\/a"/,
    )
    expect(await loomBench({}, { ...options, quotas: { bytes: 1 } }).fail('edit_file', { path: 'a', edits })).toMatch(
      /^Error: IO error: ENOSPC: .* "\/workspace\/a"/,
    )
    const policy = { paths: [{ paths: 'secret', action: 'deny' }] } as const
    const { fail } = loomBench({}, { ...options, policy })
    expect(await fail('edit_file', { path: 'secret', edits })).toMatch(/^Error: IO error: EACCES: .* "\/workspace\/secret"/)
    expect(await fail('read_file', { path: 'secret/x' })).toMatch(/^Error: IO error: EACCES: .* "\/workspace\/secret\/x"/)
  })
})

describe('list_files of loom', () => {
  it('lists everything, including ignored files, and follows no links cap:37', async () => {
    const { ok, runtime } = loomBench({ '.gitignore': 'dist\n', '.git/HEAD': 'x', 'dist/a.js': utf8('ä'), 'a-b': '', 'a/c': '' })
    await runtime.workspace.symlink('dist', 'link')
    const { files } = await ok('list_files', { recursive: true })
    expect(files.map(({ path, size, is_dir }: { path: string; size: number; is_dir: boolean }) => [path, size, is_dir])).toEqual([
      ['.git', 0, true],
      ['.git/HEAD', 1, false],
      ['.gitignore', 5, false],
      ['a', 0, true],
      ['a/c', 0, false],
      ['a-b', 0, false],
      ['dist', 0, true],
      ['dist/a.js', 2, false],
      ['link', 0, false],
    ])
  })

  it('returns paths that the other tools accept, whatever the cwd cap:37 cap:3', async () => {
    const { ok } = loomBench(
      {},
      { fs: createMemoryFs({ files: { 'sub/a.txt': 'A', 'b.txt': 'B' } }), root: '/workspace', cwd: '/workspace/sub' },
    )
    const found: string[] = []
    for (const path of [undefined, '..']) {
      for (const file of (await ok('list_files', { path })).files) {
        if (!file.is_dir) found.push(file.path, (await ok('read_file', { path: file.path })).contents)
      }
    }
    expect(found).toEqual(['a.txt', 'A', '/workspace/b.txt', 'B'])
  })

  it('lists the target of a named link, and fails if it is aborted cap:37', async () => {
    const { ok, runtime } = loomBench({ 'sub/a.txt': 'x' })
    await runtime.workspace.symlink('sub', 'link')
    expect(await ok('list_files', { path: 'link' })).toEqual({ files: [{ path: 'sub/a.txt', size: 1, is_dir: false }] })
    const controller = new AbortController()
    const memory = createMemoryFs({ files: { 'a/b': '', 'c/d': '' } })
    const fs = withFaults(memory, { fault: () => controller.abort(), when: ({ method, path }) => method === 'readdir' && path === '/c' })
    const { fail } = loomBench({}, { fs })
    expect(await fail('list_files', { recursive: true }, { signal: controller.signal })).toBe(
      'Error: Internal error: Cannot finish "list_files": the call was aborted',
    )
  })

  it('returns at most 10,000 entries cap:46', async () => {
    const { ok } = loomBench(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`f${i}`, ''])))
    expect((await ok('list_files', { max_results: 1e9 })).files.length).toBe(10_000)
  })
})
