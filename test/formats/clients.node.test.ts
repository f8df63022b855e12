// @module-tag clients
import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk'
import type { CallableTool } from '@google/genai'
import { ToolMessage } from '@langchain/core/messages'
import { tool as langChainTool } from '@langchain/core/tools'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { type FunctionTool, RunContext } from '@openai/agents'
import { type AnyTool, ToolCallManager } from '@tanstack/ai'
import { createBashTool, type Sandbox } from 'bash-tool'
import { createRuntime, defineTool, reply, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import {
  bashToolSandbox,
  toAiSdkTools,
  toAnthropicRunnableTools,
  toAnthropicTools,
  toGeminiCallableTool,
  toGeminiTools,
  toMcpTools,
  toOpenAiAgentsTools,
  toOpenAiChatTools,
  toOpenAiResponsesTools,
  toTanStackTools,
} from 'toolport/formats'
import { toLangChainTools } from 'toolport/formats/langchain'
import { standard } from 'toolport/presets/standard'
import { scriptedModel } from 'toolport/testing'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { watched } from './drop-ins/support.js'

const PIXEL = 'iVBORw0KGgo='
const picture = defineTool({
  name: 'img.picture',
  description: 'A picture',
  inputSchema: { type: 'object', properties: { size: { type: 'integer' } }, additionalProperties: false },
  annotations: { readOnlyHint: true },
  run: () =>
    reply({ size: 1 }, [
      { type: 'text', text: 'one pixel' },
      { type: 'image', mediaType: 'image/png', data: PIXEL },
    ]),
})
/** Ends only when the call is aborted. */
const wait = defineTool({
  name: 'wait',
  description: 'Waits',
  inputSchema: { type: 'object', properties: {} },
  run: (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
})

const closing: ToolRuntime[] = []
afterEach(async () => {
  for (const runtime of closing.splice(0)) await runtime.dispose()
})

/** A runtime with these tools, and the ids of its calls. */
function setUp() {
  const ids: string[] = []
  const runtime = createRuntime({
    fs: createMemoryFs({ files: { 'a.json': '{"a":  1}' } }),
    preset: standard(),
    hooks: { onEvent: (event) => event.type === 'call_start' && ids.push(event.callId) },
  })
  runtime.registry.register(picture)
  runtime.registry.register(wait)
  closing.push(runtime)
  return { runtime, ids }
}

/** The tool with this name. */
function named<Tool extends { readonly name: string }>(tools: readonly Tool[], name: string): Tool {
  const found = tools.find((tool) => tool.name === name)
  if (!found) throw new Error(`no ${name}`)
  return found
}

/** All objects inside a value, including frozen ones. */
function objectsIn(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found
  found.add(value)
  for (const key of Reflect.ownKeys(value)) objectsIn((value as Record<PropertyKey, unknown>)[key], found)
  return found
}

describe('tool definitions for clients', () => {
  const FORMS: Readonly<Record<string, (runtime: ToolRuntime) => unknown>> = {
    'runtime.getModelManifest': (runtime) => runtime.getModelManifest(),
    'registry.getModelManifest': ({ registry }) => registry.getModelManifest(),
    toOpenAiChatTools,
    'toOpenAiChatTools without strict': (runtime) => toOpenAiChatTools(runtime, { strict: false }),
    toOpenAiResponsesTools,
    toAnthropicTools,
    toGeminiTools,
    toMcpTools,
    toAiSdkTools: (runtime) => Object.values(toAiSdkTools(runtime)).map(({ inputSchema }) => inputSchema),
    toAnthropicRunnableTools: (runtime) =>
      toAnthropicRunnableTools(runtime).map((tool) => ('input_schema' in tool ? tool.input_schema : {})),
    toOpenAiAgentsTools: (runtime) => toOpenAiAgentsTools(runtime).map((tool) => ('parameters' in tool ? tool.parameters : {})),
    toTanStackTools: (runtime) => toTanStackTools(runtime).map(({ inputSchema }) => inputSchema),
    toLangChainTools: (runtime) => toLangChainTools(runtime).map(({ schema }) => schema),
  }

  it.each(Object.keys(FORMS))('%s are copies: a client that changes them affects no other', async (form) => {
    const { runtime } = setUp()
    await runtime.registry.loadOutputSchemas()
    const give = (): unknown => FORMS[form]?.(runtime)
    const first = JSON.stringify(give())
    const given = [...objectsIn(give())].filter((object) => typeof object !== 'function')
    expect(given.filter((object) => Object.isFrozen(object))).toEqual([])
    for (const object of given) Object.assign(object, { 'x-changed': true })
    expect(JSON.stringify(give())).toBe(first)
    expect(first).toContain('"properties"')
  })

  it.each(['runtime.getModelManifest', 'toAnthropicTools', 'toMcpTools'] as const)(
    '%s have schemas for tool() of LangChain',
    async (form) => {
      const { runtime } = setUp()
      for (const entry of (FORMS[form]?.(runtime) ?? []) as readonly Readonly<Record<string, unknown>>[]) {
        const { name, alias = name, description, inputSchema, input_schema } = entry
        const schema = (inputSchema ?? input_schema) as Record<string, unknown>
        const made = langChainTool(async (input) => JSON.stringify(input), {
          name: String(alias),
          description: String(description),
          schema,
        })
        expect(convertToOpenAITool(made).function.name).toBe(alias)
        if (name === 'read_file') expect(await made.invoke({ path: 'a.json' })).toBe('{"path":"a.json"}')
      }
    },
  )
})

const MISSING = { path: 'none.txt' }
const INVALID = { path: 7 }

async function wordsFor(runtime: ToolRuntime, input: unknown): Promise<string> {
  const result = await runtime.execute({ name: 'read_file', input })
  return result.ok ? '' : result.error
}

describe('schemas of a manifest', () => {
  it('are copies that a client may change', async () => {
    const { runtime } = setUp()
    const { inputSchema } = named(runtime.getModelManifest(), 'read_file')
    const { properties } = inputSchema as { properties: Record<string, unknown> }
    properties.added = { type: 'string' }
    expect(JSON.stringify(runtime.getModelManifest())).not.toContain('"added"')
    expect(await wordsFor(runtime, { path: 'a.json', added: 'x' })).toContain('added')
  })
})

describe('LangChain', () => {
  const call = (name: string, args: Record<string, unknown>) => ({ type: 'tool_call' as const, id: 'call_1', name, args })

  it('answers a tool call with a result message', async () => {
    const { runtime, ids } = setUp()
    const tools = toLangChainTools(runtime)
    const message: unknown = await named(tools, 'read_file').invoke(call('read_file', { path: 'a.json' }))
    expect(message).toBeInstanceOf(ToolMessage)
    expect(message).toMatchObject({ status: 'success', tool_call_id: 'call_1', name: 'read_file', artifact: { ok: true } })
    expect((message as ToolMessage).content).toContain('{"a":  1}')
    expect(ids).toEqual(['call_1'])
  })

  it('returns our error text for invalid input and failed calls', async () => {
    const { runtime } = setUp()
    const read = named(toLangChainTools(runtime), 'read_file')
    for (const input of [MISSING, INVALID]) {
      const message = (await read.invoke(call('read_file', input as Record<string, string>))) as ToolMessage
      expect(message.status).toBe('error')
      expect(message.content).toContain(await wordsFor(runtime, input))
      await expect(read.invoke(input as { path: string })).rejects.toThrow(await wordsFor(runtime, input))
    }
  })

  it('returns text for plain arguments, images as parts, and stops on abort', async () => {
    const { runtime } = setUp()
    const tools = toLangChainTools(runtime)
    expect(await named(tools, 'read_file').invoke({ path: 'a.json' })).toContain('{"a":  1}')
    const name = runtime.registry.find('img.picture')?.alias ?? ''
    expect(await named(tools, name).invoke({})).toEqual([
      { type: 'text', text: 'one pixel\n[image/png]' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
    ])
    const stopped = await named(tools, 'wait').invoke(call('wait', {}), { signal: AbortSignal.timeout(10) })
    expect(stopped).toMatchObject({ status: 'error', content: expect.stringContaining('aborted') })
  })

  it('describes every tool like the manifest', () => {
    const { runtime } = setUp()
    const functions = toLangChainTools(runtime).map((tool) => convertToOpenAITool(tool).function)
    const expected = runtime.getModelManifest().map(({ alias, description }) => ({ name: alias, description }))
    expect(functions).toMatchObject(expected)
    expect(functions.map(({ parameters }) => parameters)).toMatchObject(expected.map(() => ({ type: 'object' })))
  })
})

describe('OpenAI Agents', () => {
  const invoke = (tools: FunctionTool[], name: string, input: string, signal?: AbortSignal) => {
    const toolCall = { type: 'function_call', callId: 'call_1', name, arguments: input, status: 'completed' } as const
    return named(tools, name).invoke(new RunContext(), input, { toolCall, ...(signal && { signal }) })
  }

  it('answers calls with results, failures, invalid JSON, strict-mode nulls and images', async () => {
    const { runtime, ids } = setUp()
    const tools: FunctionTool[] = toOpenAiAgentsTools(runtime)
    expect(await invoke(tools, 'read_file', '{"path":"a.json","offset":null,"limit":null}')).toContain('{"a":  1}')
    expect(await invoke(tools, 'read_file', JSON.stringify(MISSING))).toContain(await wordsFor(runtime, MISSING))
    expect(await invoke(tools, 'read_file', '{"path":')).toMatch(/^Error: .*not JSON/)
    const name = runtime.registry.find('img.picture')?.alias ?? ''
    expect(await invoke(tools, name, '')).toEqual([
      { type: 'text', text: 'one pixel\n[image/png]' },
      { type: 'image', image: `data:image/png;base64,${PIXEL}` },
    ])
    expect(ids).toContain('call_1')
  })

  it('stops a call on abort', async () => {
    const { runtime } = setUp()
    expect(await invoke(toOpenAiAgentsTools(runtime), 'wait', '{}', AbortSignal.timeout(10))).toMatch(/aborted/)
  })
})

describe('Anthropic', () => {
  const runner = (runtime: ToolRuntime, steps: Parameters<typeof scriptedModel>[0]) => {
    const model = scriptedModel(steps)
    const client = new Anthropic({ apiKey: 'none', fetch: model.fetch as ClientOptions['fetch'], maxRetries: 0 })
    const tools = toAnthropicRunnableTools(runtime)
    const messages: Anthropic.Beta.BetaMessageParam[] = [{ role: 'user', content: 'Go' }]
    const done = client.beta.messages.toolRunner({ model: 'claude-sonnet-5-5', max_tokens: 100, messages, tools }).runUntilDone()
    return done.then(() => model.requests.at(-1)?.body as { messages: { content: unknown }[] })
  }

  it('the tool runner answers calls with results, failures with is_error, and images', async () => {
    const { runtime, ids } = setUp()
    const name = runtime.registry.find('img.picture')?.alias ?? ''
    const calls = [
      { id: 'toolu_1', name: 'read_file', input: { path: 'a.json' } },
      { id: 'toolu_2', name: 'read_file', input: MISSING },
      { id: 'toolu_3', name: 'read_file', input: INVALID },
      { id: 'toolu_4', name, input: {} },
    ]
    const { messages } = await runner(runtime, [calls, 'Done.'])
    expect(ids).toEqual(['toolu_1', 'toolu_2', 'toolu_3', 'toolu_4'])
    expect(messages.at(-1)?.content).toEqual([
      expect.objectContaining({ tool_use_id: 'toolu_1', content: expect.stringContaining('{"a":  1}') }),
      expect.objectContaining({
        tool_use_id: 'toolu_2',
        is_error: true,
        content: expect.stringContaining(`Error: ${await wordsFor(runtime, MISSING)}`),
      }),
      expect.objectContaining({ tool_use_id: 'toolu_3', is_error: true, content: expect.stringContaining('path') }),
      expect.objectContaining({
        tool_use_id: 'toolu_4',
        content: [
          { type: 'text', text: 'one pixel\n[image/png]' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
        ],
      }),
    ])
  })
})

describe('Gemini', () => {
  it('the callable tool answers calls, also of unknown names', async () => {
    const { runtime } = setUp()
    const tool: CallableTool = toGeminiCallableTool(runtime)
    const { functionDeclarations } = await tool.tool()
    expect(functionDeclarations?.map(({ name }) => name)).toContain('read_file')
    const calls = [{ name: 'read_file', args: { path: 'a.json' } }, { name: 'read_file', args: MISSING }, { name: 'none' }]
    expect(await tool.callTool(calls)).toMatchObject([
      { functionResponse: { name: 'read_file', response: { output: expect.stringContaining('{"a":  1}') } } },
      { functionResponse: { response: { error: expect.stringContaining(await wordsFor(runtime, MISSING)) } } },
      { functionResponse: { name: 'none', response: { error: expect.stringContaining('unknown tool') } } },
    ])
    expect(await tool.callTool([])).toEqual([])
  })

  it('stops calls on abort', async () => {
    const { runtime } = setUp()
    const tool = toGeminiCallableTool(runtime, { signal: AbortSignal.timeout(10) })
    expect(await tool.callTool([{ name: 'wait', args: {} }])).toMatchObject([{ functionResponse: { response: { error: /aborted/ } } }])
  })
})

describe('TanStack AI', () => {
  it('answers calls with unchanged JSON text, failures as errors, and images', async () => {
    const { runtime } = setUp()
    const tools: AnyTool[] = toTanStackTools(runtime)
    const manager = new ToolCallManager(tools as ConstructorParameters<typeof ToolCallManager>[0])
    const name = runtime.registry.find('img.picture')?.alias ?? ''
    const calls = [
      ['read_file', { path: 'a.json', numbered: false }],
      ['read_file', MISSING],
      [name, {}],
    ] as const
    for (const [index, [toolCallName, input]] of calls.entries()) {
      const base = { toolCallId: `c${index}`, toolCallName, toolName: toolCallName, timestamp: 0 }
      manager.addToolCallStartEvent({ type: 'TOOL_CALL_START', index, ...base } as never)
      manager.completeToolCall({ type: 'TOOL_CALL_END', input, ...base } as never)
    }
    const run = manager.executeTools({ type: 'RUN_FINISHED' } as never)
    let step = await run.next()
    while (!step.done) step = await run.next()
    expect(step.value).toMatchObject([
      { role: 'tool', toolCallId: 'c0', content: [{ type: 'text', content: expect.stringContaining('{"a":  1}') }] },
      { content: expect.stringContaining(await wordsFor(runtime, MISSING)) },
      {
        content: [
          { type: 'text', content: 'one pixel\n[image/png]' },
          { type: 'image', source: { type: 'data', value: PIXEL, mimeType: 'image/png' } },
        ],
      },
    ])
  })
})

describe('bash-tool', () => {
  it('runs commands and reads and writes files through the tools of the runtime', async () => {
    const { runtime, asked } = watched({ 'a.txt': 'one\n' })
    closing.push(runtime)
    const sandbox: Sandbox = bashToolSandbox(runtime)
    const { tools } = await createBashTool({ sandbox, destination: runtime.workspace.cwd, files: { 'b.txt': 'two\n' } })
    const context = { toolCallId: '1', messages: [], context: {} } as never
    expect(await tools.bash.execute?.({ command: 'cat a.txt b.txt; exit 3' }, context)).toMatchObject({ stdout: 'one\ntwo\n', exitCode: 3 })
    expect(await tools.readFile.execute?.({ path: 'b.txt' }, context)).toEqual({ content: 'two\n' })
    await tools.writeFile.execute?.({ path: 'deep/c.bin', content: 'three' }, context)
    await sandbox.writeFiles([{ path: 'd.bin', content: Buffer.from([0, 255]) }])
    expect(await runtime.workspace.readBytes('d.bin')).toMatchObject({ bytes: new Uint8Array([0, 255]) })
    expect(new Set(asked)).toEqual(new Set(['bash', 'read_file', 'write_file']))
    await expect(sandbox.readFile('none.txt')).rejects.toThrow(/ENOENT.*none\.txt/)
    await expect(sandbox.readFile('../x')).rejects.toThrow()
  })
})

it('clients that convert schemas with zod get every tool', async () => {
  const { runtime } = watched()
  closing.push(runtime)
  const tools = toMcpTools(runtime)
  expect(tools.map(({ name }) => name)).toContain('bash')
  for (const { inputSchema } of tools) expect(() => z.fromJSONSchema(inputSchema as never)).not.toThrow()
})

it('every format names a missing runtime', () => {
  for (const make of [
    toAnthropicRunnableTools,
    toGeminiCallableTool,
    toLangChainTools,
    toOpenAiAgentsTools,
    toTanStackTools,
    bashToolSandbox,
  ])
    expect(() => make(undefined as never)).toThrow(/needs a ToolRuntime/)
})

it('the types of the SDKs accept what the formats return', () => {
  const { runtime } = setUp()
  const accepted: [
    Anthropic.ToolUnion[],
    import('openai').default.ChatCompletionTool[],
    import('openai').default.Responses.Tool[],
    Parameters<Anthropic['beta']['messages']['toolRunner']>[0]['tools'],
  ] = [toAnthropicTools(runtime), toOpenAiChatTools(runtime), toOpenAiResponsesTools(runtime), toAnthropicRunnableTools(runtime)]
  expect(accepted.every((tools) => tools.length > 0)).toBe(true)
})
