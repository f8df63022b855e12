// @module-tag loom-elixir
import { createRuntime, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { loomElixir } from 'toolport/presets/loom-elixir'
import { expect, it } from 'vitest'
import fc from '../fast-check.js'

const open = (): ToolRuntime => createRuntime({ fs: createMemoryFs(), root: '/workspace', preset: loomElixir() })
const size = (text: string): number => new TextEncoder().encode(text).length

async function wire(runtime: ToolRuntime, name: string, input: unknown): Promise<{ readonly ok?: string; readonly error?: string }> {
  const call = { name, input }
  return runtime.toWire(await runtime.execute(call), call) as { readonly ok?: string; readonly error?: string }
}

/** Any text, with many line endings and repetitions. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', '$&', 'é', '😀', '\ufeff'), maxLength: 40 }),
)

it('file_read returns what file_write wrote, with its bytes counted cap:48 cap:95 cap:98 cap:99', async () => {
  const runtime = open()
  await fc.assert(
    fc.asyncProperty(text, async (content) => {
      expect(await wire(runtime, 'file_write', { file_path: 'a', content })).toEqual({ ok: `Wrote ${size(content)} bytes to /workspace/a` })
      expect((await runtime.workspace.stat('a')).size).toBe(size(content))
      const { ok = '' } = await wire(runtime, 'file_read', { file_path: 'a' })
      const [header, ...shown] = ok.split('\n')
      const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n')
      expect(header).toBe(`a (${lines.length} lines total, showing ${lines.length})`)
      expect(lines.length === 0 ? [] : shown).toEqual(lines.map((line, i) => `${String(i + 1).padStart(6)}\t${line}`))
    }),
    { numRuns: 300 },
  )
})

it('file_edit replaces exactly the occurrences, and can be reverted cap:48 cap:100 cap:101', async () => {
  const runtime = open()
  await fc.assert(
    fc.asyncProperty(text, text, text, fc.boolean(), async (before, oldString, newString, all) => {
      fc.pre(oldString !== '' && oldString !== newString)
      await runtime.workspace.writeBytes('a', new TextEncoder().encode(before))
      await wire(runtime, 'file_read', { file_path: 'a' })
      const count = before.split(oldString).length - 1
      const answer = await wire(runtime, 'file_edit', { file_path: 'a', old_string: oldString, new_string: newString, replace_all: all })
      const done = count === 1 || (all && count > 1)
      expect(answer.ok).toBe(done ? `Replaced ${count} occurrence(s) in a` : undefined)
      if (!done)
        expect(answer.error).toMatch(count === 0 ? /^old_string not found in file\./ : `old_string appears ${count} times. Use replace_all`)
      const after = new TextDecoder('utf-8', { ignoreBOM: true }).decode((await runtime.workspace.readBytes('a')).bytes)
      expect(after).toBe(done ? before.split(oldString).join(newString) : before)
      if (!done || newString === '' || after.split(newString).length - 1 !== count || after.split(newString).join(oldString) !== before)
        return
      const back = { file_path: 'a', old_string: newString, new_string: oldString, replace_all: all }
      expect(await wire(runtime, 'file_edit', back)).toEqual({ ok: `Replaced ${count} occurrence(s) in a` })
      expect((await runtime.workspace.stat('a')).size).toBe(size(before))
    }),
    { numRuns: 500 },
  )
})

it('offset and limit return a slice of the lines cap:48 cap:96', async () => {
  const runtime = open()
  const number = fc.oneof(fc.integer({ min: -2, max: 12 }), fc.constant(null), fc.constant(undefined))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('', 'x', 'y\r'), { maxLength: 10 }), number, number, async (lines, offset, limit) => {
      await runtime.workspace.writeText('a', lines.map((line) => `${line}\n`).join(''))
      const first = offset && offset > 0 ? offset : 1
      const wanted = lines.slice(first - 1, limit && limit > 0 ? first - 1 + limit : undefined)
      const body = wanted.map((line, i) => `${String(first + i).padStart(6)}\t${line}`).join('\n')
      expect(await wire(runtime, 'file_read', { file_path: 'a', offset, limit })).toEqual({
        ok: `a (${lines.length} lines total, showing ${wanted.length})\n${body}`,
      })
    }),
    { numRuns: 300 },
  )
})

/** Whether a path of names, dots and slashes leaves the directory, given that none of its parents has one of these names. */
function leaves(path: string): boolean {
  let depth = 0
  for (const part of path.split('/')) {
    if (part === '..') depth--
    else if (part !== '' && part !== '.') depth++
    if (depth < 0) return true
  }
  return path.startsWith('/')
}

it('a path that leads outside is rejected, and all others are accepted cap:48 cap:43 cap:44', async () => {
  const runtime = open()
  const part = fc.constantFrom('..', '..', '.', '', 'a', 'lib', '%2e%2e', '...', '~')
  const path = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('/'))
  await fc.assert(
    fc.asyncProperty(path, fc.constantFrom('file_read', 'file_write', 'file_edit'), async (file_path, name) => {
      fc.pre(file_path !== '')
      const { ok, error } = await wire(runtime, name, { file_path, content: 'x', old_string: 'x', new_string: 'y' })
      if (leaves(file_path)) expect(error).toBe(`Path ${file_path} is outside the project directory`)
      else if (error !== undefined) expect(error).not.toContain('outside')
      else if (name === 'file_write') expect(ok).toMatch(/^Wrote 1 bytes to \/workspace\/./)
    }),
    { numRuns: 400 },
  )
})

it('any input gets a result in the same format cap:22 cap:110', async () => {
  const runtime = open()
  const names = fc.constantFrom('file_read', 'file_write', 'file_edit', 'other')
  await fc.assert(
    fc.asyncProperty(
      names,
      fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom('file_path', 'offset', 'content'), fc.anything())),
      async (name, input) => {
        const answer = await wire(runtime, name, input)
        expect(Object.keys(answer)).toHaveLength(1)
        expect(typeof (answer.ok ?? answer.error)).toBe('string')
      },
    ),
    { numRuns: 500 },
  )
})
