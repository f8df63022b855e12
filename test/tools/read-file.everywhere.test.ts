// @module-tag read-file
import { createRuntime, type FsAdapter, fileTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { bench, benchOver, utf8 } from './harness.js'

const TEN = Array.from({ length: 10 }, (_, i) => `line ${i + 1}`).join('\n')
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])

describe('read_file', () => {
  it('returns numbered lines and the properties of the file', async () => {
    const { ok } = bench({ 'a.txt': 'one\ntwo\n' })
    expect(await ok('read_file', { path: 'a.txt' })).toEqual({
      path: '/workspace/a.txt',
      text: '     1\tone\n     2\ttwo',
      start_line: 1,
      end_line: 2,
      total_lines: 2,
      size: 8,
      eol: 'lf',
      bom: false,
      truncated: false,
    })
  })

  it('leaves out line numbers with `numbered: false`', async () => {
    const { ok } = bench({ 'a.txt': 'one\ntwo' })
    expect((await ok('read_file', { path: 'a.txt', numbered: false })).text).toBe('one\ntwo')
  })

  it('returns all lines across pages', async () => {
    const { ok } = bench({ 'a.txt': TEN })
    const first = await ok('read_file', { path: 'a.txt', limit: 4, numbered: false })
    expect(first).toMatchObject({ start_line: 1, end_line: 4, total_lines: 10, truncated: true, next: { offset: 5 } })
    const second = await ok('read_file', { path: 'a.txt', limit: 4, numbered: false, ...first.next })
    expect(second).toMatchObject({ start_line: 5, end_line: 8, next: { offset: 9 } })
    const third = await ok('read_file', { path: 'a.txt', limit: 4, numbered: false, ...second.next })
    expect(third).toMatchObject({ start_line: 9, end_line: 10, truncated: false })
    expect(third.next).toBeUndefined()
    expect([first.text, second.text, third.text].join('\n')).toBe(TEN)
  })

  it('tells the model where to continue', async () => {
    const { read } = bench({ 'a.txt': TEN })
    expect(await read('read_file', { path: 'a.txt', limit: 1 })).toBe('     1\tline 1\n[Lines 1 to 1 of 10; continue with offset 2]')
    expect(await read('read_file', { path: 'a.txt', offset: 10 })).toBe('    10\tline 10\n[Lines 10 to 10 of 10]')
  })

  it('stops at a whole line when max_bytes is reached', async () => {
    const { ok } = bench({ 'a.txt': TEN })
    expect(await ok('read_file', { path: 'a.txt', max_bytes: 20, numbered: false })).toMatchObject({ end_line: 2, next: { offset: 3 } })
    expect(await ok('read_file', { path: 'a.txt', max_bytes: 1 })).toMatchObject({ end_line: 1, next: { offset: 2 } })
  })

  it.each([
    ['empty', '', { text: '', total_lines: 0, end_line: 0, eol: 'none' }],
    ['only a newline', '\n', { text: '', total_lines: 1, end_line: 1, eol: 'lf' }],
    ['no final newline', 'a', { text: 'a', total_lines: 1, eol: 'none' }],
    ['CRLF', 'a\r\nb\r\n', { text: 'a\nb', total_lines: 2, eol: 'crlf' }],
    ['mixed', 'a\r\nb\n', { text: 'a\nb', total_lines: 2, eol: 'mixed' }],
    ['a text with a lone CR', 'a\rb\n', { text: 'a\rb', total_lines: 1, eol: 'lf' }],
    ['BOM', '\ufeffa\n', { text: 'a', bom: true, size: 5 }],
    ['emoji', '👍🏽 é\n', { text: '👍🏽 é', size: 12 }],
  ])('reads a file that is %s', async (_, content, expected) => {
    const { ok } = bench({ f: content })
    expect(await ok('read_file', { path: 'f', numbered: false })).toMatchObject(expected)
  })

  it('tells the model about a byte order mark', async () => {
    expect(await bench({ f: '\ufeffa\n' }).read('read_file', { path: 'f' })).toBe('     1\ta\n[byte order mark]')
  })

  it('reports an empty file', async () => {
    expect(await bench({ f: '' }).read('read_file', { path: 'f' })).toBe('[The file is empty]')
  })

  it('rejects an offset past the end and names the last line', async () => {
    const { fail } = bench({ 'a.txt': TEN })
    const { error, output } = await fail('read_file', { path: 'a.txt', offset: 11 })
    expect(error).toBe('Cannot read line 11 of "/workspace/a.txt": the file has 10 lines')
    expect(output).toMatchObject({ code: 'invalid_input', total_lines: 10, issues: [{ path: 'offset', message: 'must be at most 10' }] })
  })

  it.each([
    [-1, {}, 'ten', 10, 10],
    [-3, { limit: 2 }, 'eight\nnine', 8, 9],
    [-99, { limit: 1 }, 'one', 1, 1],
  ])('counts offset %i from the end', async (offset, more, text, start_line, end_line) => {
    const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].join('\n')
    const long = 'x'.repeat(2000)
    const { ok } = bench({ 'a.txt': `${words}\n`, open: words, large: `${`${long}\n`.repeat(2400)}${words}\n` })
    const place = { start_line, end_line, total_lines: 10, truncated: end_line < 10 }
    for (const path of ['a.txt', 'open']) {
      expect(await ok('read_file', { path, offset, numbered: false, ...more })).toMatchObject({ text, ...place })
    }
    if (offset === -99) return
    expect(await ok('read_file', { path: 'large', offset, numbered: false, ...more })).toMatchObject({
      text,
      start_line: start_line + 2400,
      total_lines: 2410,
    })
  })

  it('rejects offset 0', async () => {
    const { output } = await bench({ 'a.txt': TEN }).fail('read_file', { path: 'a.txt', offset: 0 })
    expect(output).toMatchObject({ code: 'invalid_input', issues: [{ path: 'offset', message: 'must not be 0' }] })
  })

  it('truncates long lines with a mark, and returns the rest by byte_offset', async () => {
    const long = `${'x'.repeat(2500)}\nshort\n`
    const { ok } = bench({ f: long })
    const { text } = await ok('read_file', { path: 'f', numbered: false })
    expect(text).toBe(`${'x'.repeat(2000)}... [line cut: 500 more characters, continue with byte_offset]\nshort`)
    const rest = await ok('read_file', { path: 'f', byte_offset: 2000, max_bytes: 501 })
    expect(rest).toMatchObject({ text: `${'x'.repeat(500)}\n`, bytes: 501, next: { byte_offset: 2501 } })
  })

  it('splits no character when it truncates a line', async () => {
    const { ok } = bench({ f: `${'x'.repeat(1999)}👍end` })
    expect((await ok('read_file', { path: 'f', numbered: false })).text).toBe(
      `${'x'.repeat(1999)}... [line cut: 5 more characters, continue with byte_offset]`,
    )
  })

  it('reads bytes of a file that reports size 0, like system files', async () => {
    const memory = createMemoryFs({ files: { status: 'Name:\tnode\n' } })
    const fs: FsAdapter = { ...memory, lstat: async (path) => ({ ...(await memory.lstat(path)), size: 0 }) }
    const { ok } = benchOver(createRuntime({ fs, tools: fileTools() }))
    const input = { path: 'status', byte_offset: 3, max_bytes: 4 }
    expect(await ok('read_file', input)).toMatchObject({ text: 'e:\tn', byte_offset: 3, bytes: 4, size: 11, next: { byte_offset: 7 } })
    expect(await ok('read_file', { ...input, byte_offset: 7 })).toMatchObject({ text: 'ode\n', bytes: 4, truncated: false })
    expect(await ok('read_file', { ...input, encoding: 'base64' })).toMatchObject({ base64: 'ZToJbg==', byte_offset: 3, size: 11 })
  })

  it('returns all bytes across pages without splitting a character', async () => {
    const content = 'aé漢👍'.repeat(50)
    const { ok } = bench({ f: content })
    for (const max_bytes of [4, 5, 7, 64]) {
      let text = ''
      for (let next: { byte_offset: number } | undefined = { byte_offset: 0 }; next; ) {
        const page: { text: string; next?: { byte_offset: number } } = await ok('read_file', { path: 'f', max_bytes, ...next })
        text += page.text
        next = page.next
      }
      expect(text).toBe(content)
    }
  })

  it('moves a byte_offset inside a character to its start', async () => {
    const { ok } = bench({ f: 'a漢b' })
    expect(await ok('read_file', { path: 'f', byte_offset: 2 })).toMatchObject({ text: '漢b', byte_offset: 1, truncated: false })
    expect(await ok('read_file', { path: 'f', byte_offset: 99 })).toMatchObject({ text: '', byte_offset: 5, bytes: 0, truncated: false })
  })

  it('returns binary files as base64', async () => {
    const { ok } = bench({ f: new Uint8Array([0, 255, 1, 254]) })
    expect(await ok('read_file', { path: 'f', encoding: 'base64' })).toMatchObject({ base64: 'AP8B/g==', bytes: 4, truncated: false })
    expect(await ok('read_file', { path: 'f', encoding: 'base64', byte_offset: 1, max_bytes: 2 })).toMatchObject({
      base64: '/wE=',
      byte_offset: 1,
      next: { byte_offset: 3 },
    })
  })

  it('returns images as image content', async () => {
    const result = await bench({ 'a.png': PNG }).run('read_file', { path: 'a.png' })
    expect(result).toMatchObject({
      ok: true,
      output: { path: '/workspace/a.png', media_type: 'image/png', size: 12 },
      content: [{ type: 'text' }, { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgoAAAAN' }],
    })
  })

  it('returns the block around a line cap:68', async () => {
    const code = [
      'class A {',
      '    one() {',
      '        if (x) {',
      '            go()',
      '        }',
      '    }',
      '',
      '    two() {}',
      '}',
      '',
    ].join('\n')
    const { ok } = bench({ 'a.js': code })
    const block = await ok('read_file', {
      path: 'a.js',
      mode: 'indentation',
      indentation: { anchor_line: 4, max_levels: 1 },
      numbered: false,
    })
    expect(block).toMatchObject({
      text: '        if (x) {\n            go()\n        }',
      start_line: 3,
      end_line: 5,
      total_lines: 9,
      truncated: false,
    })
    const whole = await ok('read_file', { path: 'a.js', mode: 'indentation', offset: 4, numbered: false })
    expect(whole).toMatchObject({ start_line: 1, end_line: 9 })
  })

  it('follows a link and returns the path of its target', async () => {
    const { ok, runtime } = bench({ 'real.txt': 'x\n' })
    await runtime.workspace.symlink('real.txt', 'link.txt')
    expect(await ok('read_file', { path: 'link.txt' })).toMatchObject({ path: '/workspace/real.txt', size: 2 })
  })

  it('reads lines of a file too large to be read as a whole cap:69', async () => {
    const line = (i: number): string => `${String(i).padStart(7, '0')} ${'é'.repeat(20)}`
    const count = 120_000
    const { ok } = bench({ big: utf8(`${Array.from({ length: count }, (_, i) => line(i + 1)).join('\n')}\n`) })
    const page = await ok('read_file', { path: 'big', offset: 100_000, limit: 2, numbered: false })
    expect(page).toMatchObject({
      text: `${line(100_000)}\n${line(100_001)}`,
      start_line: 100_000,
      end_line: 100_001,
      total_lines: count,
      next: { offset: 100_002 },
    })
    expect(await ok('read_file', { path: 'big', offset: count, numbered: false })).toMatchObject({ text: line(count), truncated: false })
    expect(await ok('read_file', { path: 'big', limit: 1, numbered: false })).toMatchObject({ text: line(1), start_line: 1 })
  })

  it('reads a large file with a single line', async () => {
    const { ok } = bench({ big: new Uint8Array(20 * 1024 * 1024).fill(0x61) }, { quotas: { fileBytes: 1e9 } })
    const page = await ok('read_file', { path: 'big', numbered: false })
    expect(page).toMatchObject({ total_lines: 1, start_line: 1, end_line: 1, size: 20 * 1024 * 1024 })
    expect(page.text.length).toBeLessThan(2200)
  })
})
