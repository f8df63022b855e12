import type { FsAdapter } from 'toolport'
import { expect, it } from 'vitest'
import fc from '../fast-check.js'
import { loomBench } from './loom-bench.js'

const bytesOf = (text: string): number => new TextEncoder().encode(text).length
const documented = fc.stringMatching(/^[a-zA-Z0-9 \n]{0,1000}$/)
const anyText = fc
  .string({ unit: 'binary', maxLength: 300 })
  .filter((text) => (text as string & { isWellFormed(): boolean }).isWellFormed())
/** Few different characters, so that old texts occur, some of them more than once. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', 'é', '🙂', '$'), maxLength: 3 })
const edit = fc.record({ old_str: word, new_str: word, replace_all: fc.boolean() })

interface Edit {
  readonly old_str: string
  readonly new_str: string
  readonly replace_all: boolean
}

/** The documented behaviour as simple code. */
function expected(content: string, edits: readonly Edit[]): string | undefined {
  let current = content
  for (const { old_str, new_str, replace_all } of edits) {
    const parts = current.split(old_str)
    if (old_str === '') current += new_str
    else if (replace_all || parts.length === 2) current = parts.join(new_str)
    else return undefined
  }
  return current
}

/** Properties that the document promises for any input. `open` returns an empty storage, and `close` deletes it. */
export function loomProperties(
  open: () => Promise<{ readonly fs: FsAdapter; readonly close?: () => Promise<void> }>,
  numRuns: number,
): void {
  async function over(body: (bench: ReturnType<typeof loomBench>) => Promise<void>): Promise<void> {
    const { fs, close } = await open()
    const bench = loomBench({}, { fs, root: '/workspace' })
    try {
      await body(bench)
    } finally {
      await bench.runtime.dispose()
      await close?.()
    }
  }

  it.each([
    ['[a-zA-Z0-9 \\n]{0,1000}', documented],
    ['any text', anyText],
  ])('read_file returns what was written: %s cap:48 cap:24 cap:26', async (_, texts) => {
    await over(async ({ ok, runtime }) => {
      const property = fc.asyncProperty(texts, async (content) => {
        await runtime.workspace.writeText('test.txt', content)
        expect(await ok('read_file', { path: 'test.txt' })).toEqual({ path: '/workspace/test.txt', contents: content, truncated: false })
      })
      await fc.assert(property, { numRuns })
    })
  })

  it('read_file returns the first max_bytes bytes cap:48 cap:25 cap:26', async () => {
    await over(async ({ ok, runtime }) => {
      const property = fc.asyncProperty(fc.uint8Array({ maxLength: 50 }), fc.nat(60), async (bytes, max_bytes) => {
        await runtime.workspace.writeBytes('test.txt', bytes)
        const { contents, truncated } = await ok('read_file', { path: 'test.txt', max_bytes })
        expect(contents).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, max_bytes)))
        expect(truncated).toBe(bytes.length > max_bytes)
      })
      await fc.assert(property, { numRuns })
    })
  })

  it('edit_file edits as documented, all or nothing, and counts bytes cap:48 cap:27 cap:29 cap:30 cap:31', async () => {
    await over(async ({ runtime }) => {
      const content = fc.array(word, { maxLength: 10 }).map((words) => words.join(''))
      const property = fc.asyncProperty(content, fc.array(edit, { maxLength: 4 }), async (before, edits) => {
        await runtime.workspace.writeText('test.txt', before)
        await runtime.execute({ name: 'read_file', input: { path: 'test.txt' } })
        const after = expected(before, edits)
        const result = await runtime.execute({ name: 'edit_file', input: { path: 'test.txt', edits } })
        const counts = { original_bytes: bytesOf(before), new_bytes: bytesOf(after ?? '') }
        if (after === undefined)
          expect(result).toMatchObject({ ok: false, output: { tool_error: { InvalidArguments: expect.any(String) } } })
        else expect(result).toEqual({ ok: true, output: { path: '/workspace/test.txt', edits_applied: edits.length, ...counts } })
        expect((await runtime.workspace.readBytes('test.txt')).bytes).toEqual(new TextEncoder().encode(after ?? before))
      })
      await fc.assert(property, { numRuns })
    })
  })

  it('edit_file can be reverted by the reverse edit cap:48', async () => {
    await over(async ({ ok, runtime }) => {
      const property = fc.asyncProperty(documented, documented, anyText, anyText, async (head, tail, old, replacement) => {
        // Brackets make it likely that each text occurs once.
        const [old_str, new_str] = [`<<${old}>>`, `[[${replacement}]]`]
        const before = `${head}${old_str}${tail}`
        const once = before.split(old_str).length === 2 && `${head}${new_str}${tail}`.split(new_str).length === 2
        // Adding a NUL is rejected, because the file could no longer be read as text.
        fc.pre(once && !(old + replacement).includes('\0'))
        await runtime.workspace.writeText('test.txt', before)
        await ok('read_file', { path: 'test.txt' })
        const there = await ok('edit_file', { path: 'test.txt', edits: [{ old_str, new_str }] })
        const back = await ok('edit_file', { path: 'test.txt', edits: [{ old_str: new_str, new_str: old_str }] })
        expect([back.original_bytes, back.new_bytes]).toEqual([there.new_bytes, there.original_bytes])
        expect((await ok('read_file', { path: 'test.txt' })).contents).toBe(before)
      })
      await fc.assert(property, { numRuns })
    })
  })

  it('no path leaves the workspace cap:48 cap:43 cap:44', async () => {
    await over(async ({ runtime }) => {
      await runtime.workspace.writeText('a/b', 'inside')
      const part = fc.constantFrom(
        '..',
        '.',
        '',
        'a',
        'b',
        'etc',
        'passwd',
        'workspace',
        'workspace2',
        '...',
        '%2e%2e',
        '..\\..',
        '\0',
        '~',
      )
      const path = fc.tuple(fc.boolean(), fc.array(part, { maxLength: 6 })).map(([top, parts]) => (top ? '/' : '') + parts.join('/'))
      const property = fc.asyncProperty(path, async (path) => {
        const results = [
          await runtime.execute({ name: 'read_file', input: { path } }),
          await runtime.execute({ name: 'edit_file', input: { path, edits: [{ old_str: '', new_str: 'x' }] } }),
          await runtime.execute({ name: 'list_files', input: { path } }),
        ]
        for (const { ok, output } of results) {
          const shown = JSON.stringify(ok ? output : output.tool_error)
          if (ok && typeof output === 'object' && output !== null && 'path' in output) expect(output.path).toMatch(/^\/workspace(\/|$)/)
          if (!ok) expect(shown).toMatch(/^{"(FileNotFound|PathOutsideWorkspace|InvalidArguments|Io)":/)
          if (shown.startsWith('{"FileNotFound"')) expect(shown).toMatch(/^{"FileNotFound":"\/workspace(\/|")/)
        }
      })
      await fc.assert(property, { numRuns })
    })
  })
}
