import { describe, expect, it } from 'vitest'
import type { Bench } from './harness.js'

type Open = (files: Record<string, string | Uint8Array>) => Promise<Bench>

/** Cases for the text style that writes and edits keep, and for their rejections, for every storage. */
export function keptTextCases(open: Open): void {
  describe('write_file keeps the style of a text', () => {
    it.each([
      ['keeps CRLF', 'a\r\nb\r\n', { content: 'x\ny\n' }, 'x\r\ny\r\n', ['crlf']],
      ['keeps CRLF if the content has it only in part', 'a\r\n', { content: 'x\r\ny\n' }, 'x\r\ny\r\n', ['crlf']],
      ['keeps CRLF if the content has it', 'a\r\n', { content: 'x\r\ny' }, 'x\r\ny', undefined],
      ['keeps a byte order mark', '\ufeffa\n', { content: 'x\n' }, '\ufeffx\n', ['bom']],
      ['does not double a byte order mark', '\ufeffa\n', { content: '\ufeffx\n' }, '\ufeffx\n', undefined],
      ['keeps CRLF and a byte order mark', '\ufeffa\r\n', { content: 'x\n' }, '\ufeffx\r\n', ['crlf', 'bom']],
      ['appends with CRLF', 'a\r\n', { content: 'x\ny\n', mode: 'append' }, 'a\r\nx\r\ny\r\n', ['crlf']],
      ['appends without a second byte order mark', '\ufeffa\n', { content: 'x\n', mode: 'append' }, '\ufeffa\nx\n', undefined],
      ['appends no byte order mark', 'a\n', { content: '\ufeffx\n', mode: 'append' }, 'a\nx\n', undefined],
      ['starts an empty file with a byte order mark', '', { content: '\ufeffx\n', mode: 'append' }, '\ufeffx\n', undefined],
      ['appends a byte order mark with as_is', 'a\n', { content: '\ufeffx\n', mode: 'append', eol: 'as_is' }, 'a\n\ufeffx\n', undefined],
      ['writes LF over mixed line endings', 'a\r\nb\n', { content: 'x\ny\n' }, 'x\ny\n', undefined],
      ['writes CRLF over LF unchanged', 'a\nb\n', { content: 'x\r\ny\n' }, 'x\r\ny\n', undefined],
      ['keeps a lone CR', 'a\r\n', { content: 'x\ry\n' }, 'x\ry\r\n', ['crlf']],
      ['converts all line endings to LF', '\ufeffa\r\n', { content: 'x\r\ny\n', eol: 'lf' }, '\ufeffx\ny\n', ['bom']],
      ['converts all line endings to CRLF', 'a\n', { content: 'x\ny\r\n', eol: 'crlf' }, 'x\r\ny\r\n', undefined],
      ['writes exactly the content', '\ufeffa\r\n', { content: 'x\n', eol: 'as_is' }, 'x\n', undefined],
      ['appends exactly the content', 'a\r\n', { content: 'x\n', mode: 'append', eol: 'as_is' }, 'a\r\nx\n', undefined],
    ])('%s', async (_, before, input, after, kept) => {
      const { ok, files } = await open({ f: before })
      expect((await ok('write_file', { path: 'f', ...input })).kept).toEqual(kept)
      expect(await files()).toEqual({ f: after })
    })

    it('write_file reports that mixed line ends are not kept, unless mixed ones were requested', async () => {
      const { ok, read } = await open({ f: 'a\r\nb\n', g: 'a\r\nb\n', h: 'a\r\nb\n' })
      expect(await read('write_file', { path: 'f', content: 'x\n' })).toContain('mixed line endings replaced by those of content')
      expect(await ok('write_file', { path: 'f', content: 'x\n' })).not.toHaveProperty('mixed')
      expect(await ok('write_file', { path: 'g', content: 'x\n', eol: 'lf' })).not.toHaveProperty('mixed')
      expect(await ok('write_file', { path: 'h', content: 'x\n' })).toMatchObject({ mixed: true })
    })

    it.each([
      ['Shift-JIS', [0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x0a]],
      ['Latin-1', [0x63, 0x61, 0x66, 0xe9, 0x0a]],
      ['UTF-16 with a byte order mark', [0xff, 0xfe, 0x61, 0, 0x0a, 0]],
      ['UTF-16 without a byte order mark', [0x61, 0, 0x0a, 0]],
      ['an image', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
      ['UTF-8 that is cut off', [0x61, 0xc3]],
    ])('write_file appends bytes, but no text, to %s', async (_, content) => {
      const before = new Uint8Array(content)
      const { fail, ok, read, files, runtime } = await open({ f: before })
      const { output, error } = await fail('write_file', { path: 'f', content: 'x\n', mode: 'append' })
      expect(output).toMatchObject({ code: 'binary_file', recoverable: true })
      expect(error).toContain('Append bytes in its own encoding with encoding "base64"')
      expect((await runtime.workspace.readBytes('f')).bytes).toEqual(before)
      expect(await ok('write_file', { path: 'f', content: 'AAA=', encoding: 'base64', mode: 'append' })).toMatchObject({
        bytes_after: before.length + 2,
      })
      const encoding = await ok('write_file', { path: 'f', content: 'AP8=', encoding: 'base64' })
      expect(encoding).not.toHaveProperty('converted')
      expect(await read('write_file', { path: 'f', content: 'text\n' })).toContain('(2 to 5 bytes, previously not UTF-8 text)')
      expect(await ok('write_file', { path: 'f', content: 'text\n' })).not.toHaveProperty('converted')
      expect(await files()).toEqual({ f: 'text\n' })
    })

    it('write_file rejects NUL in text', async () => {
      const { ok, fail, files } = await open({ f: 'a\n' })
      for (const [path, mode] of [
        ['f', 'append'],
        ['f', 'overwrite'],
        ['g', 'create'],
      ])
        expect((await fail('write_file', { path, content: 'x\0', mode })).error).toContain('a NUL character')
      await ok('write_file', { path: 'g', content: 'eAA=', encoding: 'base64' })
      expect(await files()).toEqual({ f: 'a\n', g: 'x\0' })
    })
  })

  describe('an edit is not stale if the content is unchanged', () => {
    const edit = (path: string, old_string: string, new_string: string): unknown => ({ path, edits: [{ old_string, new_string }] })
    const long = `${'x\n'.repeat(2_200_000)}one\n`
    const touch = ({ runtime }: Bench): Promise<void> => runtime.workspace.setMeta('f', { mtimeMs: 1000 })

    it.each<[string, string, (bench: Bench) => Promise<unknown>]>([
      ['a new time', 'one\n', touch],
      ['equal bytes', 'one\n', ({ runtime }) => runtime.workspace.writeText('f', 'one\n')],
      [
        'a new time after an append',
        '',
        async (bench) => {
          await bench.ok('write_file', { path: 'f', content: 'one\n', mode: 'append' })
          await touch(bench)
        },
      ],
      ['a new time of a long file', long, touch],
      [
        'a new time of a long file after an append',
        long.slice(0, -4),
        async (bench) => {
          await bench.ok('write_file', { path: 'f', content: 'one\n', mode: 'append' })
          await touch(bench)
        },
      ],
    ])('%s', async (_, before, change) => {
      const bench = await open({ f: before })
      await bench.ok('read_file', { path: 'f', limit: 1 })
      await change(bench)
      await bench.ok('edit_file', edit('f', 'one', 'two'))
      const { bytes } = await bench.runtime.workspace.readBytes('f')
      await bench.runtime.workspace.writeBytes('f', bytes)
      await touch(bench)
      await bench.ok('write_file', { path: 'f', content: 'three\n' })
      await bench.runtime.workspace.writeText('f', 'other\n')
      expect((await bench.fail('edit_file', edit('f', 'other', 'x'))).output.code).toBe('ESTALE')
      expect((await bench.fail('write_file', { path: 'f', content: 'x' })).output.code).toBe('ESTALE')
    })
  })

  it.each([
    ['write_file', { path: 'caf\u00e9', content: 'x' }],
    ['edit_file', { path: 'caf\u00e9', edits: [{ old_string: '', new_string: 'x' }] }],
    ['move_file', { from: 'f', to: 'caf\u00e9' }],
    ['apply_patch', { patch: '*** Begin Patch\n*** Update File: f\n*** Move to: caf\u00e9\n*** End Patch' }],
  ])('%s rejects a name that exists in another Unicode form', async (name, input) => {
    const start = { 'cafe\u0301': 'a', f: 'b' }
    const { fail, files } = await open(start)
    expect((await fail(name, input)).output.code).toBe('EEXIST')
    expect(await files()).toEqual(start)
  })

  it('edit_file matches text in another Unicode form, and rejects NUL', async () => {
    const { ok, fail, files } = await open({ f: 're\u0301sume\u0301 1\n' })
    await ok('edit_file', { path: 'f', edits: [{ old_string: 'r\u00e9sum\u00e9 1', new_string: 'r\u00e9sum\u00e9 2' }] })
    expect(await files()).toEqual({ f: 're\u0301sume\u0301 2\n' })
    const nul = { path: 'f', edits: [{ old_string: '2', new_string: '2\0' }] }
    expect((await fail('edit_file', nul)).output.code).toBe('invalid_input')
    expect(await files()).toEqual({ f: 're\u0301sume\u0301 2\n' })
    // The NUL character comes after the part that a read checks for NUL characters.
    const long = await open({ g: `${'x\n'.repeat(10_000)}2\n` })
    expect((await long.fail('edit_file', { ...nul, path: 'g' })).error).toContain('the result would be binary (a NUL character)')
  })
}
