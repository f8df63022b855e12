// @module-tag zeroclaw
import type { JsonSchema } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createWorkspaceMemory } from 'toolport/adapters/workspace-memory'
import {
  type Args,
  createSecurityPolicy,
  createZeroclaw,
  fromZeroclawTool,
  stringParam,
  Tool,
  type Zeroclaw,
  type ZeroclawToolResult,
  zeroclaw,
} from 'toolport/presets/zeroclaw'
import { createTestRuntime, createTestWorkspace } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { turns } from '../runtime/support.js'
import { done, failed } from './zeroclaw-cases.js'
import { type Script, scriptedShell } from './zeroclaw-support.js'

const MARKER = '\n[Output truncated]'

/** A tool that is written as documented. */
class MyTool extends Tool {
  name(): string {
    return 'my_tool'
  }
  description(): string {
    return 'Gives back its parameter'
  }
  parametersSchema(): JsonSchema {
    return { type: 'object', properties: { param: { type: 'string', description: 'What to give back' } }, required: ['param'] }
  }
  async execute(args: unknown): Promise<ZeroclawToolResult> {
    const value = stringParam(args as Args, 'param')
    if (value === 'bad') return { success: false, output: 'half', error: 'It is bad' }
    return { success: true, output: value, error: null }
  }
}

function bench(script?: Script, more: Partial<Parameters<typeof createZeroclaw>[0]> = {}) {
  const { workspace, host } = createTestWorkspace({
    files: { 'a.txt': 'A\n', '.toolport/memory.jsonl': '{"time":1,"text":"likes tea"}\n' },
  })
  const shell = scriptedShell(script)
  const claw = createZeroclaw({ workspace, shell, memory: createWorkspaceMemory(), ...more })
  return { claw, shell, workspace, host }
}

describe('ShellTool, the implementation example', () => {
  const shellTool = (script?: Script) => {
    const { claw, host } = bench()
    return { tool: new claw.ShellTool(createSecurityPolicy(), scriptedShell(script)), host }
  }

  it('has the documented name, description and schema cap:1 cap:2 cap:104 cap:112', () => {
    const { claw } = bench()
    const tool = new claw.ShellTool(createSecurityPolicy({ autonomy: 'full' }), scriptedShell())
    const schema = {
      type: 'object',
      properties: { command: { type: 'string', description: 'Shell command to execute' } },
      required: ['command'],
    }
    expect(tool.name()).toBe('shell')
    expect(tool.description()).toBe('Execute a shell command in the workspace directory')
    expect(tool.parameters_schema()).toEqual(schema)
    expect(tool.parametersSchema()).toEqual(schema)
    expect(tool.spec()).toEqual({ name: 'shell', description: 'Execute a shell command in the workspace directory', parameters: schema })
  })

  it("returns Missing 'command' parameter, which the documented method throws cap:23 cap:110", async () => {
    const { tool } = shellTool()
    for (const args of [{}, { command: 7 }, null, undefined, 'ls', []]) {
      expect(await tool.execute(args)).toEqual(failed("Missing 'command' parameter"))
    }
  })

  it('returns Command cannot be empty cap:108', async () => {
    expect(await shellTool().tool.execute({ command: '  ' })).toEqual(failed('Command cannot be empty'))
  })

  it('returns Command blocked by security policy cap:105', async () => {
    const { success, output, error } = await shellTool().tool.execute({ command: 'shutdown now' })
    expect({ success, output }).toEqual({ success: false, output: '' })
    expect(error).toMatch(/^Command blocked by security policy: ./)
  })

  it('returns the output, truncated at 1,048,576 bytes cap:107', async () => {
    expect(await shellTool(() => ({ stdout: 'files\n' })).tool.execute({ command: 'ls' })).toEqual(done('files\n'))
    const long: Script = (_, { onOutput }) => {
      onOutput?.({ stream: 'stdout', text: 'x'.repeat(2_000_000) })
      return {}
    }
    expect(await shellTool(long).tool.execute({ command: 'ls' })).toEqual(done('x'.repeat(1_048_576) + MARKER))
  })

  it('returns Execution failed with the error of the runtime cap:106', async () => {
    const { tool } = shellTool(() => Promise.reject(new Error('no shell here')))
    expect(await tool.execute({ command: 'ls' })).toEqual(failed('Execution failed: no shell here'))
  })

  it('returns Command timed out cap:107', async () => {
    const { tool } = shellTool((_, { timeoutMs }) => ({ timedOut: timeoutMs === 60_000, exitCode: null }))
    expect(await tool.execute({ command: 'ls' })).toEqual(failed('Command timed out'))
  })
})

describe('the documented zeroclaw tests', () => {
  it('test_tool_execution cap:1', async () => {
    const result = await new MyTool().execute({ param: 'value' })
    expect(result.success).toBe(true)
    expect(result.output).not.toBe('')
  })

  it('test_tool_spec cap:2', () => {
    const spec = new MyTool().spec()
    expect(spec.name).toBe('my_tool')
    expect(spec.description).not.toBe('')
    expect(spec.parameters.type).toBe('object')
  })
})

describe('create_tool_registry cap:17', () => {
  const registryOf = ({ claw, shell }: { claw: Zeroclaw; shell: ReturnType<typeof scriptedShell> }, options = {}) =>
    claw.createToolRegistry(createSecurityPolicy(options), shell)

  it('contains the documented tools by their stable names cap:109 cap:112', () => {
    const names = [...registryOf(bench()).keys()]
    expect(names).toEqual(['shell', 'file_read', 'memory_recall'])
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]*$/)
  })

  it('runs its tools', async () => {
    const tools = registryOf(bench(() => ({ stdout: 'hi' })))
    expect(await tools.get('shell')?.execute({ command: 'ls' })).toEqual(done('hi'))
    expect(await tools.get('file_read')?.execute({ path: 'a.txt' })).toEqual(done('1: A\n[1 lines total]'))
    expect(await tools.get('memory_recall')?.execute({ query: 'tea' })).toMatchObject({ success: true })
  })

  it('shares one policy between its tools', async () => {
    const security = createSecurityPolicy({ maxActionsPerHour: 1 })
    const { claw, shell } = bench()
    const [one, two] = [claw.createToolRegistry(security, shell), claw.createToolRegistry(security, shell)]
    expect(await one.get('shell')?.execute({ command: 'ls' })).toEqual(done(''))
    expect(await two.get('shell')?.execute({ command: 'ls' })).toEqual(failed('Rate limit exceeded: too many actions in the last hour'))
    expect([...registryOf(bench(), { excludedTools: ['shell'] }).keys()]).toEqual(['file_read', 'memory_recall'])
  })

  it('contains the tools whose adapters exist', () => {
    const { workspace } = createTestWorkspace()
    const claw = createZeroclaw({ workspace })
    expect([...claw.tools.keys()]).toEqual(['file_read'])
    expect(claw.createToolRegistry(createSecurityPolicy()).has('shell')).toBe(false)
  })

  it('accepts custom tools, which replace tools of the same name cap:13', async () => {
    const tools = registryOf(bench())
    tools.set('my_tool', new MyTool())
    expect(await tools.get('my_tool')?.execute({ param: 'x' })).toEqual(done('x'))
    tools.set('shell', new MyTool())
    expect(await tools.get('shell')?.execute({ param: 'mine' })).toEqual(done('mine'))
    expect(tools.size).toBe(4)
  })
})

describe('the tools of createZeroclaw', () => {
  it('are run by name cap:8 cap:110', async () => {
    const { claw } = bench(() => ({ stdout: 'hi' }))
    expect(await claw.execute('shell', { command: 'ls' })).toEqual(done('hi'))
    expect(await claw.execute('file_read', { path: 'a.txt' })).toEqual(done('1: A\n[1 lines total]'))
    expect(await claw.execute('nope', {})).toEqual(failed('Unknown tool: nope'))
    expect(await claw.execute('shell')).toEqual(failed("Missing 'command' parameter"))
  })

  it('can include the tools that write, which reject files changed since they were read', async () => {
    const { claw, workspace } = bench(undefined, { fileTools: true })
    expect(await claw.execute('file_write', { path: 'b.txt', content: 'B' })).toEqual(done('Written 1 bytes to b.txt'))
    await claw.execute('file_read', { path: 'b.txt' })
    await workspace.writeText('b.txt', 'somebody else')
    expect(await claw.execute('file_edit', { path: 'b.txt', old_string: 'B', new_string: 'C' })).toEqual(
      failed('Failed to edit file: Cannot edit "/workspace/b.txt": it changed since it was read: read it again'),
    )
  })

  it('are described by their specs, in order cap:2', () => {
    const { claw } = bench()
    claw.tools.set('my_tool', new MyTool())
    expect(claw.specs().map(({ name }) => name)).toEqual(['file_read', 'memory_recall', 'my_tool', 'shell'])
    for (const spec of claw.specs()) {
      expect(Object.keys(spec)).toEqual(['name', 'description', 'parameters'])
      expect(spec.parameters.type).toBe('object')
    }
    expect(claw.specs().at(-1)?.parameters.properties).toHaveProperty('approved')
  })

  it('can be custom, with input validated by their schema cap:1 cap:22', async () => {
    const { claw } = bench()
    claw.tools.set('my_tool', new MyTool())
    expect(await claw.execute('my_tool', { param: 'x' })).toEqual(done('x'))
    expect(await claw.execute('my_tool', { param: 'bad' })).toEqual(failed('It is bad', 'half'))
    expect(await claw.execute('my_tool', {})).toEqual(failed("Missing 'param' parameter"))
    expect(await claw.execute('my_tool', { param: 5 })).toEqual(failed("Invalid 'param' parameter: expected string, got number"))
    expect(await claw.execute('my_tool', [])).toEqual(failed('Invalid arguments: expected object, got array'))
  })

  it('can be any object with the methods, in camel case or snake case cap:1', async () => {
    const { claw } = bench()
    claw.tools.set('plain', {
      name: () => 'plain',
      description: () => 'Plain',
      parameters_schema: () => ({ type: 'object' }),
      execute: async () => ({ success: true, output: 'plain', error: null }),
    })
    expect(await claw.execute('plain', {})).toEqual(done('plain'))
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('boom')
      },
      failed('boom'),
    ],
    ['rejects', () => Promise.reject(new Error('boom')), failed('boom')],
    ['throws a value that is not an error', () => Promise.reject('words'), failed('words')],
    ['returns an object', () => ({ success: true, output: { rows: [1, 'é'] }, error: null }), done('{"rows":[1,"é"]}')],
    ['returns no output', () => ({ success: true }), done('')],
    ['returns no success', () => ({ output: 'x' }), failed('The tool answered without success, output and error')],
    ['returns nothing', () => undefined, failed('The tool answered without success, output and error')],
    ['returns a value that is not JSON', () => ({ success: true, output: new Map() }), failed('The output of the tool is no JSON')],
    ['fails without a message', () => ({ success: false, output: { half: 1 } }), failed('The tool failed without an error', '{"half":1}')],
  ])('never reject: one that %s cap:20 cap:110 cap:111', async (_, execute, expected) => {
    const { claw } = bench()
    claw.tools.set('odd', { name: () => 'odd', description: () => '', parametersSchema: () => ({ type: 'object' }), execute })
    expect(await claw.execute('odd', {})).toEqual(expected)
  })

  it('report an error if they cannot be registered cap:110', async () => {
    const { claw } = bench()
    const broken = { name: () => 'broken tool', description: () => '', parametersSchema: () => ({ type: 'object' }), execute: () => ({}) }
    claw.tools.set('a', broken)
    claw.tools.set('b', { ...broken, name: () => 'b', parametersSchema: () => ({ type: 'array' }) })
    claw.tools.set('c', { name: () => 'c', description: () => '', execute: () => ({}) })
    for (const name of ['a', 'b', 'c']) {
      expect(await claw.execute(name, {})).toMatchObject({ success: false, output: '', error: expect.stringMatching(/^.{10}/) })
    }
  })

  it('stop on the signal and at the deadline of their call cap:110', async () => {
    const { claw, host } = bench()
    const signals: unknown[] = []
    claw.tools.set('slow', {
      name: () => 'slow',
      description: () => '',
      parametersSchema: () => ({ type: 'object' }),
      execute: (_, context) => {
        signals.push(context?.signal)
        return new Promise(() => {})
      },
    })
    const controller = new AbortController()
    const aborted = claw.execute('slow', {}, { signal: controller.signal })
    await turns()
    controller.abort()
    await host.advance(1000)
    expect(await aborted).toEqual(failed('Cannot finish "slow": the call was aborted'))
    const late = claw.execute('slow', {}, { deadlineMs: 10 })
    await host.advance(1000)
    expect(await late).toEqual(failed('Cannot finish "slow": its deadline of 10 ms passed'))
    expect((signals[0] as AbortSignal).aborted).toBe(true)
  })

  it('are unknown if the policy excludes them cap:105', async () => {
    const { claw } = bench(undefined, { security: { excludedTools: ['my_tool', 'shell'] } })
    claw.tools.set('my_tool', new MyTool())
    expect(await claw.execute('my_tool', { param: 'x' })).toEqual(failed('Unknown tool: my_tool'))
    expect(await claw.execute('shell', { command: 'ls' })).toEqual(failed('Unknown tool: shell'))
  })

  it('report an aborted call after dispose(), which can be repeated cap:113', async () => {
    const { claw } = bench()
    await claw.dispose()
    await claw.dispose()
    expect(await claw.execute('file_read', { path: 'a.txt' })).toEqual(failed('Cannot finish "file_read": the call was aborted'))
  })

  it('work on a virtual shell and its files', async () => {
    const { workspace } = createTestWorkspace({ files: { 'a.txt': 'A\n' } })
    const claw = createZeroclaw({ workspace, shell: createJustBashShell({ scratch: createMemoryFs() }), memory: createWorkspaceMemory() })
    expect(await claw.execute('shell', { command: 'cat a.txt' })).toEqual(done('A\n'))
    await claw.dispose()
  })
})

describe('a zeroclaw tool in a runtime', () => {
  it('returns the result format of the preset cap:8', async () => {
    const { runtime } = createTestRuntime({ preset: zeroclaw(), tools: [fromZeroclawTool(new MyTool())] })
    const wire = async (input: unknown) => {
      const call = { name: 'my_tool', input }
      return runtime.toWire(await runtime.execute(call), call)
    }
    expect(await wire({ param: 'x' })).toEqual(done('x'))
    expect(await wire({ param: 'bad' })).toEqual(failed('It is bad', 'half'))
    expect(await wire({})).toEqual(failed("Missing 'param' parameter"))
  })

  it('works like any other tool', async () => {
    const { runtime } = createTestRuntime({ tools: [fromZeroclawTool(new MyTool())] })
    expect(await runtime.call('my_tool', { param: 'x' })).toBe('x')
    expect(await runtime.execute({ name: 'my_tool', input: { param: 'bad' } })).toMatchObject({ ok: false, error: 'It is bad' })
  })
})
