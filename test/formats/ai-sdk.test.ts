// @module-tag formats
// @module-tag drop-ins
import { asSchema, generateText, isStepCount, type ModelMessage, streamText, type ToolSet } from 'ai'
import {
  type CreateRuntimeOptions,
  createRuntime,
  defineTool,
  fileTools,
  type RuntimeEvent,
  type RuntimePolicy,
  searchTools,
  shellTools,
  type ToolRuntime,
} from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type AiSdkOutput, type AiSdkTool, aiSdkApproval, toAiSdkModelOutput, toAiSdkTools } from 'toolport/formats'
import { type ModelScript, type ScriptedStep, scriptedModel } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { withGrowingTime } from '../contract/shell/case.js'
import { toldAtLast } from './ai-sdk-model.js'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function runtimeOver(files: Record<string, string | Uint8Array> = {}, options: Partial<CreateRuntimeOptions> = {}): ToolRuntime {
  return createRuntime({
    fs: createMemoryFs({ files }),
    root: '/workspace',
    shell: createJustBashShell({ scratch: createMemoryFs() }),
    tools: [...fileTools(), ...searchTools(), ...shellTools(), ...(options.tools ?? [])],
    ...(options.policy && { policy: options.policy }),
  })
}

const execute = async (tool: AiSdkTool | undefined, input: unknown, signal?: AbortSignal): Promise<AiSdkOutput[]> => {
  const given = tool?.execute(input, { toolCallId: 'c1', messages: [], abortSignal: signal })
  if (given && Symbol.asyncIterator in given) {
    const outputs: AiSdkOutput[] = []
    for await (const output of given) outputs.push(output)
    return outputs
  }
  return [(await given) as AiSdkOutput]
}

/** Runs the model until it makes no more calls. */
const talk = (
  script: ModelScript,
  tools: ToolSet,
  more: { readonly abortSignal?: AbortSignal; readonly timeout?: { readonly toolMs: number } } = {},
) => {
  const model = scriptedModel(script)
  return { model, answer: generateText({ model, tools, prompt: 'Make the tests pass.', stopWhen: isStepCount(20), ...more }) }
}

describe('toAiSdkTools in generateText', () => {
  it('runs a whole loop of editing, testing and fixing', async () => {
    const runtime = runtimeOver({
      'add.sh': 'echo $(( $1 - $2 ))\n',
      'test.sh': 'got=$(bash add.sh 2 3)\nif [ "$got" = 5 ]; then echo PASS; else echo "FAIL: expected 5, got $got"; exit 1; fi\n',
    })
    const test = (id: string) => [{ id, name: 'bash', input: { command: 'bash test.sh' } }]
    const edit = (id: string, old_string: string) => [
      { id, name: 'edit_file', input: { path: 'add.sh', edits: [{ old_string, new_string: '$1 + $2' }] } },
    ]
    // Includes two mistakes of the model: a call with an unknown argument, and an edit of text that does not exist.
    const steps: ScriptedStep[] = [
      test('run-1'),
      [{ id: 'bad', name: 'read_file', input: { file: 'add.sh' } }],
      [
        { id: 'list', name: 'grep', input: { pattern: 'echo', path: '.' } },
        { id: 'read', name: 'read_file', input: { path: 'add.sh' } },
      ],
      edit('edit-1', '$1 * $2'),
      edit('edit-2', '$1 - $2'),
      test('run-2'),
      'Fixed.',
    ]
    const { model, answer } = talk(steps, toAiSdkTools(runtime))
    expect((await answer).text).toBe('Fixed.')
    expect(await runtime.workspace.files()).toMatchObject({ 'add.sh': 'echo $(( $1 + $2 ))\n' })
    const told = new Map(toldAtLast(model).map(({ toolCallId, output }) => [toolCallId, output]))
    expect([...told.keys()]).toEqual(['run-1', 'bad', 'list', 'read', 'edit-1', 'edit-2', 'run-2'])
    expect(told.get('run-1')).toEqual({ type: 'text', value: 'FAIL: expected 5, got -1\n[exit code 1]' })
    expect(told.get('bad')).toMatchObject({ type: 'error-text', value: expect.stringContaining('path') })
    expect(told.get('read')).toEqual({ type: 'text', value: '     1\techo $(( $1 - $2 ))' })
    expect(told.get('edit-1')).toMatchObject({ type: 'error-text', value: expect.stringContaining('old text is not in the file') })
    expect(told.get('edit-2')).toMatchObject({ type: 'text', value: expect.stringContaining('+echo $(( $1 + $2 ))') })
    expect(told.get('run-2')).toEqual({ type: 'text', value: 'PASS' })
  })

  it('assigns the results of parallel calls to their calls', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `f${index}.txt`)
    const runtime = runtimeOver(Object.fromEntries(names.map((name) => [name, `content of ${name}\n`])))
    const calls = names.map((path) => ({ id: path, name: 'read_file', input: { path, numbered: false } }))
    const { model, answer } = talk([calls, 'Read.'], toAiSdkTools(runtime))
    await answer
    expect(toldAtLast(model)).toHaveLength(50)
    for (const { toolCallId, output } of toldAtLast(model)) expect(output.value).toBe(`content of ${toolCallId}`)
  })

  it('returns images as files', async () => {
    const image = Uint8Array.from(atob(PNG), (char) => char.charCodeAt(0))
    const runtime = runtimeOver({ 'dot.png': image })
    const { model, answer } = talk([{ id: 'look', name: 'read_file', input: { path: 'dot.png' } }, 'A dot.'], toAiSdkTools(runtime))
    await answer
    expect(toldAtLast(model)[0]?.output).toMatchObject({
      type: 'content',
      value: [
        { type: 'text', text: `[/workspace/dot.png: image/png, ${image.length} bytes]` },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG } },
      ],
    })
  })

  it('streams progress as preliminary results, then the result', async () => {
    const model = scriptedModel([{ id: 'c1', name: 'bash', input: { command: 'echo one; sleep 0.05; echo two' } }, 'Done.'])
    const { fullStream } = streamText({ model, tools: toAiSdkTools(runtimeOver()), prompt: 'Count.', stopWhen: isStepCount(5) })
    const results: { readonly preliminary?: boolean; readonly output: unknown }[] = []
    for await (const part of fullStream) if (part.type === 'tool-result') results.push(part)
    expect(results[0]).toMatchObject({ preliminary: true, output: { running: true, text: 'one\n' } })
    expect(results.at(-1)?.preliminary).toBeUndefined()
    expect(results.at(-1)?.output).toMatchObject({ ok: true, output: { stdout: 'one\ntwo\n' } })
  })

  it('stops the running command when the loop is aborted', async () => {
    const runtime = runtimeOver()
    const ends: RuntimeEvent[] = []
    const started = new Promise<void>((resolve) => {
      runtime.on((event) => {
        if (event.type === 'progress') resolve()
        if (event.type === 'call_end') ends.push(event)
      })
    })
    const controller = new AbortController()
    const { answer } = talk([{ id: 'long', name: 'bash', input: { command: 'echo up; sleep 600' } }], toAiSdkTools(runtime), {
      abortSignal: controller.signal,
    })
    const failed = answer.then(
      () => undefined,
      (error: unknown) => error,
    )
    await started
    controller.abort()
    expect(await failed).toMatchObject({ name: 'AbortError' })
    await expect.poll(() => ends.length).toBe(1)
    expect(ends[0]).toMatchObject({ callId: 'long', result: { ok: true, output: { aborted: true, stdout: 'up\n' } } })
  })

  it("stops the command at AI SDK's own tool timeout", async () => {
    const runtime = runtimeOver()
    // Loads the shell before the timeout is tested.
    await runtime.call('bash', { command: 'true' })
    const attempt = async (toolMs: number) => {
      let hasBegun = false
      const ends: RuntimeEvent[] = []
      const off = runtime.on((event) => {
        if (event.type === 'progress') hasBegun = true
        if (event.type === 'call_end') ends.push(event)
      })
      const { model, answer } = talk(
        [{ id: 'long', name: 'bash', input: { command: 'echo up; sleep 600' } }, 'Too long.'],
        toAiSdkTools(runtime),
        { timeout: { toolMs } },
      )
      await answer
      off()
      return { model, hasBegun, ends }
    }
    const { model, ends } = await withGrowingTime(attempt, ({ hasBegun }) => hasBegun)
    expect(ends).toMatchObject([{ callId: 'long', result: { ok: true, output: { timed_out: true } } }])
    expect(toldAtLast(model)[0]?.output).toMatchObject({ type: 'text', value: expect.stringContaining('timed out after') })
  })

  it('keeps open schemas open', async () => {
    const open = defineTool({
      name: 'my.open:tool',
      description: 'Takes anything',
      inputSchema: z.looseObject({ a: z.number() }),
      run: (input) => input as { a: number },
    })
    const runtime = runtimeOver({}, { tools: [open] })
    const tools = toAiSdkTools(runtime)
    for (const { alias, inputSchema, description } of runtime.getModelManifest()) {
      expect(await asSchema(tools[alias]?.inputSchema).jsonSchema).toEqual(inputSchema)
      expect(tools[alias]?.description).toBe(description)
      expect(alias).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    }
    const alias = Object.keys(tools).find((name) => name.startsWith('my_open_tool')) ?? ''
    const { model, answer } = talk([{ id: '1', name: alias, input: { a: 1, b: 2 } }, 'Done.'], tools)
    await answer
    expect(toldAtLast(model)[0]?.output).toEqual({ type: 'text', value: '{"a":1,"b":2}' })
    expect(tools[alias]?.metadata.name).toBe('my.open:tool')
  })
})

describe('toAiSdkTools', () => {
  it('returns progress as preliminary results, each with all output so far', async () => {
    const { bash } = toAiSdkTools(runtimeOver())
    const outputs = await execute(bash, { command: 'echo one; sleep 0.05; echo two' })
    const progress = outputs.slice(0, -1)
    expect(progress.length).toBeGreaterThan(0)
    expect(progress[0]).toMatchObject({ running: true, update: { stream: 'stdout' } })
    expect(progress.at(-1)).toMatchObject({ running: true, text: expect.stringMatching(/^one\n/) })
    expect(outputs.at(-1)).toMatchObject({ ok: true, output: { stdout: 'one\ntwo\n' } })
  })

  it('keeps the end of long progress at a whole character', async () => {
    const chatty = defineTool({
      name: 'chatty',
      description: 'Talks',
      inputSchema: z.strictObject({}),
      async run(_, { progress, host }) {
        for (let at = 0; at < 10; at++) {
          progress({ text: '😀'.repeat(1000) })
          await host.yield()
        }
        progress(7)
        await host.yield()
        return 'said'
      },
    })
    const outputs = await execute(toAiSdkTools(runtimeOver({}, { tools: [chatty] })).chatty, {})
    const texts = outputs.flatMap((output) => ('running' in output ? [output.text] : []))
    expect(texts.length).toBeGreaterThan(1)
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(4097)
      expect(text).not.toMatch(/\p{Surrogate}/u)
    }
    expect(outputs.at(-1)).toEqual({ ok: true, output: 'said' })
  })

  it('has no preliminary results for read-only tools or with the option', async () => {
    const runtime = runtimeOver({ 'a.txt': 'a\n' })
    const { read_file } = toAiSdkTools(runtime)
    expect(read_file?.execute({ path: 'a.txt' }, { toolCallId: '1' })).toBeInstanceOf(Promise)
    expect(await execute(toAiSdkTools(runtime, { preliminary: false }).bash, { command: 'echo a' })).toHaveLength(1)
    expect(await execute(toAiSdkTools(runtime, { preliminary: ['grep'] }).bash, { command: 'echo a' })).toHaveLength(1)
    const reader = toAiSdkTools(runtime, { preliminary: ['read_file'] }).read_file
    expect(Symbol.asyncIterator in Object(reader?.execute({ path: 'a.txt' }, { toolCallId: '1' }))).toBe(true)
  })

  it('offers the selected tools', () => {
    const runtime = runtimeOver()
    expect(Object.keys(toAiSdkTools(runtime, { tools: ['read_file', 'bash'] }))).toEqual(['bash', 'read_file'])
    expect(() => toAiSdkTools(runtime, { tools: ['reed_file'] })).toThrow(TypeError)
    expect(toAiSdkTools(runtime).read_file?.metadata).toEqual({ name: 'read_file', title: 'Read file', readOnly: true, destructive: false })
  })

  it('returns a failure as an output with its model text', async () => {
    const { read_file } = toAiSdkTools(runtimeOver())
    const [output] = await execute(read_file, { path: 'none.txt' })
    expect(output).toMatchObject({ ok: false, output: { code: 'ENOENT', callId: 'c1' } })
    expect(read_file?.toModelOutput({ output: output as AiSdkOutput })).toEqual({
      type: 'error-text',
      value: expect.stringContaining('none.txt'),
    })
  })

  it('answers a call whose signal is already aborted', async () => {
    const [output] = await execute(toAiSdkTools(runtimeOver()).read_file, { path: 'a' }, AbortSignal.abort())
    expect(output).toMatchObject({ ok: false, output: { status: 'aborted' } })
  })

  it('toAiSdkModelOutput reads outputs of a stored history', () => {
    const lost = { running: true, update: null, text: 'half' } as const
    expect(toAiSdkModelOutput(lost)).toEqual({ type: 'error-text', value: 'Error: The call did not finish. Output so far: half' })
    expect(toAiSdkModelOutput('foreign' as unknown as AiSdkOutput)).toEqual({ type: 'text', value: '"foreign"' })
    const stored: AiSdkOutput = JSON.parse(JSON.stringify({ ok: true, output: { a: 1 } }))
    expect(toAiSdkModelOutput(stored)).toEqual({ type: 'text', value: '{"a":1}' })
  })
})

describe('aiSdkApproval', () => {
  const policy: RuntimePolicy = {
    tools: [
      { tools: 'delete_*', action: 'ask', reason: 'it cannot be taken back' },
      { tools: 'move_file', action: 'deny' },
    ],
    commands: ({ command }) => (command.startsWith('rm') ? 'ask' : 'allow'),
  }

  /** Two turns: the model makes a call, and then the call is approved or denied. */
  async function answered(call: { readonly name: string; readonly input: unknown }, approved: boolean, given = policy) {
    const approval = aiSdkApproval(given)
    const runtime = runtimeOver({ 'a.txt': 'a\n' }, { policy: approval.policy })
    const tools: ToolSet = toAiSdkTools(runtime, { approval })
    const model = scriptedModel([{ id: 'c1', ...call }, 'Done.'])
    const messages: ModelMessage[] = [{ role: 'user', content: 'Tidy up.' }]
    const first = await generateText({ model, tools, messages, stopWhen: isStepCount(5) })
    messages.push(...first.response.messages)
    const asked = first.content.filter((part) => part.type === 'tool-approval-request')
    if (asked.length === 0) return { runtime, asked, told: toldAtLast(model) }
    expect(await runtime.workspace.exists('a.txt')).toBe(true)
    messages.push({
      role: 'tool',
      content: asked.map(({ approvalId }) => ({ type: 'tool-approval-response' as const, approvalId, approved })),
    })
    await generateText({ model, tools, messages, stopWhen: isStepCount(5) })
    return { runtime, asked, told: toldAtLast(model) }
  }

  it('asks before a call whose rule is "ask", and runs it after approval', async () => {
    const { runtime, asked, told } = await answered({ name: 'delete_file', input: { path: 'a.txt' } }, true)
    expect(asked).toHaveLength(1)
    expect(told[0]?.output).toEqual({ type: 'text', value: 'Removed file /workspace/a.txt' })
    expect(await runtime.workspace.exists('a.txt')).toBe(false)
  })

  it('does not run a call that is not approved', async () => {
    const { runtime, told } = await answered({ name: 'delete_file', input: { path: 'a.txt' } }, false)
    expect(told[0]?.output).toMatchObject({ type: 'execution-denied' })
    expect(await runtime.workspace.exists('a.txt')).toBe(true)
  })

  it('asks about commands like the command policy', async () => {
    const { runtime, asked, told } = await answered({ name: 'bash', input: { command: 'rm a.txt' } }, true)
    expect(asked).toHaveLength(1)
    expect(told[0]?.output).toEqual({ type: 'text', value: '(no output)' })
    expect(await runtime.workspace.exists('a.txt')).toBe(false)
    const free = await answered({ name: 'bash', input: { command: 'cat a.txt' } }, true)
    expect(free.asked).toHaveLength(0)
    expect(free.told[0]?.output).toEqual({ type: 'text', value: 'a' })
  })

  it('does not ask about denied calls', async () => {
    const { asked, told } = await answered({ name: 'move_file', input: { from: 'a.txt', to: 'b.txt' } }, true)
    expect(asked).toHaveLength(0)
    expect(told[0]?.output).toMatchObject({ type: 'error-text', value: expect.stringContaining('move_file') })
  })

  it('does not apply an approval to a direct call, another call or an older one', async () => {
    const approval = aiSdkApproval(policy)
    const runtime = runtimeOver({ 'a.txt': 'a\n' }, { policy: approval.policy })
    const { delete_file } = toAiSdkTools(runtime, { approval, preliminary: false })
    const question = (toolCallId: string) => ({
      role: 'assistant',
      content: [{ type: 'tool-approval-request', approvalId: 'q', toolCallId }],
    })
    const answer = (approved: boolean) => ({ role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'q', approved }] })
    const attempts: readonly (readonly unknown[])[] = [
      [],
      [null, 'text', { role: 'tool', content: 'text' }],
      [answer(true)],
      [question('other'), answer(true)],
      [question('c1'), answer(false)],
      [question('c1'), answer(true), { role: 'user', content: 'Go on.' }],
    ]
    for (const messages of attempts) {
      const output = await delete_file?.execute({ path: 'a.txt' }, { toolCallId: 'c1', messages })
      expect(output).toMatchObject({ ok: false, output: { code: 'approval_required' } })
    }
    const output = await delete_file?.execute({ path: 'a.txt' }, { toolCallId: 'c1', messages: [question('c1'), answer(true)] })
    expect(output).toMatchObject({ ok: true })
  })

  it("passes requests that AI SDK did not ask about to the policy's own approve", async () => {
    const requests: string[] = []
    const approval = aiSdkApproval({
      ...policy,
      approve: ({ tool }) => {
        requests.push(tool)
        return true
      },
    })
    const runtime = runtimeOver({ 'a.txt': 'a\n' }, { policy: approval.policy })
    expect(await runtime.execute({ name: 'delete_file', input: { path: 'a.txt' } })).toMatchObject({ ok: true })
    expect(requests).toEqual(['delete_file'])
  })

  it('denies a call that AI SDK approved without asking', async () => {
    const approval = aiSdkApproval(policy)
    const runtime = runtimeOver({ 'a.txt': 'a\n' }, { policy: approval.policy })
    const tools: ToolSet = toAiSdkTools(runtime, { approval })
    const model = scriptedModel([{ id: 'c1', name: 'delete_file', input: { path: 'a.txt' } }, 'Done.'])
    const toolApproval = { delete_file: 'approved' as const }
    await generateText({ model, tools, toolApproval, prompt: 'Tidy up.', stopWhen: isStepCount(5) })
    expect(toldAtLast(model)[0]?.output).toMatchObject({ type: 'error-text', value: expect.stringContaining('approval') })
    expect(await runtime.workspace.exists('a.txt')).toBe(true)
  })

  it('does not apply the approval of a call to a path that was not shown', async () => {
    const approval = aiSdkApproval({ ...policy, paths: [{ paths: ['a.txt'], action: 'ask' as const }] })
    const runtime = runtimeOver({ 'a.txt': 'a\n' }, { policy: approval.policy })
    const call = { id: 'c1', name: 'delete_file', input: { path: 'a.txt' } }
    expect(await approval.granted(call, () => runtime.execute(call))).toMatchObject({ ok: false, output: { status: 'denied' } })
    expect(await runtime.workspace.files()).toEqual({ 'a.txt': 'a\n' })
  })

  it('keeps the rest of the policy, and a failing command policy denies', async () => {
    const given = { paths: [{ paths: ['secret'], action: 'deny' as const }], commands: () => Promise.reject(new Error('down')) }
    const approval = aiSdkApproval(given)
    expect(approval.policy.paths).toBe(given.paths)
    expect(await approval.asks({ id: '1', name: 'bash', input: { command: 'ls' } })).toBe(false)
  })
})
