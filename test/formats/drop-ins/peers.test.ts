// @module-tag drop-ins
import Anthropic from '@anthropic-ai/sdk'
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory'
import { Agent, applyPatchTool, Runner, shellTool } from '@openai/agents-core'
import { assistantMessage, ScriptedModel } from '@openai/agents-core/testing'
import { generateText, isStepCount, tool } from 'ai'
import { aiSdkSandbox, anthropicMemory, openAiEditor, openAiShell } from 'toolport/formats'
import { scriptedModel } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { toldAtLast } from '../ai-sdk-model.js'
import { rejection, runtimeOver } from './support.js'

const PROGRAM = {
  'add.sh': 'echo $(( $1 - $2 ))\n',
  'test.sh': 'got=$(bash add.sh 2 3)\nif [ "$got" = 5 ]; then echo PASS; else echo "FAIL: expected 5, got $got"; exit 1; fi\n',
}

describe('AI SDK: generateText with a sandbox', () => {
  const sandboxOf = ({
    experimental_sandbox: sandbox,
  }: {
    experimental_sandbox?: Parameters<typeof generateText>[0]['experimental_sandbox']
  }) => {
    if (!sandbox) throw new Error('there is no sandbox')
    return sandbox
  }
  const tools = {
    shell: tool({
      inputSchema: z.object({ command: z.string() }),
      execute: ({ command }, options) =>
        sandboxOf(options).run({ command, ...(options.abortSignal && { abortSignal: options.abortSignal }) }),
    }),
    read: tool({
      inputSchema: z.object({ path: z.string(), startLine: z.number().optional() }),
      execute: ({ path, startLine }, options) => sandboxOf(options).readTextFile({ path, ...(startLine !== undefined && { startLine }) }),
    }),
    write: tool({
      inputSchema: z.object({ path: z.string(), content: z.string() }),
      execute: async ({ path, content }, options) => {
        await sandboxOf(options).writeTextFile({ path, content })
        return 'written'
      },
    }),
  }

  it('runs a loop of tools that use the sandbox', async () => {
    const runtime = runtimeOver(PROGRAM)
    const model = scriptedModel([
      { id: 'test-1', name: 'shell', input: { command: 'bash test.sh' } },
      { id: 'read', name: 'read', input: { path: 'add.sh' } },
      { id: 'outside', name: 'write', input: { path: '/etc/passwd', content: 'x' } },
      { id: 'write', name: 'write', input: { path: 'add.sh', content: 'echo $(( $1 + $2 ))\n' } },
      { id: 'test-2', name: 'shell', input: { command: 'bash test.sh' } },
      'Fixed.',
    ])
    const { text } = await generateText({
      model,
      tools,
      prompt: 'Make the tests pass.',
      stopWhen: isStepCount(20),
      experimental_sandbox: aiSdkSandbox(runtime),
    })
    expect(text).toBe('Fixed.')
    const told = new Map(toldAtLast(model).map(({ toolCallId, output }) => [toolCallId, output]))
    expect(told.get('test-1')?.value).toEqual({ exitCode: 1, stdout: 'FAIL: expected 5, got -1\n', stderr: '' })
    expect(told.get('read')?.value).toBe(PROGRAM['add.sh'])
    expect(told.get('outside')).toMatchObject({ type: 'error-text', value: expect.stringContaining('outside the workspace') })
    expect(told.get('test-2')?.value).toEqual({ exitCode: 0, stdout: 'PASS\n', stderr: '' })
    expect((await runtime.workspace.readText('add.sh')).text).toBe('echo $(( $1 + $2 ))\n')
  })

  it('stops a command on the signal of the loop', async () => {
    const runtime = runtimeOver()
    const controller = new AbortController()
    runtime.on((event) => {
      if (event.type === 'progress') controller.abort(new Error('enough'))
    })
    const model = scriptedModel([{ id: '1', name: 'shell', input: { command: 'echo up; sleep 600' } }])
    const answer = generateText({
      model,
      tools,
      prompt: 'Go.',
      stopWhen: isStepCount(2),
      abortSignal: controller.signal,
      experimental_sandbox: aiSdkSandbox(runtime),
    })
    expect((await rejection(answer)).message).toBe('enough')
  })
})

describe('OpenAI Agents: a run with both tools', () => {
  const shellCall = (callId: string, ...commands: string[]) => ({
    type: 'shell_call' as const,
    callId,
    status: 'completed' as const,
    action: { commands },
  })
  const editCall = (
    callId: string,
    operation: { type: 'update_file' | 'create_file'; path: string; diff: string } | { type: 'delete_file'; path: string },
  ) => ({
    type: 'apply_patch_call' as const,
    callId,
    status: 'completed' as const,
    operation,
  })

  it('runs tests, fails to edit, edits and runs them again', async () => {
    const runtime = runtimeOver(PROGRAM)
    const model = new ScriptedModel([
      [shellCall('s1', 'bash test.sh', 'cat add.sh')],
      [editCall('e1', { type: 'update_file', path: 'add.sh', diff: '-echo $(( $1 * $2 ))\n+echo $(( $1 + $2 ))\n' })],
      [editCall('e2', { type: 'update_file', path: 'add.sh', diff: '-echo $(( $1 - $2 ))\n+echo $(( $1 + $2 ))\n' })],
      [
        editCall('e3', { type: 'create_file', path: '../outside', diff: '+x\n' }),
        editCall('e4', { type: 'create_file', path: 'notes.md', diff: '+done\n+\n' }),
      ],
      [shellCall('s2', 'bash test.sh', 'cat notes.md')],
      [assistantMessage('Fixed.')],
    ])
    const agent = new Agent({
      name: 'fixer',
      model,
      tools: [shellTool({ shell: openAiShell(runtime) }), applyPatchTool({ editor: openAiEditor(runtime) })],
    })
    const result = await new Runner({ tracingDisabled: true }).run(agent, 'Make the tests pass.')
    expect(result.finalOutput).toBe('Fixed.')
    const outputs = new Map(
      result.newItems.flatMap((item) => {
        const raw = item.rawItem as { readonly type?: string; readonly callId?: string } | undefined
        return raw?.type?.endsWith('_call_output') ? [[raw.callId, raw]] : []
      }),
    )
    expect(outputs.get('s1')).toMatchObject({
      output: [
        { stdout: 'FAIL: expected 5, got -1\n', outcome: { type: 'exit', exitCode: 1 } },
        { stdout: PROGRAM['add.sh'], outcome: { type: 'exit', exitCode: 0 } },
      ],
    })
    expect(outputs.get('e1')).toMatchObject({ status: 'failed', output: expect.stringContaining('has lines that are not in the file') })
    expect(outputs.get('e2')).toMatchObject({ status: 'completed' })
    expect(outputs.get('e3')).toMatchObject({ status: 'failed', output: expect.stringContaining('outside the workspace') })
    expect(outputs.get('e4')).toMatchObject({ status: 'completed' })
    expect(outputs.get('s2')).toMatchObject({ output: [{ stdout: 'PASS\n' }, { stdout: 'done\n' }] })
    model.assertComplete()
  })
})

interface Asked {
  readonly messages: readonly { readonly content: unknown }[]
}

/** A `fetch` that answers with these contents in order, and records the requests. */
function api(contents: readonly unknown[]): { readonly fetch: typeof fetch; readonly asked: readonly Asked[] } {
  const asked: Asked[] = []
  const answer = (request: Asked): Response => {
    const content = contents[asked.length] as readonly { readonly type: string }[]
    asked.push(request)
    return Response.json({
      id: `msg_${asked.length}`,
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content,
      stop_reason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    })
  }
  return { fetch: async (url, init) => answer(await new Request(url, init).json()), asked }
}

describe("Anthropic: betaMemoryTool in the SDK's own tool runner", () => {
  it('keeps memories in the workspace', async () => {
    const runtime = runtimeOver({ 'secret.txt': 's' })
    const use = (id: string, input: unknown) => [{ type: 'tool_use', id, name: 'memory', input }]
    const { fetch, asked } = api([
      use('1', { command: 'view', path: '/memories' }),
      use('2', { command: 'create', path: '/memories/a.md', file_text: 'one\ntwo\n' }),
      use('3', { command: 'view', path: '/memories/../secret.txt' }),
      use('4', { command: 'str_replace', path: '/memories/a.md', old_str: 'two', new_str: '2' }),
      [{ type: 'text', text: 'Remembered.' }],
    ])
    const client = new Anthropic({ apiKey: 'none', fetch, maxRetries: 0, dangerouslyAllowBrowser: true })
    const message = await client.beta.messages.toolRunner({
      model: 'claude',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Remember this.' }],
      tools: [betaMemoryTool(anthropicMemory(runtime))],
    })
    expect(message.content).toMatchObject([{ type: 'text', text: 'Remembered.' }])
    const results = asked.slice(1).flatMap(({ messages }) => messages.at(-1)?.content)
    expect(results).toMatchObject([
      { tool_use_id: '1', content: expect.stringContaining('0B\t/memories') },
      { tool_use_id: '2', content: 'File created successfully at: /memories/a.md' },
      { tool_use_id: '3', is_error: true, content: 'Error: Path /memories/../secret.txt would escape /memories directory' },
      { tool_use_id: '4', content: expect.stringContaining('The memory file has been edited.') },
    ])
    expect(await runtime.workspace.files()).toEqual({ 'memories/a.md': 'one\n2\n', 'secret.txt': 's' })
  })
})
