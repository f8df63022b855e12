// @module-tag runtime
import { expect, test } from 'vitest'
import { createTestHost, createTestWorkspace } from '../../src/entries/testing.js'
import { createRuntime } from '../../src/runtime/create-runtime.js'
import { fileTools } from '../../src/tools/files/index.js'
import type { ShellAdapter } from '../../src/types/shell.js'
import type { Workspace } from '../../src/types/workspace.js'
import { add, toolOf } from './support.js'

test('createRuntime requires exactly one of storage and workspace', () => {
  const { fs, workspace } = createTestWorkspace()
  expect(() => createRuntime({})).toThrow('Cannot create a runtime: pass "fs" or "workspace", one of them is needed')
  expect(() => createRuntime({ fs, workspace })).toThrow('Cannot create a runtime: pass "fs" or "workspace", not both')
  expect(createRuntime({ workspace }).workspace).toBe(workspace)
  for (const option of [{ root: '/x' }, { cwd: '/x' }, { quotas: {} }, { policy: { readOnly: true } }, { policy: { paths: [] } }]) {
    expect(() => createRuntime({ workspace, ...option })).toThrow(
      'cannot be combined with "workspace". Set the option when creating the workspace',
    )
  }
})

test('root, cwd, quotas and path policy reach the workspace cap:3', async () => {
  const { fs } = createTestWorkspace({ files: { 'src/a.txt': 'a' } })
  const write = toolOf(async ({ text }, { workspace }) => (await workspace.writeText('b.txt', String(text))).path)
  const runtime = createRuntime({ fs, root: '/project', cwd: '/project/src', quotas: { fileBytes: 3 }, tools: [write] })
  expect([runtime.workspace.root, runtime.workspace.cwd]).toEqual(['/project', '/project/src'])
  expect(await runtime.call('probe', { text: 'abc' })).toBe('/project/src/b.txt')
  expect(await runtime.execute({ name: 'probe', input: { text: 'abcd' } })).toMatchObject({ output: { code: 'EFBIG' } })
  const readOnly = createRuntime({ fs, policy: { readOnly: true }, tools: [write] })
  expect(await readOnly.execute({ name: 'probe', input: { text: 'x' } })).toMatchObject({ output: { status: 'denied' } })
})

test('adapters may be objects or functions of the workspace cap:106', async () => {
  const seen: Workspace[] = []
  const shell: ShellAdapter = {
    name: 'sh',
    can: { pty: false, separateStderr: true, hardKill: true, dialect: 'none' },
    exec: () => Promise.reject(new Error('not here')),
    spawn: () => Promise.reject(new Error('not here')),
  }
  const model = { complete: async () => 'hi' }
  const tool = toolOf(async (_, context) => [
    context.shell?.name ?? null,
    (await context.model?.complete({ prompt: '' })) ?? null,
    context.js === undefined,
  ])
  const runtime = createRuntime({
    fs: createTestWorkspace().fs,
    tools: [tool],
    model,
    shell: (workspace) => {
      seen.push(workspace)
      return shell
    },
  })
  expect(seen).toEqual([runtime.workspace])
  expect(await runtime.call('probe')).toEqual(['sh', 'hi', true])
  expect([...runtime.available].sort()).toEqual(['model', 'shell', 'shell.spawn'])
})

test('preset tools and own tools are combined, and a duplicate name is rejected cap:17 cap:13', () => {
  const { fs } = createTestWorkspace()
  const preset = { name: 'p', tools: [add], validation: 'strict' as const }
  const names = createRuntime({ fs, preset, tools: [toolOf(() => 1)] })
    .getModelManifest()
    .map(({ name }) => name)
  expect(names).toEqual(['add', 'probe'])
  expect(() => createRuntime({ fs, preset, tools: [add] })).toThrow('tool already registered: add')
})

test('invalid limits and policies are rejected', () => {
  const { fs } = createTestWorkspace()
  expect(() => createRuntime({ fs, limits: { deadlineMs: -1 } })).toThrow(RangeError)
  expect(() => createRuntime({ fs, policy: { rate: { calls: -1, perMs: 1 } } })).toThrow(RangeError)
  expect(() => createRuntime({ fs, policy: { tools: [{ tools: 'a', action: 'x' as never }] } })).toThrow(TypeError)
})

test('every part of the runtime uses the host’s clock cap:4', async () => {
  const host = createTestHost({ now: 5000 })
  const runtime = createRuntime({ fs: createTestWorkspace().fs, host, tools: [toolOf((_, { now }) => now.getTime())] })
  expect(runtime.workspace.host).toBe(host)
  expect(await runtime.call('probe')).toBe(5000)
})

test('changing a manifest changes no runtime', () => {
  const open = (): ReturnType<typeof createRuntime> => createRuntime({ fs: createTestWorkspace().fs, tools: fileTools() })
  const [changed, other] = [open(), open()]
  const before = JSON.stringify(other.getModelManifest())
  for (const { annotations } of changed.getModelManifest()) Object.assign(annotations as object, { readOnlyHint: true })
  expect(JSON.stringify([changed, other, open()].map((runtime) => runtime.getModelManifest()))).toBe(`[${before},${before},${before}]`)
})
