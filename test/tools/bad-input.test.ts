// @module-tag runtime
import { toModelText } from 'toolport'
import { describe, expect, it } from 'vitest'
import { bench, utf8 } from './harness.js'

const START = {
  'f.txt': 'one\ntwo\n',
  'd/x.txt': 'x',
  'bin.dat': new Uint8Array([1, 0, 255]),
  'latin.txt': new Uint8Array([0xe9, 0x0a]),
}

// Invalid input for every tool: [tool, input, code, paths of the issues].
const CASES: readonly [string, unknown, string, (readonly string[])?][] = [
  ...['read_file', 'write_file', 'edit_file', 'delete_file'].flatMap((tool): [string, unknown, string, string[]?][] => [
    [tool, {}, 'invalid_input'],
    [tool, null, 'invalid_input'],
    [tool, 'f.txt', 'invalid_input'],
    [tool, ['f.txt'], 'invalid_input'],
    [tool, '{"path":"f.txt"}', 'invalid_input'],
  ]),
  ['read_file', { path: 7 }, 'invalid_input', ['path']],
  ['read_file', { path: 'f.txt', limit: '5' }, 'invalid_input', ['limit']],
  ['read_file', { path: 'f.txt', limit: 0 }, 'invalid_input', ['limit']],
  ['read_file', { path: 'f.txt', limit: 10_001 }, 'invalid_input', ['limit']],
  ['read_file', { path: 'f.txt', limit: 1.5 }, 'invalid_input', ['limit']],
  ['read_file', { path: 'f.txt', offset: -1.5 }, 'invalid_input', ['offset']],
  ['read_file', { path: 'f.txt', offset: Number.NaN }, 'invalid_input', ['offset']],
  ['read_file', { path: 'f.txt', mode: 'all' }, 'invalid_input', ['mode']],
  ['read_file', { path: 'f.txt', file: 1, line: 2 }, 'invalid_input', ['file', 'line']],
  ['read_file', { path: 'f.txt', indentation: { anchor: 1 } }, 'invalid_input', ['indentation.anchor']],
  ['read_file', { path: 'f.txt', byte_offset: 1, offset: 2 }, 'invalid_input', ['byte_offset']],
  ['read_file', { path: 'nope.txt' }, 'ENOENT'],
  ['read_file', { path: 'd' }, 'EISDIR'],
  ['read_file', { path: 'f.txt/' }, 'ENOTDIR'],
  ['read_file', { path: 'f.txt/x' }, 'ENOTDIR'],
  ['read_file', { path: 'bin.dat' }, 'binary_file'],
  ['read_file', { path: 'latin.txt' }, 'binary_file'],
  ['read_file', { path: '' }, 'invalid_path'],
  ['read_file', { path: 'a\0b' }, 'invalid_path'],
  ['write_file', { path: 'n' }, 'invalid_input', ['content']],
  ['write_file', { path: 'n', content: 5 }, 'invalid_input', ['content']],
  ['write_file', { path: 'n', content: 'x', mode: 'w' }, 'invalid_input', ['mode']],
  ['edit_file', { path: 'f.txt', edits: 'x' }, 'invalid_input', ['edits']],
  ['edit_file', { path: 'f.txt', edits: [{ old_string: 'one' }] }, 'invalid_input', ['edits[0].new_string']],
  [
    'edit_file',
    { path: 'f.txt', edits: [{ old_string: 1, new_string: 2, all: true }] },
    'invalid_input',
    ['edits[0].old_string', 'edits[0].new_string', 'edits[0].all'],
  ],
  ['list_files', { recursive: 'yes' }, 'invalid_input', ['recursive']],
  ['glob', {}, 'invalid_input', ['pattern']],
  ['glob', { pattern: 5 }, 'invalid_input', ['pattern']],
  ['grep', { pattern: 'x', output: 'lines' }, 'invalid_input', ['output']],
  ['grep', { pattern: 'x', path: 'nope' }, 'ENOENT'],
  ['grep', { pattern: 'x', before: -1 }, 'invalid_input', ['before']],
  ['move_file', { from: 'f.txt' }, 'invalid_input', ['to']],
  ['delete_file', { path: 'd' }, 'ENOTEMPTY'],
]

describe('bad input', () => {
  it.each(CASES)('%s %j is %s', async (tool, input, code, places) => {
    const { run, files } = bench(START)
    const result = await run(tool, input)
    expect(result).toMatchObject({ ok: false, output: { code, tool } })
    if (!result.ok && places) expect(result.output.issues?.map(({ path }) => path)).toEqual(places)
    expect(await files()).toEqual(START)
  })

  it('glob accepts a thousand patterns', async () => {
    const globs = Array.from({ length: 1001 }, () => 'a')
    const { fail, ok } = bench(START)
    expect((await fail('glob', { pattern: globs })).error).toContain('pattern: expected at most 1000 items, got 1001')
    expect((await fail('grep', { pattern: 'x', glob: globs })).error).toContain('glob: expected at most 1000 items, got 1001')
    await ok('glob', { pattern: globs.slice(1) })
  })

  it('an unknown field is answered with the existing ones', async () => {
    expect(await bench(START).read('read_file', { file_path: 'f.txt' })).toContain('"path"')
  })

  it('read_file reads 40 MB page by page, and edit_file rejects it', async () => {
    const size = 40_000_000
    const big = new Uint8Array(size).fill(0x61)
    for (let i = 99; i < size; i += 100) big[i] = 10
    const { ok, fail } = bench({ big })
    expect(await ok('read_file', { path: 'big', offset: 300_000, limit: 1 })).toMatchObject({ total_lines: size / 100, size })
    expect(await ok('read_file', { path: 'big', byte_offset: size - 2, max_bytes: 10 })).toMatchObject({ bytes: 2, truncated: false })
    expect((await fail('edit_file', { path: 'big', edits: [{ old_string: 'a', new_string: 'b' }] })).output.code).toBe('EFBIG')
    const block = { path: 'big', mode: 'indentation', offset: 300_000, limit: 3 }
    expect(await ok('read_file', block)).toMatchObject({ start_line: 299_999, end_line: 300_001, total_lines: size / 100 })
    expect((await fail('read_file', { ...block, offset: 400_001 })).output.issues).toMatchObject([{ path: 'indentation.anchor_line' }])
    // Lines of larger files are not counted, but the indentation mode needs their number.
    const larger = bench({ big: new Uint8Array(64 * 1024 * 1024 + 1).fill(0x61) })
    expect((await larger.fail('read_file', { path: 'big', mode: 'indentation' })).output.code).toBe('EFBIG')
  })

  it('the model text stays within its limit and says what was cut', async () => {
    const { run } = bench({ f: utf8('0123456789abcdef\n'.repeat(8000)) })
    const text = toModelText(await run('read_file', { path: 'f', limit: 8000 }))
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(65_536)
    expect(text).toMatch(/\d+ bytes/)
  })
})
