// @module-tag loaf
import { loaf } from 'toolport/presets/loaf'
import { createTestRuntime } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import fc from '../fast-check.js'

const open = (files: Readonly<Record<string, string>>) => createTestRuntime({ files, preset: loaf() }).runtime

/** Texts with many line endings of all kinds. */
const anyText = fc
  .array(
    fc.oneof(fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\t', ' ', 'L1: ', '😀', '\ufeff'), fc.string({ unit: 'binary', maxLength: 20 })),
    {
      maxLength: 60,
    },
  )
  .map((parts) => parts.join(''))

describe('properties of the preset cap:48', () => {
  it('slices of read_file joined together are the file, for any size cap:67', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 1, max: 7 }), async (text, limit) => {
        const runtime = open({ 'a.txt': text })
        let back = ''
        for (let offset = 0; ; offset += limit) {
          const result = await runtime.execute({ name: 'read_file', input: { file_path: 'a.txt', offset, limit } })
          if (!result.ok) {
            expect(result.error).toBe('offset exceeds file length')
            break
          }
          for (const [i, line] of String(result.output).split('\n').entries()) {
            const label = `L${offset + i + 1}: `
            expect(line.startsWith(label)).toBe(true)
            back += `${line.slice(label.length)}\n`
          }
        }
        const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`
        const expected = text.endsWith('\r') ? ended : ended.replaceAll('\r\n', '\n')
        // A CR at the end of the text is not a line ending, but a CR before an LF always is.
        expect(back).toBe(text.endsWith('\r') ? `${text.slice(0, -1).replaceAll('\r\n', '\n')}\r\n` : expected)
      }),
    )
  })

  it('a patch that replaces lines replaces exactly these lines cap:73', async () => {
    const word = fc.stringMatching(/^[a-z ]{0,12}$/)
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.array(word, { maxLength: 3 }),
        async (words, at, fresh) => {
          const lines = words.map((text, i) => `${i}:${text}`)
          const index = at % lines.length
          const around = { before: lines.slice(0, index).slice(-2), after: lines.slice(index + 1, index + 3) }
          const input = [
            '*** Begin Patch',
            '*** Update File: a.txt',
            '@@',
            ...around.before.map((line) => ` ${line}`),
            `-${lines[index]}`,
            ...fresh.map((line) => `+${line}`),
            ...around.after.map((line) => ` ${line}`),
            '*** End Patch',
          ].join('\n')
          const runtime = open({ 'a.txt': `${lines.join('\n')}\n` })
          expect(await runtime.call('apply_patch', { input })).toBe('Success. Updated the following files:\nM /workspace/a.txt')
          const expected = lines.toSpliced(index, 1, ...fresh)
          expect(await runtime.workspace.files()).toEqual({ 'a.txt': expected.map((line) => `${line}\n`).join('') })
        },
      ),
    )
  })

  it('no path leads outside in any tool cap:43 cap:44', async () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'a',
      'workspace',
      'etc',
      '%2e%2e',
      '\\..',
      '~',
      '\0',
      'C:',
      'file:',
      '..\u2215',
      '\ud83d\ude00',
    )
    const path = fc.array(part, { maxLength: 8 }).map((parts) => parts.join('/'))
    await fc.assert(
      fc.asyncProperty(path, fc.boolean(), async (tail, absolute) => {
        const given = absolute ? `/${tail}` : tail
        const runtime = open({ 'a/b.txt': 'inside\n' })
        const outputs = await Promise.all(
          [
            { name: 'read_file', input: { file_path: given } },
            { name: 'list_dir', input: { dir_path: given } },
            { name: 'grep_files', input: { pattern: 'inside', path: given } },
          ].map(async (call) => {
            const result = await runtime.execute(call)
            return result.ok ? String(result.output) : ''
          }),
        )
        expect(outputs[0]).toMatch(/^(?:L1: inside)?$/)
        expect(outputs[1]).toMatch(/^(?:Absolute path: \/workspace(?:\/|\n|$)|$)/)
        expect(outputs[2]).toMatch(/^(?:\/workspace\/|No matches found\.$|$)/)
        const input = `*** Begin Patch\n*** Add File: ${given}\n+x\n*** End Patch`
        const patched = await runtime.execute({ name: 'apply_patch', input: { input } })
        if (patched.ok) expect(patched.output).toMatch(/\nA \/workspace\/[^\n]+$/)
      }),
    )
  })
})
