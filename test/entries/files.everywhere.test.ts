// @module-tag entries
import { type AnyTool, fileTools as allFileTools, createRuntime as createFullRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import {
  applyPatch,
  createRuntime,
  defineTool,
  deleteFile,
  editFile,
  fileTools,
  moveFile,
  readFile,
  reply,
  toModelText,
  writeFile,
} from 'toolport/files'
import { expect, it } from 'vitest'
import * as classic from 'zod'
import * as mini from 'zod/mini'

const fs = () => createMemoryFs({ files: { 'a.txt': 'one\n' } })

it('toolport/files offers the same file tools and results as the whole package', async () => {
  const small = createRuntime({ fs: fs(), tools: fileTools() })
  const full = createFullRuntime({ fs: fs(), tools: allFileTools() })
  expect(small.getModelManifest()).toEqual(full.getModelManifest())
  const calls = [
    { id: '1', name: 'edit_file', input: { path: 'a.txt', edits: [{ old_string: 'one', new_string: 'two' }] } },
    { id: '2', name: 'read_file', input: { path: 'a.txt' } },
    { id: '3', name: 'read_file', input: { pth: 'a.txt', limit: 0 } },
    { id: '4', name: 'apply_patch', input: { patch: '*** Begin Patch\n*** Delete File: a.txt\n*** End Patch' } },
    { id: '5', name: 'read_file', input: { path: 'a.txt' } },
  ]
  for (const call of calls) expect(toModelText(await small.execute(call))).toBe(toModelText(await full.execute(call)))
  await Promise.all([small.dispose(), full.dispose()])
})

it('toolport/files accepts schemas that provide JSON Schema', async () => {
  const inputSchema = classic.object({ a: classic.string() })
  const tools = [defineTool({ name: 'zod', description: 'zod.', inputSchema, run: ({ a }) => reply(a, []) })]
  const runtime = createRuntime({ fs: fs(), tools })
  expect(await runtime.call('zod', { a: 'b' })).toBe('b')
  expect(toModelText(await runtime.execute({ name: 'zod', input: { a: 1 } }))).toContain('a: expected string, got number')
  await runtime.dispose()
})

it.each([
  [mini.object({ a: mini.string() }), '"zod" does not give JSON Schema here'],
  [{ type: 'object' }, 'plain JSON Schema is not supported here'],
])('toolport/files rejects schemas that need a large converter %#', (inputSchema, what) => {
  const tools = [defineTool({ name: 'mine', description: 'Mine.', inputSchema, run: () => 'done' })]
  expect(() => createRuntime({ fs: fs(), tools })).toThrow(
    `Cannot register "mine": Cannot use the input schema: ${what}: use createRuntime of "toolport", which reads more schemas`,
  )
  expect(createFullRuntime({ fs: fs(), tools }).getModelManifest()).toHaveLength(1)
})

it('toolport/files exports each tool by name for smaller bundles', () => {
  const names = (tools: readonly AnyTool[]) => tools.map(({ name }) => name)
  expect(names([readFile, writeFile, editFile, applyPatch, moveFile, deleteFile])).toEqual(names(fileTools()))
})
