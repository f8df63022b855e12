// @module-tag runtime
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineTool, reply } from '../../src/core/define-tool.js'
import { defaultLimits } from '../../src/core/limits.js'
import { createToolRegistry } from '../../src/core/registry.js'
import { toModelText } from '../../src/core/result.js'
import { createTestWorkspace } from '../../src/entries/testing.js'
import { FsError, InputError } from '../../src/errors/index.js'
import { ToolCallError } from '../../src/runtime/tool-call-error.js'
import { ToolRuntime } from '../../src/runtime/tool-runtime.js'
import type { Preset } from '../../src/types/preset.js'
import type { ToolContext } from '../../src/types/tool.js'
import { add, testRuntime, toolOf } from './support.js'

test('execute validates and runs a call and returns its output cap:7 cap:18', async () => {
  const { runtime } = testRuntime([add])
  expect(await runtime.execute({ name: 'add', input: { a: 2 } })).toEqual({ ok: true, output: { sum: 3 } })
})

test('call returns the output, or throws with the result cap:18', async () => {
  const { runtime } = testRuntime([add])
  expect(await runtime.call('add', { a: 1, b: 4 })).toEqual({ sum: 5 })
  const error: unknown = await runtime.call('add', {}).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ToolCallError)
  expect(error).toMatchObject({
    name: 'ToolCallError',
    message: 'Cannot call "add": a is required',
    result: { ok: false, output: { code: 'invalid_input' } },
  })
})

test('an unknown tool is reported with similar names cap:19 cap:7', async () => {
  const { runtime } = testRuntime([add, toolOf(() => 1, { name: 'read_file' })])
  expect(await runtime.execute({ id: 'x1', name: 'readFile', input: {} })).toEqual({
    ok: false,
    output: {
      status: 'not_found',
      code: 'unknown_tool',
      callId: 'x1',
      tool: 'readFile',
      recoverable: true,
      closest: ['read_file'],
      hint: 'Did you mean "read_file"?',
    },
    error: 'unknown tool: readFile',
  })
  expect(await runtime.execute({ name: 'zzz' })).toMatchObject({
    error: 'unknown tool: zzz',
    output: { hint: 'Use a tool from your list of tools.' },
  })
  for (const name of ['__proto__', 'constructor', '', 'x'.repeat(1e6)]) {
    expect(await runtime.execute({ name })).toMatchObject({ ok: false, output: { code: 'unknown_tool' } })
  }
})

test('every issue of an input is reported with its path cap:22', async () => {
  const { runtime } = testRuntime([add])
  expect(await runtime.execute({ name: 'add', input: { b: 'x', c: 1 } })).toEqual({
    ok: false,
    output: {
      status: 'invalid_input',
      code: 'invalid_input',
      callId: 'call_1',
      tool: 'add',
      recoverable: true,
      issues: [
        { path: 'a', message: 'is required' },
        { path: 'b', message: 'expected number, got string' },
        { path: 'c', message: 'is not a known field: use "a", "b"' },
      ],
    },
    error: 'Cannot call "add": the input has 3 problems',
  })
  expect(await runtime.execute({ name: 'add', input: 5 })).toMatchObject({
    error: 'Cannot call "add": the input: expected object, got number',
  })
  expect(await runtime.execute({ name: 'add', input: '{"a":1}' })).toMatchObject({
    output: { code: 'invalid_input', hint: 'Pass the input as an object, not as a JSON string.' },
  })
})

test('missing input is an empty object', async () => {
  const { runtime } = testRuntime([toolOf((input) => ({ input }))])
  expect(await runtime.call('probe')).toEqual({ input: {} })
})

test('a call by alias runs the same tool', async () => {
  const { runtime, events } = testRuntime([toolOf(() => 1, { name: 'my.tool' })])
  const alias = runtime.getModelManifest()[0]?.alias ?? ''
  expect(alias).not.toBe('my.tool')
  expect(await runtime.execute({ name: alias })).toEqual({ ok: true, output: 1 })
  runtime.registry.disable('my.tool')
  expect(await runtime.execute({ name: alias })).toMatchObject({ output: { tool: 'my.tool' } })
  expect(events.at(0)).toMatchObject({ type: 'call_start', call: { name: alias } })
})

test('ids come from the caller, or are numbered', async () => {
  const ids: string[] = []
  const { runtime } = testRuntime([toolOf((_, { callId }) => ids.push(callId))])
  await runtime.execute({ name: 'probe' })
  await runtime.execute({ id: 'own', name: 'probe' })
  await runtime.execute({ id: 7 as never, name: 'probe' })
  await runtime.execute({ id: '', name: 'probe' })
  await runtime.execute({ id: null as never, name: 'probe' })
  expect(ids).toEqual(['call_1', 'own', '7', 'call_2', 'call_3'])
})

test('a disabled tool returns the reason', async () => {
  const { runtime } = testRuntime([add])
  runtime.registry.disable('add', 'not in this session')
  expect(await runtime.execute({ name: 'add', input: { a: 1 } })).toMatchObject({
    output: { status: 'denied', code: 'tool_excluded', reason: 'not in this session' },
    error: 'Cannot run "add": it is disabled: not in this session',
  })
  runtime.registry.enable('add')
  expect(await runtime.execute({ name: 'add', input: { a: 1 } })).toMatchObject({ ok: true })
})

test('a tool without its adapters is in no manifest, and its error names the adapter', async () => {
  const needs = toolOf(() => 1, { name: 'sh', requires: ['shell'] })
  const background = toolOf(() => 1, { name: 'bg', requires: ['shell', 'shell.spawn'] })
  const none = testRuntime([needs, background, add])
  expect(none.runtime.getModelManifest().map(({ name }) => name)).toEqual(['add'])
  expect(none.runtime.registry.getModelManifest().map(({ name }) => name)).toEqual(['add'])
  expect(await none.runtime.execute({ name: 'sh' })).toMatchObject({
    output: { status: 'unsupported', code: 'unsupported', capability: 'shell' },
    error: 'Cannot run "sh": this runtime has no shell adapter',
  })
  const shell = {
    name: 'tiny',
    can: { pty: false, separateStderr: true, hardKill: true, dialect: 'none' },
    exec: async () => ({ exitCode: 0, stdout: '', stderr: '', timedOut: false, aborted: false, truncated: false, cwd: '/', env: {} }),
  }
  const some = testRuntime([needs, background], { shell: () => shell })
  expect(await some.runtime.call('sh')).toBe(1)
  expect(await some.runtime.execute({ name: 'bg' })).toMatchObject({
    output: { code: 'unsupported', capability: 'shell.spawn', adapter: 'tiny' },
    error: 'Cannot run "bg": the shell adapter "tiny" has no background sessions',
  })
})

test('the context has workspace, time and versions, and is not shared between calls cap:3 cap:4', async () => {
  const seen: ToolContext[] = []
  const { runtime, host } = testRuntime([
    toolOf((_, context) => {
      seen.push(context)
      Object.assign(context, { workspace: undefined, callId: 'other' })
      return 1
    }),
  ])
  const { workspace } = runtime
  await runtime.execute({ name: 'probe' })
  await host.advance(1000)
  await runtime.execute({ name: 'probe' }, { deadlineMs: 50 })
  expect(seen[0]?.now.toISOString()).toBe('2025-01-01T00:00:00.000Z')
  expect(seen[1]?.now.toISOString()).toBe('2025-01-01T00:00:01.000Z')
  expect(seen[0]?.versions).toBe(seen[1]?.versions)
  expect([seen[0]?.limits.deadlineMs, seen[1]?.limits.deadlineMs]).toEqual([120_000, 50])
  expect(() => Object.assign(seen[0]?.limits ?? {}, { deadlineMs: 1 })).toThrow(TypeError)
  expect(runtime.workspace).toBe(workspace)
})

test('a copy of the context has a signal too', async () => {
  const { runtime } = testRuntime([toolOf((_, context) => ({ ...context }).signal.aborted)])
  expect(await runtime.call('probe')).toBe(false)
})

test('the content is the tool’s own text or its parts', async () => {
  const { runtime } = testRuntime([
    defineTool({
      name: 'own',
      description: 'x',
      inputSchema: z.object({}),
      toText: ({ n }: { n: number }) => `n is ${n}`,
      run: () => ({ n: 5 }),
    }),
    toolOf(() => reply({ n: 1 }, [{ type: 'image', mediaType: 'image/png', data: 'AA==' }]), { name: 'image' }),
    toolOf(() => reply({ n: 1 }, [{ type: 'text', text: 'mine' }]), { name: 'both', toText: () => 'not this' }),
  ])
  expect(await runtime.execute({ name: 'own' })).toEqual({ ok: true, output: { n: 5 }, content: [{ type: 'text', text: 'n is 5' }] })
  expect(await runtime.execute({ name: 'image' })).toEqual({
    ok: true,
    output: { n: 1 },
    content: [{ type: 'image', mediaType: 'image/png', data: 'AA==' }],
  })
  expect(await runtime.execute({ name: 'both' })).toMatchObject({ content: [{ type: 'text', text: 'mine' }] })
})

test('library errors keep their codes', async () => {
  const fail = toolOf(() => {
    throw new InputError('no_match', 'Cannot edit "a": not there', { details: { nearest: 4 } })
  })
  const { runtime } = testRuntime([fail])
  expect(await runtime.execute({ name: 'probe' })).toMatchObject({
    error: 'Cannot edit "a": not there',
    output: { status: 'invalid_input', code: 'no_match', nearest: 4, hint: expect.stringContaining('Read the file again') },
  })
})

test('tools read and write files through the workspace', async () => {
  const touch = toolOf((_, { workspace }) => workspace.writeText('a.txt', 'x').then(({ path }) => path))
  const read = toolOf((_, { workspace }) => workspace.readText('missing.txt').then(({ text }) => text), { name: 'read' })
  const { runtime, files } = testRuntime([touch, read])
  expect(await runtime.call('probe')).toBe('/workspace/a.txt')
  expect(await files()).toEqual({ 'a.txt': 'x' })
  expect(await runtime.execute({ name: 'read' })).toMatchObject({ output: { code: 'ENOENT', path: '/workspace/missing.txt', op: 'read' } })
})

test('a runtime can use an own registry', async () => {
  const { workspace } = createTestWorkspace()
  const registry = createToolRegistry()
    .register(add)
    .register(toolOf(() => 1, { requires: ['js'] }))
  const runtime = new ToolRuntime(registry, { workspace })
  expect(await runtime.call('add', { a: 1 })).toEqual({ sum: 2 })
  expect(runtime.getModelManifest().map(({ name }) => name)).toEqual(['add'])
  registry.register(toolOf(() => 'new', { name: 'later' }))
  expect(await runtime.call('later')).toBe('new')
})

const preset = (more: Partial<Preset>): Preset => ({ name: 'test', tools: [add], validation: 'lenient', ...more })

test('a lenient preset repairs obvious mistakes and reports the others for the given input', async () => {
  const { runtime } = testRuntime([], { preset: preset({}) })
  expect(await runtime.call('add', { a: '2', b: null, extra: 1 })).toEqual({ sum: 3 })
  expect(await runtime.call('add', '{"a": 1}')).toEqual({ sum: 2 })
  expect(await runtime.execute({ name: 'add', input: { a: 'two', extra: 1 } })).toMatchObject({
    output: { issues: [{ path: 'a', message: 'expected number, got string' }, { path: 'extra' }] },
  })
})

test('a preset can format its rejections and results', async () => {
  const { runtime } = testRuntime([], {
    preset: preset({
      validation: 'strict',
      renderInvalid: (tool, issues) => ({ error: `${tool} wants ${issues[0]?.path}`, details: { message: 'm', code: 'mine', hint: 'h' } }),
      renderUnknown: (name) => `no ${name} here`,
      toWire: (result, { id }) => (result.ok ? { id, output: result.output } : `E ${result.error}`),
    }),
  })
  const invalid = await runtime.execute({ name: 'add' })
  expect(invalid).toMatchObject({
    error: 'add wants a',
    output: { message: 'm', hint: 'h', code: 'invalid_input', status: 'invalid_input', tool: 'add' },
  })
  expect(await runtime.execute({ name: 'nope' })).toMatchObject({ error: 'no nope here', output: { code: 'unknown_tool' } })
  expect(invalid).not.toHaveProperty('output.issues')
  expect(runtime.toWire(invalid, { name: 'add' })).toBe('E add wants a')
  expect(runtime.toWire({ ok: true, output: 1 }, { id: 'call-1', name: 'add' })).toEqual({ id: 'call-1', output: 1 })
  expect(testRuntime([add]).runtime.toWire(invalid, { name: 'add' })).toBe(invalid)
})

test('a preset can format every other failure cap:10', async () => {
  const fails = toolOf(() => {
    throw new FsError({ code: 'ENOENT', op: 'read', path: '/workspace/a' })
  })
  const { runtime } = testRuntime([fails], {
    preset: preset({
      renderFailure: ({ output }) => (output.code === 'unsupported' ? undefined : `E ${output.code} ${output.path ?? ''}`.trim()),
    }),
  })
  const missing = await runtime.execute({ name: 'probe' })
  expect(missing).toMatchObject({ error: 'E ENOENT /workspace/a', output: { path: '/workspace/a', code: 'ENOENT' } })
  expect(toModelText(missing)).toBe('Error: E ENOENT /workspace/a')
  expect(await runtime.execute({ name: 'nope' })).toMatchObject({ error: 'E unknown_tool' })
  expect(await runtime.execute({ name: 'add', input: { a: 'x' } })).toMatchObject({ error: 'E invalid_input' })
  expect(await runtime.execute({ name: 'add' }, { signal: AbortSignal.abort() })).toMatchObject({ error: 'E aborted' })
})

test('preset limits override defaults, and runtime limits override both', () => {
  const { runtime } = testRuntime([], {
    preset: preset({ limits: { deadlineMs: 1000, outputBytes: 2000 } }),
    limits: { outputBytes: 3000, deadlineMs: undefined },
  })
  expect(runtime.limits).toEqual({ ...defaultLimits, deadlineMs: 1000, outputBytes: 3000 })
})

test('a preset whose formatter throws gets the default text', async () => {
  const { runtime } = testRuntime([], {
    preset: preset({
      renderUnknown: () => {
        throw new Error('broken')
      },
    }),
  })
  expect(await runtime.execute({ name: 'nope' })).toMatchObject({ error: 'unknown tool: nope' })
})
