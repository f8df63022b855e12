// @module-tag loaf
import type { RuntimeEvent } from 'toolport'
import type { LoafToolContext, LoafToolResult } from 'toolport/presets/loaf'
import { describe, expect, it } from 'vitest'
import { openLoaf, runOne, tool } from './loaf-setup.js'

function gateOf(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

describe('the registry of loaf', () => {
  it('rejects a duplicate name, and a group with one as a whole cap:12 cap:13', () => {
    const registry = openLoaf().createToolRegistry().register(tool('a'))
    expect(() => registry.register(tool('a'))).toThrow('tool already registered: a')
    expect(() => registry.registerMany([tool('b'), tool('a')])).toThrow('tool already registered: a')
    expect(registry.list().map(({ name }) => name)).toEqual(['a'])
    expect(registry.unregister('none')).toBe(registry)
    expect(registry.get('none')).toBeUndefined()
  })

  it('lists by code unit cap:15', () => {
    const registry = openLoaf()
      .createToolRegistry()
      .registerMany(['b', 'a', 'B', '_', '0'].map((name) => tool(name)))
    expect(registry.list().map(({ name }) => name)).toEqual(['0', 'B', '_', 'a', 'b'])
  })

  it('accepts only its own objects', () => {
    const { ToolRuntime, createToolRegistry } = openLoaf()
    expect(() => new ToolRuntime({ ...createToolRegistry() })).toThrow(TypeError)
    expect(() => createToolRegistry().register(null as never)).toThrow(TypeError)
    expect(() => createToolRegistry().register({ name: 'x', description: 'x' } as never)).toThrow('"run" is not a function')
  })
})

describe('a loaf tool in the documented form', () => {
  it('gets input, time, log and signal cap:4 cap:5 cap:6', async () => {
    const events: RuntimeEvent[] = []
    const loaf = openLoaf({}, { hooks: { onEvent: (event) => events.push(event) } })
    const seen: unknown[] = []
    const logged: string[] = []
    const look = tool('look', (input, { now, log, signal }: LoafToolContext) => {
      seen.push(input, now, signal instanceof AbortSignal)
      log?.('hello')
      return { ok: true, output: null }
    })
    const now = new Date(86_400_000)
    const runtime = new loaf.ToolRuntime(loaf.createToolRegistry().register(look))
    expect(await runtime.execute({ name: 'look', input: { a: [1] } }, { now, log: (message) => logged.push(message) })).toEqual({
      ok: true,
      output: null,
    })
    expect(seen).toEqual([{ a: [1] }, now, true])
    expect(logged).toEqual(['hello'])
    expect(events).toContainEqual({ type: 'log', callId: 'call_1', tool: 'look', message: 'hello' })
    const throwing = (): never => {
      throw new Error('no')
    }
    expect(await runtime.execute({ name: 'look' }, { log: throwing })).toEqual({ ok: true, output: null })
    expect(seen.at(-2)).toBeInstanceOf(Date)
  })

  it('has its results returned unchanged cap:7 cap:20', async () => {
    const loaf = openLoaf()
    const kept: LoafToolResult[] = [
      { ok: true, output: { deep: [1, 'x', null] } },
      { ok: false, output: { status: 'invalid_input', message: 'm' }, error: 'm' },
      { ok: false, output: 'No matches found.' },
      { ok: false, output: null, error: `${'long '.repeat(2000)}end` },
    ]
    for (const result of kept)
      expect(
        await runOne(
          loaf,
          tool('t', async () => result),
        ),
      ).toEqual(result)
    expect(
      await runOne(
        loaf,
        tool('t', () => 'plain' as never),
      ),
    ).toEqual({ ok: true, output: 'plain' })
    expect(
      await runOne(
        loaf,
        tool('t', () => ({ ok: true }) as never),
      ),
    ).toEqual({ ok: true, output: null })
    expect(
      await runOne(
        loaf,
        tool('t', () => ({ ok: true, output: 10n }) as never),
      ),
    ).toEqual({ ok: true, output: '10' })
  })

  it('may throw any value cap:20', async () => {
    const loaf = openLoaf()
    const thrown = (error: unknown) =>
      tool('t', () => {
        throw error
      })
    const output = { callId: 'c', tool: 't', status: 'error' }
    expect(await runOne(loaf, thrown(new Error('boom')))).toEqual({ ok: false, output, error: 'boom' })
    expect(await runOne(loaf, thrown('text'))).toEqual({ ok: false, output, error: 'text' })
    expect(
      await runOne(
        loaf,
        tool('t', () => Promise.reject(new TypeError('late'))),
      ),
    ).toEqual({ ok: false, output, error: 'late' })
    expect(await runOne(loaf, thrown(undefined))).toMatchObject({ ok: false, output })
  })

  it('accepts any object as input: its schema is only for the model', async () => {
    const loaf = openLoaf()
    const strict = {
      ...tool('t', (input) => ({ ok: true, output: Object.keys(input) })),
      inputSchema: { type: 'object', properties: {}, required: ['a'] } as const,
    }
    expect(await runOne(loaf, strict as never, { b: 1 })).toEqual({ ok: true, output: ['b'] })
    expect(await runOne(loaf, strict as never, 'b')).toMatchObject({ ok: false, output: { status: 'invalid_input' } })
  })

  it('can be aborted before and during its run cap:6 cap:21', async () => {
    const loaf = openLoaf({}, { limits: { graceMs: 1 } })
    const started = gateOf()
    const runs: string[] = []
    const hang = tool('hang', (_, { signal }) => {
      runs.push(String(signal?.aborted))
      started.resolve()
      return new Promise(() => {})
    })
    const runtime = new loaf.ToolRuntime(loaf.createToolRegistry().register(hang))
    const aborted = {
      ok: false,
      output: { callId: 'x', tool: 'hang', status: 'aborted' },
      error: 'Cannot finish "hang": the call was aborted',
    }
    expect(await runtime.execute({ id: 'x', name: 'hang' }, { signal: AbortSignal.abort() })).toEqual(aborted)
    expect(runs).toEqual([])
    const controller = new AbortController()
    const running = runtime.execute({ id: 'x', name: 'hang' }, { signal: controller.signal })
    await started.promise
    controller.abort()
    expect(await running).toEqual(aborted)
    expect(runs).toEqual(['false'])
  })

  it('has its own context even if two calls have one id', async () => {
    const loaf = openLoaf()
    const gate = gateOf()
    const clock = tool('clock', async (_, { now }) => {
      await gate.promise
      return { ok: true, output: now.getTime() }
    })
    const runtime = new loaf.ToolRuntime(loaf.createToolRegistry().register(clock))
    const results = [1, 2].map((time) => runtime.execute({ id: 'same', name: 'clock' }, { now: new Date(time) }))
    gate.resolve()
    expect(await Promise.all(results)).toEqual([
      { ok: true, output: 1 },
      { ok: true, output: 2 },
    ])
  })
})

describe('a loaf instance', () => {
  it('never rejects, whatever the call cap:20 cap:110', async () => {
    const loaf = openLoaf()
    const runtime = new loaf.ToolRuntime(loaf.defaultToolRegistry)
    for (const call of [undefined, null, 7, {}, { name: 3 }, { name: 'bash', input: null }]) {
      expect(await runtime.execute(call as never, null as never)).toMatchObject({ ok: false, output: expect.anything() })
    }
    expect(await runtime.execute({ name: 'nope' })).toEqual({
      ok: false,
      output: { callId: null, tool: 'nope', status: 'not_found' },
      error: 'unknown tool: nope',
    })
  })

  it('has its own session, key and registry cap:17 cap:50', async () => {
    const [one, two] = [openLoaf({ 'sub/f': '' }), openLoaf({ 'sub/f': '' })]
    const where = async ({ ToolRuntime, defaultToolRegistry }: typeof one, input: object): Promise<unknown> =>
      (await new ToolRuntime(defaultToolRegistry).execute({ name: 'bash', input })).output
    await where(one, { command: 'cd sub' })
    expect(await where(one, { command: 'pwd' })).toMatchObject({ stdout: '/workspace/sub' })
    expect(await where(two, { command: 'pwd' })).toMatchObject({ stdout: '/workspace' })
  })

  it('has built-in tools that can be run directly in the same session', async () => {
    const { BASH_BUILTIN_TOOLS, FILE_OPS_BUILTIN_TOOLS, ToolRuntime, defaultToolRegistry } = openLoaf({ 'sub/f': 'x\n' })
    const context = { now: new Date() }
    expect(await BASH_BUILTIN_TOOLS[0]?.run({ command: 'cd sub' }, context)).toMatchObject({ ok: true })
    const runtime = new ToolRuntime(defaultToolRegistry)
    expect(await runtime.execute({ name: 'bash', input: { command: 'pwd' } })).toMatchObject({ output: { stdout: '/workspace/sub' } })
    expect(await FILE_OPS_BUILTIN_TOOLS[0]?.run({ file_path: 'sub/f' }, context)).toEqual({ ok: true, output: 'L1: x' })
    expect(await FILE_OPS_BUILTIN_TOOLS[0]?.run({ file_path: 'none' }, context)).toMatchObject({ ok: false })
  })

  it('names the missing adapter', async () => {
    const { ToolRuntime, defaultToolRegistry } = openLoaf({}, { shell: undefined })
    expect(defaultToolRegistry.has('bash')).toBe(true)
    expect(defaultToolRegistry.getModelManifest().map(({ name }) => name)).not.toContain('bash')
    expect(await new ToolRuntime(defaultToolRegistry).execute({ id: 'b', name: 'bash', input: { command: 'true' } })).toEqual({
      ok: false,
      output: { callId: 'b', tool: 'bash', status: 'unsupported' },
      error: 'Cannot run "bash": this runtime has no shell adapter',
    })
  })

  it('applies the policy, and a denied call has status "denied"', async () => {
    const { ToolRuntime, defaultToolRegistry } = openLoaf(
      { 'a.txt': 'x\n' },
      { policy: { tools: [{ tools: 'read_*', action: 'deny', reason: 'not now' }], readOnly: true } },
    )
    const runtime = new ToolRuntime(defaultToolRegistry)
    expect(await runtime.execute({ name: 'read_file', input: { file_path: 'a.txt' } })).toMatchObject({
      ok: false,
      output: { callId: null, tool: 'read_file', status: 'denied' },
    })
    const input = '*** Begin Patch\n*** Add File: b.txt\n+x\n*** End Patch'
    expect(await runtime.execute({ name: 'apply_patch', input: { input } })).toMatchObject({ ok: false })
  })

  it('answers calls after dispose() as aborted', async () => {
    const loaf = openLoaf()
    await loaf.dispose()
    expect(await new loaf.ToolRuntime(loaf.defaultToolRegistry).execute({ name: 'list_dir', input: {} })).toMatchObject({
      output: { status: 'aborted' },
    })
  })
})
