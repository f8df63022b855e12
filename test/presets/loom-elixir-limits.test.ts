// @module-tag loom-elixir
import { type CreateRuntimeOptions, createRuntime, type ToolRuntime, toModelText } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { loomElixir } from 'toolport/presets/loom-elixir'
import { createTestHost } from 'toolport/testing'
import { expect, it } from 'vitest'

const MIB = 1024 * 1024
type Files = Readonly<Record<string, string | Uint8Array>>

function open(files: Files, options: Partial<CreateRuntimeOptions> = {}): ToolRuntime {
  const host = createTestHost()
  return createRuntime({ fs: createMemoryFs({ files }), host, root: '/workspace', preset: loomElixir(), ...options })
}

async function run(runtime: ToolRuntime, name: string, input: unknown, signal?: AbortSignal): Promise<string> {
  return toModelText(await runtime.execute({ name, input }, signal ? { signal } : {}))
}

it('a call has 60 s, or less if the host sets a shorter deadline cap:46', async () => {
  expect(open({}).limits).toMatchObject({ deadlineMs: 60_000, outputBytes: MIB })
  expect(open({}, { limits: { deadlineMs: 5 } }).limits.deadlineMs).toBe(5)
  const runtime = open({ a: 'ab'.repeat(2 * MIB) })
  const input = { file_path: 'a', old_string: 'a', new_string: 'c', replace_all: true }
  const result = await runtime.execute({ name: 'file_edit', input }, { deadlineMs: 0 })
  expect(result).toMatchObject({ ok: false, output: { status: 'timeout' } })
  expect(toModelText(result)).toBe('Error: Cannot finish "file_edit": its deadline of 0 ms passed')
})

it('a file that changed since it was read is rejected; a removed or never read one can be written cap:98', async () => {
  const runtime = open({ a: 'one', b: 'two' })
  await run(runtime, 'file_read', { file_path: 'a' })
  await runtime.workspace.writeText('a', 'other')
  await runtime.workspace.writeText('b', 'other')
  const stale = 'Error: Failed to write /workspace/a: estale (it changed since it was read: read it again)'
  expect(await run(runtime, 'file_write', { file_path: 'a', content: 'x' })).toBe(stale)
  expect(await run(runtime, 'file_edit', { file_path: 'a', old_string: 'other', new_string: 'x' })).toBe(stale)
  expect(await run(runtime, 'file_write', { file_path: 'b', content: 'x' })).toBe('Wrote 1 bytes to /workspace/b')
  await run(runtime, 'file_read', { file_path: 'a' })
  expect(await run(runtime, 'file_edit', { file_path: 'a', old_string: 'other', new_string: 'x' })).toBe('Replaced 1 occurrence(s) in a')
  expect(await run(runtime, 'file_edit', { file_path: 'a', old_string: 'x', new_string: 'y' })).toBe('Replaced 1 occurrence(s) in a')
  await runtime.workspace.remove('a')
  expect(await run(runtime, 'file_write', { file_path: 'a', content: 'z' })).toBe('Wrote 1 bytes to /workspace/a')
  await runtime.workspace.remove('a')
  expect(await run(runtime, 'file_read', { file_path: 'a' })).toBe('Error: File not found: /workspace/a')
  await runtime.workspace.writeText('a', 'made again')
  expect(await run(runtime, 'file_write', { file_path: 'a', content: 'z' })).toBe('Wrote 1 bytes to /workspace/a')
})

it('concurrent edits of one file are all applied cap:103', async () => {
  const runtime = open({ a: '0123456789' })
  const edits = [...'0123456789'].map((digit) => ({
    name: 'file_edit',
    input: { file_path: 'a', old_string: digit, new_string: `<${digit}>` },
  }))
  const results = await Promise.all(edits.map((call) => runtime.execute(call)))
  expect(results.every(({ ok }) => ok)).toBe(true)
  expect(await runtime.workspace.files()).toEqual({ a: '<0><1><2><3><4><5><6><7><8><9>' })
})

it('the header of file_read counts the lines that fit into the model text cap:95', async () => {
  const line = 'x'.repeat(1000)
  const runtime = open({ a: `${line}\n`.repeat(3000), long: `${'é'.repeat(MIB)}\nend` })
  const text = await run(runtime, 'file_read', { file_path: 'a' })
  expect(text.split('\n', 1)).toEqual(['a (3000 lines total, showing 1040)'])
  expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(MIB)
  expect(await run(runtime, 'file_read', { file_path: 'a', offset: 1041, limit: 1 })).toBe(
    `a (3000 lines total, showing 1)\n  1041\t${line}`,
  )
  const long = await run(runtime, 'file_read', { file_path: 'long' })
  expect(long.split('\n', 1)).toEqual(['long (2 lines total, showing 1)'])
  expect(long).toContain('bytes left out')
  expect(runtime.toWire(await runtime.execute({ name: 'file_read', input: { file_path: 'long' } }), { name: 'file_read' })).toEqual({
    ok: long,
  })
})

it('file_read finds lines of a large file without reading it whole cap:96 cap:69', async () => {
  const lines = 600_000
  const runtime = open({ big: 'abcdefghi\n'.repeat(lines), png: pngOf(5 * MIB) })
  expect(await run(runtime, 'file_read', { file_path: 'big', offset: lines })).toBe(
    `big (${lines} lines total, showing 1)\n${lines}\tabcdefghi`,
  )
  expect(await run(runtime, 'file_read', { file_path: 'big', offset: lines + 1 })).toBe(`big (${lines} lines total, showing 0)\n`)
  expect((await run(runtime, 'file_read', { file_path: 'big' })).split('\n', 1)).toEqual([`big (${lines} lines total, showing 61678)`])
  expect(await run(runtime, 'file_read', { file_path: 'png' })).toBe('Error: Failed to read /workspace/png: it is binary (image/png)')
})

function pngOf(size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return bytes
}

it('file_edit rejects a file that is or would become too large cap:46', async () => {
  const runtime = open({ big: new Uint8Array(16 * MIB + 1).fill(97), a: 'a'.repeat(MIB) })
  const call = { old_string: 'a', new_string: 'b'.repeat(MIB), replace_all: true }
  expect(await run(runtime, 'file_edit', { file_path: 'big', ...call })).toBe(
    'Error: Failed to read /workspace/big: efbig (16777217 bytes are more than 16777216, the most that can be edited)',
  )
  expect(await run(runtime, 'file_edit', { file_path: 'a', ...call })).toBe(
    'Error: Failed to write /workspace/a: efbig (the result would have more than 16777216 bytes)',
  )
  expect((await runtime.workspace.stat('a')).size).toBe(MIB)
})

it('file_edit finds a long repetitive old_string in linear time cap:46', async () => {
  const half = 'a'.repeat(MIB)
  const runtime = open({ a: half.repeat(4), b: `${half}b${half}b${half}` })
  const call = { old_string: `${half}b${half}`, new_string: 'c' }
  expect(await run(runtime, 'file_edit', { file_path: 'a', ...call })).toMatch(/^Error: old_string not found in file\./)
  expect(await run(runtime, 'file_edit', { file_path: 'b', ...call })).toBe('Replaced 1 occurrence(s) in b')
  expect((await runtime.workspace.readBytes('b')).bytes.length).toBe(MIB + 2)
})

it('an aborted call writes nothing cap:21', async () => {
  const runtime = open({ a: 'x', many: 'ab'.repeat(2 * MIB) })
  const aborted = 'Error: Cannot finish "file_write": the call was aborted'
  expect(await run(runtime, 'file_write', { file_path: 'a', content: 'y' }, AbortSignal.abort())).toBe(aborted)
  const controller = new AbortController()
  const editing = run(runtime, 'file_edit', { file_path: 'many', old_string: 'a', new_string: 'c', replace_all: true }, controller.signal)
  controller.abort()
  expect(await editing).toBe('Error: Cannot finish "file_edit": the call was aborted')
  expect(await runtime.workspace.files()).toEqual({ a: 'x', many: 'ab'.repeat(2 * MIB) })
})

it('rejections by the host have no hints cap:103', async () => {
  const readOnly = open({ a: 'x' }, { policy: { readOnly: true } })
  const write = { name: 'file_write', input: { file_path: 'a', content: 'y' } }
  expect(await run(readOnly, write.name, write.input)).toBe('Error: Failed to write /workspace/a: erofs (the workspace is read-only)')
  const rules = { paths: [{ paths: 'secrets', action: 'deny', reason: 'keys are kept there' }] } as const
  const guarded = open(
    { 'secrets/key': 'x' },
    { policy: { ...rules, tools: [{ tools: 'file_write', action: 'deny', reason: 'no writing' }] } },
  )
  expect(await run(guarded, 'file_read', { file_path: 'secrets/key' })).toMatch(
    /^Error: Failed to read \/workspace\/secrets\/key: eacces \(.+\)$/,
  )
  expect(await run(guarded, write.name, write.input)).toMatch(/^Error: .*no writing[^\n]*$/)
})
