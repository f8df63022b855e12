// @module-tag loom
import {
  createRuntime,
  createToolRegistry,
  defineTool,
  FsError,
  InputError,
  NetworkError,
  type RuntimeEvent,
  ShellError,
  UnsupportedError,
} from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { loom, toolMessage } from 'toolport/presets/loom'
import { createTestHost } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { loomBench } from './loom-bench.js'
import { model, network } from './loom-cases.js'

const webSearch = { baseUrl: 'http://proxy.test' }
const storage = () => ({ fs: createMemoryFs({ files: { 'a.txt': 'x' } }), root: '/workspace' })
const names = (entries: readonly { readonly name: string }[]): string[] => entries.map(({ name }) => name)

describe('the tools of loom', () => {
  it('are offered if their adapters exist cap:1 cap:2 cap:17 cap:42', () => {
    const offered = (options: Parameters<typeof loomBench>[1]): string[] => names(loomBench({}, options).runtime.getModelManifest())
    expect(offered({})).toEqual(['edit_file', 'list_files', 'read_file'])
    expect(offered({ preset: loom({ webSearch }) })).toEqual(['edit_file', 'list_files', 'read_file'])
    const shell = createJustBashShell({ scratch: createMemoryFs() })
    expect(offered({ shell, model, fetch: network })).toEqual(['bash', 'edit_file', 'list_files', 'oracle', 'read_file'])
    expect(offered({ shell, model, fetch: network, preset: loom({ webSearch }) })).toEqual([
      'bash',
      'edit_file',
      'list_files',
      'oracle',
      'read_file',
      'web_search',
      'web_search_serper',
    ])
  })

  it('have the documented parameters cap:1 cap:2', () => {
    const { tools } = loom({ webSearch })
    const registry = createToolRegistry().registerMany(tools)
    const parameters = Object.fromEntries(
      registry
        .getModelManifest()
        .map(({ name, inputSchema: { properties, required } }) => [name, [Object.keys(properties as object), required ?? []]]),
    )
    expect(parameters).toEqual({
      bash: [['command', 'cwd', 'timeout_secs'], ['command']],
      edit_file: [
        ['path', 'edits'],
        ['path', 'edits'],
      ],
      list_files: [['path', 'recursive', 'max_depth', 'max_results'], []],
      oracle: [['query', 'max_tokens', 'temperature', 'system_prompt'], ['query']],
      read_file: [['path', 'max_bytes'], ['path']],
      web_search: [['query', 'max_results'], ['query']],
      web_search_serper: [['query', 'max_results'], ['query']],
    })
    expect(registry.getModelManifest().map(({ name, description }) => [name, description])).toEqual([
      ['bash', 'Execute shell commands in the workspace.'],
      ['edit_file', 'Apply snippet-based edits to files.'],
      ['list_files', 'List files in a directory (glob-like functionality).'],
      ['oracle', 'Ask another model.'],
      ['read_file', 'Read file contents from the workspace.'],
      ['web_search', 'Perform web searches via the server proxy.'],
      ['web_search_serper', 'Perform web searches with Serper.dev via the server proxy.'],
    ])
  })

  it('work in a registry beside custom tools, as in the documented example cap:12 cap:14 cap:17', async () => {
    const myTool = defineTool({
      name: 'my_tool',
      description: 'Does something useful',
      inputSchema: { type: 'object', properties: { arg1: { type: 'string' } }, required: ['arg1'] },
      run: () => ({ result: 'success' }),
    })
    const registry = createToolRegistry().registerMany(loom().tools).register(myTool)
    expect([registry.has('my_tool'), registry.get('my_tool') === myTool, registry.get('nothing')]).toEqual([true, true, undefined])
    const { ok } = loomBench({}, { tools: [myTool] })
    expect(await ok('my_tool', { arg1: 'test' })).toEqual({ result: 'success' })
  })

  it('name the missing adapter cap:42 cap:11', async () => {
    const { fail } = loomBench({}, { preset: loom({ webSearch }) })
    expect(await fail('oracle', { query: 'q' })).toBe('Error: Internal error: Cannot run "oracle": this runtime has no model adapter')
    expect(await fail('web_search', { query: 'q' })).toBe(
      'Error: Internal error: Cannot run "web_search": this runtime has no fetch adapter',
    )
    expect(await loomBench().fail('web_search', { query: 'q' })).toBe('Error: Tool not found: web_search')
  })

  it('search only with a configured URL, which may contain no key cap:38 cap:41', () => {
    expect(names(loom().tools)).not.toContain('web_search')
    expect(() => loom({ webSearch: { baseUrl: 'proxy.test' } })).toThrow(TypeError)
    expect(() => loom({ webSearch: { baseUrl: 'http://proxy.test/?key=secret' } })).toThrow(/^(?!.*secret)/)
  })

  it('have a context with the workspace, and report events cap:3 cap:49', async () => {
    const events: RuntimeEvent[] = []
    const { ok, fail } = loomBench(
      {},
      { ...storage(), host: createTestHost({ now: 5 }), hooks: { onEvent: (event) => events.push(event) } },
    )
    await ok('read_file', { path: 'a.txt' })
    await fail('read_file', { path: 'b.txt' })
    expect(events).toMatchObject([
      { type: 'call_start', callId: 'call_1', call: { name: 'read_file', input: { path: 'a.txt' } }, time: 5 },
      { type: 'call_end', callId: 'call_1', durationMs: 0, result: { ok: true } },
      { type: 'call_start', callId: 'call_2' },
      { type: 'call_end', callId: 'call_2', result: { ok: false, error: 'File not found: /workspace/b.txt' } },
    ])
  })
})

/** Kind of a failure, the error that a tool throws, and the documented results for it. */
const FAULTS: readonly (readonly [string, unknown, string, unknown])[] = [
  ['no_match', new InputError('no_match', 'fn main'), 'Target not found: fn main', { TargetNotFound: 'fn main' }],
  ['ambiguous', new InputError('ambiguous_match', 'twice'), 'Invalid arguments: twice', { InvalidArguments: 'twice' }],
  ['input', new InputError('invalid_input', 'bad'), 'Invalid arguments: bad', { InvalidArguments: 'bad' }],
  [
    'missing',
    new FsError({ code: 'ENOENT', op: 'read', path: '/workspace/x' }),
    'File not found: /workspace/x',
    { FileNotFound: '/workspace/x' },
  ],
  [
    'full',
    new FsError({ code: 'ENOSPC', op: 'write', path: '/workspace/x' }),
    'IO error: ENOSPC: Cannot write "/workspace/x": no space left',
    { Io: 'ENOSPC: Cannot write "/workspace/x": no space left' },
  ],
  ['network', new NetworkError('network', 'gone'), 'IO error: gone', { Io: 'gone' }],
  ['spawn', new ShellError('spawn_failed', 'no process'), 'IO error: no process', { Io: 'no process' }],
  ['unsupported', new UnsupportedError('x', 'cannot'), 'Internal error: cannot', { Internal: 'cannot' }],
  ['threw', new Error('a bug'), 'Internal error: a bug', { Internal: 'a bug' }],
  ['threw_text', 'just text', 'Internal error: just text', { Internal: 'just text' }],
  [
    'lied',
    new InputError('invalid_input', 'bad', { details: { tool_error: { Nonsense: 'x' } } }),
    'Invalid arguments: bad',
    { InvalidArguments: 'bad' },
  ],
]

describe('failures of loom', () => {
  const tools = FAULTS.map(([name, error]) =>
    defineTool({
      name,
      description: 'Fails',
      inputSchema: { type: 'object' },
      run(): unknown {
        throw error
      },
    }),
  )

  it.each(FAULTS.map(([name, , text, variant]) => [name, text, variant] as const))(
    'are one of nine errors: %s cap:11',
    async (name, text, variant) => {
      const { runtime } = loomBench({}, { tools })
      const call = { id: 'call_123', name, input: {} }
      const result = await runtime.execute(call)
      expect(runtime.toWire(result, call)).toEqual({ Error: { call_id: 'call_123', error: variant } })
      expect(toolMessage(result, call)).toEqual({ role: 'tool', tool_call_id: 'call_123', content: `Error: ${text}` })
    },
  )

  it('are a timeout at the deadline, and an internal error on abort cap:11', async () => {
    const wait = defineTool({ name: 'wait', description: 'Waits', inputSchema: { type: 'object' }, run: () => new Promise(() => {}) })
    const host = createTestHost()
    const runtime = createRuntime({ ...storage(), host, preset: loom(), tools: [wait] })
    const late = runtime.execute({ id: 'call_1', name: 'wait' }, { deadlineMs: 1000 })
    await host.advance(2000)
    expect(runtime.toWire(await late, { id: 'call_1', name: 'wait' })).toEqual({ Error: { call_id: 'call_1', error: 'Timeout' } })
    expect(toolMessage(await late, { name: 'wait' }).content).toBe('Error: Tool execution timed out')
    const aborted = await runtime.execute({ name: 'read_file', input: { path: 'a.txt' } }, { signal: AbortSignal.abort() })
    expect(toolMessage(aborted, { name: 'read_file' })).toEqual({
      role: 'tool',
      tool_call_id: 'call_1',
      content: 'Error: Internal error: Cannot finish "read_file": the call was aborted',
    })
  })

  it('have status and code for programs, but no hints cap:11', async () => {
    const { runtime } = loomBench()
    const result = await runtime.execute({ id: 'call_123', name: 'read_file', input: { path: 'missing.txt' } })
    expect(result).toEqual({
      ok: false,
      error: 'File not found: /workspace/missing.txt',
      output: {
        status: 'error',
        code: 'ENOENT',
        callId: 'call_123',
        tool: 'read_file',
        recoverable: true,
        path: '/workspace/missing.txt',
        op: 'read',
        tool_error: { FileNotFound: '/workspace/missing.txt' },
      },
    })
  })

  it('answer unreadable or endless input cap:22', async () => {
    const { fail } = loomBench()
    const angry = {
      get path() {
        throw new Error('not for you')
      },
    }
    expect(await fail('read_file', angry)).toBe('Error: Internal error: not for you')
    expect(await fail('edit_file', { path: 'a', edits: new Array(4e9) })).toBe(
      'Error: Serialization error: has more than 10000 fields and items: send less in one call',
    )
    expect(await fail('edit_file', { path: 'a', edits: new Array(2) })).toBe(
      'Error: Serialization error: invalid type: null, expected a map',
    )
  })

  it('have a text when the host rejects a tool or a rate cap:11', async () => {
    const { fail } = loomBench({}, { policy: { tools: [{ tools: 'edit_file', action: 'deny', reason: 'not today' }] } })
    expect(await fail('edit_file', { path: 'a', edits: [] })).toBe('Error: Internal error: Cannot run "edit_file": not today')
  })
})

describe('outcomes of loom', () => {
  const call = { id: 'call_123', name: 'read_file', input: { path: 'missing.txt' } }

  it('are the documented JSON cap:9 cap:10', async () => {
    const { runtime } = loomBench({ 'a.txt': 'x' })
    const failed = await runtime.execute(call)
    expect(JSON.stringify(runtime.toWire(failed, call))).toBe(
      '{"Error":{"call_id":"call_123","error":{"FileNotFound":"/workspace/missing.txt"}}}',
    )
    expect(JSON.stringify(toolMessage(failed, call))).toBe(
      '{"role":"tool","tool_call_id":"call_123","content":"Error: File not found: /workspace/missing.txt"}',
    )
    const read = { ...call, input: { path: 'a.txt' } }
    const done = await runtime.execute(read)
    expect(JSON.stringify(runtime.toWire(done, read))).toBe(
      '{"Success":{"call_id":"call_123","output":{"path":"/workspace/a.txt","contents":"x","truncated":false}}}',
    )
    expect(toolMessage(done, read)).toEqual({
      role: 'tool',
      tool_call_id: 'call_123',
      content: '{"path":"/workspace/a.txt","contents":"x","truncated":false}',
    })
  })

  it('have the id of the call, whatever its type cap:9', async () => {
    const { runtime } = loomBench({ 'a.txt': 'x' })
    const result = await runtime.execute(call)
    const ids = [{ ...call, id: '' }, { name: 'read_file' }, { ...call, id: 7 as unknown as string }].map(
      (each) => toolMessage(result, each).tool_call_id,
    )
    expect(ids).toEqual(['call_123', 'call_123', '7'])
    const done = await runtime.execute({ name: 'list_files' })
    expect(toolMessage(done, { name: 'list_files' }).tool_call_id).toBeNull()
  })

  it('can be created from results of other presets cap:9', () => {
    const output = { status: 'error', code: 'tool_threw', callId: 'c', tool: 't', recoverable: false } as const
    const { toWire } = loom()
    expect(toWire?.({ ok: false, error: 'oh', output }, { name: 't' })).toEqual({ Error: { call_id: 'c', error: { Internal: 'oh' } } })
  })

  it('answer what is not a call cap:9', async () => {
    const { runtime } = loomBench({})
    for (const call of [null, undefined, 5] as unknown[] as { readonly name: string }[]) {
      const result = await runtime.execute(call)
      const { callId } = (result as { readonly output: { readonly callId: string } }).output
      expect(runtime.toWire(result, call)).toMatchObject({ Error: { call_id: callId, error: { InvalidArguments: expect.any(String) } } })
      expect(toolMessage(result, call).content).toMatch(/^Error: Invalid arguments: Cannot run this call: .+$/)
    }
  })

  it('are the same for the same call cap:113', async () => {
    const { ok, fail } = loomBench({ 'a.txt': 'one' })
    const edits = [{ old_str: 'one', new_str: 'two' }]
    expect(await ok('read_file', { path: 'a.txt' })).toEqual(await ok('read_file', { path: 'a.txt' }))
    await ok('edit_file', { path: 'a.txt', edits })
    expect(await fail('edit_file', { path: 'a.txt', edits })).toBe('Error: Invalid arguments: old_str not found: one')
    expect((await ok('read_file', { path: 'a.txt' })).contents).toBe('two')
  })
})
