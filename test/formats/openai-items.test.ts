// @module-tag formats
import { createRuntime, fileTools, shellTools, type ToolResult } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type RunToolCallsOptions, runToolCalls } from 'toolport/formats'
import { afterEach, describe, expect, it } from 'vitest'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function setUp({ withTools = true } = {}) {
  const tools = withTools ? [...fileTools(), ...shellTools()] : []
  const shell = createJustBashShell({ scratch: createMemoryFs() })
  const runtime = createRuntime({ fs: createMemoryFs({ files: { 'a.txt': 'one\ntwo\n', 'd/b.txt': 'b\n' } }), shell, tools })
  closing.push(() => runtime.dispose())
  const answers = async (output: readonly unknown[], options?: RunToolCallsOptions) =>
    (await runToolCalls(runtime, { output }, options)).results
  return { runtime, answers }
}

const shellCall = (action: object, more: object = {}) => ({
  type: 'shell_call',
  id: 'sh_1',
  call_id: 'c1',
  action,
  status: 'completed',
  ...more,
})
const patchCall = (call_id: string, operation: object) => ({
  type: 'apply_patch_call',
  id: `x${call_id}`,
  call_id,
  operation,
  status: 'completed',
})
const exit = (exit_code: number) => ({ type: 'exit', exit_code })

describe('Responses API items', () => {
  it('calls of a custom tool are answered by its name', async () => {
    const { answers } = setUp()
    const own = { grammar: async (input: unknown) => ({ ok: true as const, output: `read ${input}` }) }
    const call = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'grammar', input: 'raw {' }
    expect(await answers([call], { own })).toEqual([{ type: 'custom_tool_call_output', call_id: 'c1', output: 'read raw {' }])
    expect(await answers([call])).toEqual([{ type: 'custom_tool_call_output', call_id: 'c1', output: expect.stringMatching(/grammar/) }])
  })

  it('shell calls run their commands', async () => {
    const { answers } = setUp()
    const action = { commands: ['cat a.txt', 'echo no >&2; exit 3'], timeout_ms: 60_000, max_output_length: 4000 }
    expect(await answers([shellCall(action)])).toEqual([
      {
        type: 'shell_call_output',
        call_id: 'c1',
        output: [
          { stdout: 'one\ntwo\n', stderr: '', outcome: exit(0) },
          { stdout: '', stderr: 'no\n', outcome: exit(3) },
        ],
        max_output_length: 4000,
      },
    ])
    expect(await answers([shellCall({ commands: ['sleep 100'], timeout_ms: 50, max_output_length: null })])).toMatchObject([
      { output: [{ outcome: { type: 'timeout' } }] },
    ])
  })

  it('local shell calls use their arguments, directory and environment', async () => {
    const { answers } = setUp()
    const call = (action: object) => ({ type: 'local_shell_call', id: 'ls_1', call_id: 'c1', action: { type: 'exec', env: {}, ...action } })
    const [answer] = await answers([call({ command: ['printf', '%s|', "it's $A", '$A', ''], working_directory: 'd', env: { A: '1' } })])
    expect(answer).toEqual({ type: 'local_shell_call_output', id: 'c1', output: expect.any(String) })
    expect(JSON.parse((answer as { output: string }).output)).toEqual({ stdout: "it's $A|$A||", stderr: '', outcome: exit(0) })
    const [there] = await answers([call({ command: ['bash', '-c', 'cat b.txt; echo $A'], working_directory: 'd', env: { A: '1' } })])
    expect(there).toMatchObject({ output: expect.stringContaining('b\\n1\\n') })
    const [other] = await answers([call({ command: ['id'], user: 'root' })])
    expect(other).toMatchObject({ output: expect.stringContaining('as \\"root\\"') })
  })

  it('local shell calls without options are answered', async () => {
    const { runtime } = setUp()
    const output = [{ type: 'local_shell_call', id: 'ls_1', call_id: 'c1', action: { type: 'exec', env: {}, command: ['true'] } }]
    const own = { local_shell: () => ({ ok: true, output: { output: [] } }) as const }
    const { results } = await runToolCalls(runtime, { object: 'response', output }, { own })
    expect(results).toEqual([
      { type: 'local_shell_call_output', id: 'c1', output: JSON.stringify({ stdout: '', stderr: '', outcome: exit(0) }) },
    ])
  })

  it('patches are applied', async () => {
    const { runtime, answers } = setUp()
    const found = await answers([
      patchCall('1', { type: 'update_file', path: 'a.txt', diff: '@@\n one\n-two\n+2\n' }),
      patchCall('2', { type: 'create_file', path: 'new.txt', diff: '+new\n' }),
      patchCall('3', { type: 'delete_file', path: 'd/b.txt' }),
      patchCall('4', { type: 'update_file', path: 'a.txt', diff: '@@\n-nowhere\n+x\n' }),
    ])
    const answer = (call_id: string, status: string) => ({ type: 'apply_patch_call_output', call_id, status, output: expect.any(String) })
    expect(found).toEqual([answer('1', 'completed'), answer('2', 'completed'), answer('3', 'completed'), answer('4', 'failed')])
    expect(await runtime.workspace.files()).toEqual({ 'a.txt': 'one\n2\n', 'new.txt': 'new' })
  })

  it('are answered by the caller’s tools first', async () => {
    const { answers } = setUp()
    const seen: unknown[] = []
    const tool = (result: ToolResult) => (input: unknown) => {
      seen.push(input)
      return result
    }
    const output = { status: 'error', code: 'tool_threw', callId: null, tool: 'apply_patch', recoverable: true } as const
    const failed = { ok: false, output, error: 'not mine' } as const
    const own = { shell: tool({ ok: true, output: 'mine' }), apply_patch: tool(failed) }
    const operation = { type: 'delete_file', path: 'a.txt' }
    expect(await answers([shellCall({ commands: ['ls'] }), { type: 'apply_patch_call', call_id: 'c2', operation }], { own })).toMatchObject(
      [{ output: [{ stdout: 'mine', stderr: '', outcome: exit(0) }] }, { status: 'failed', output: expect.stringContaining('not mine') }],
    )
    expect(seen).toEqual([{ commands: ['ls'] }, operation])
  })

  it('are answered with the reason if a tool is missing or the call is invalid', async () => {
    const { answers } = setUp({ withTools: false })
    const patch = (operation: unknown) => ({ type: 'apply_patch_call', call_id: 'c', operation })
    expect(await answers([shellCall({ commands: ['ls'] }), patch({ type: 'delete_file', path: 'a.txt' })])).toMatchObject([
      { output: [{ stdout: '', stderr: expect.stringContaining('no tool "bash"'), outcome: exit(1) }] },
      { status: 'failed', output: expect.stringContaining('no tool "') },
    ])
    const whole = setUp()
    for (const action of [undefined, {}, { commands: 'ls' }])
      expect(await whole.answers([shellCall(action as never)])).toMatchObject([
        { output: [{ stderr: expect.stringContaining('list of strings') }] },
      ])
    for (const operation of [undefined, {}, { path: 'x', type: 'rename' }, { path: 'x', type: 'rename', diff: '' }])
      expect(await whole.answers([patch(operation)])).toMatchObject([{ status: 'failed' }])
  })

  it('items that the provider executed are skipped, and the caller of others is passed on', async () => {
    const { answers } = setUp()
    const caller = { type: 'program', caller_id: 'p1' }
    const output = [
      shellCall({ commands: ['ls'] }, { environment: { type: 'container_reference', container_id: 'x' } }),
      shellCall({ commands: ['ls'] }, { call_id: 'c2' }),
      { type: 'shell_call_output', call_id: 'c2', output: [] },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'tool_search_call', call_id: 'ts_1', execution: 'server' },
      { type: 'function_call', call_id: 'c3', name: 'read_file', arguments: '{"path":"a.txt"}', caller },
    ]
    expect(await answers(output)).toEqual([{ type: 'function_call_output', call_id: 'c3', output: expect.stringContaining('one'), caller }])
  })

  it('items that only the program can answer are listed as unanswered', async () => {
    const { runtime } = setUp()
    const output = [
      { type: 'computer_call', id: 'cu_1', call_id: 'c1', action: {} },
      { type: 'mcp_approval_request', id: 'mcpr_1', name: 'x' },
      { type: 'tool_search_call', id: 'ts_1', call_id: 'c2', execution: 'client' },
      { type: 'web_search_call', id: 'ws_1' },
      { type: 'mcp_call', id: 'mcp_1' },
    ]
    const ran = await runToolCalls(runtime, { output })
    expect(ran).toMatchObject({ calls: [], results: [], reply: output })
    expect(ran.unanswered).toEqual([
      { type: 'computer_call', id: 'c1' },
      { type: 'mcp_approval_request', id: 'mcpr_1' },
      { type: 'tool_search_call', id: 'c2' },
    ])
    const choices = [{ message: { role: 'assistant', function_call: { name: 'read_file', arguments: '{}' } } }]
    expect((await runToolCalls(runtime, { choices })).unanswered).toEqual([{ type: 'function_call', id: 'read_file' }])
    expect((await runToolCalls(runtime, { role: 'assistant', content: [] })).unanswered).toEqual([])
  })

  it('are aborted by the signal', async () => {
    const { answers } = setUp()
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 50)
    const found = await answers([shellCall({ commands: ['sleep 1000'] })], { signal: stop.signal })
    expect(found).toMatchObject([{ type: 'shell_call_output', call_id: 'c1' }])
  })

  it('patches are not applied after an abort', async () => {
    const { runtime, answers } = setUp()
    const before = await runtime.workspace.files()
    const found = await answers([patchCall('1', { type: 'delete_file', path: 'a.txt' })], { signal: AbortSignal.abort() })
    expect(found).toMatchObject([{ call_id: '1', status: 'failed' }])
    expect(await runtime.workspace.files()).toEqual(before)
  })
})
