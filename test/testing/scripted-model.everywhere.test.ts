// @module-tag test-kit
import Anthropic from '@anthropic-ai/sdk'
import { generateText, isStepCount, jsonSchema, type LanguageModel, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { runToolCalls, toAiSdkTools, toAnthropicTools, toOpenAiChatTools, toOpenAiResponsesTools } from 'toolport/formats'
import { createTestRuntime, type ModelScript, type ScriptedModel, scriptedModel } from 'toolport/testing'
import { describe, expect, it } from 'vitest'

const FILES = { 'a.ts': 'const port = 80\n', 'b.ts': 'const host = "x"\n' }
const edit = { path: 'a.ts', edits: [{ old_string: '80', new_string: '8080' }] }
const ASKED = 'Set the port to 8080.'

/** Reads two files in parallel, edits one, and reports that. */
const LOOP: ModelScript = [
  [
    { name: 'read_file', input: { path: 'a.ts' } },
    { name: 'read_file', input: { path: 'b.ts' } },
  ],
  { text: 'I see.', calls: [{ name: 'edit_file', input: edit }] },
  ({ messages }) => (messages.at(-1)?.text.includes('8080') ? 'The port is 8080 now.' : 'It failed.'),
]

/** The interface that the providers of AI SDK implement. */
type LanguageModelV4 = Extract<LanguageModel, { specificationVersion: 'v4' }>

/** Runs a client's loop and returns its final text. */
type Client = (model: ScriptedModel, test: ReturnType<typeof createTestRuntime>, signal?: AbortSignal) => Promise<string | null>

const openai = (model: ScriptedModel): OpenAI =>
  new OpenAI({ apiKey: 'none', fetch: model.fetch, dangerouslyAllowBrowser: true, maxRetries: 0 })
const anthropic = (model: ScriptedModel): Anthropic =>
  new Anthropic({ apiKey: 'none', fetch: model.fetch, dangerouslyAllowBrowser: true, maxRetries: 0 })

const chat =
  (stream: boolean): Client =>
  async (model, { runtime }, signal) => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: ASKED }]
    const tools = toOpenAiChatTools(runtime) as unknown as OpenAI.ChatCompletionTool[]
    for (;;) {
      const { completions } = openai(model).chat
      const request = { model: 'gpt', messages, tools }
      const completion = stream
        ? await completions.stream(request, { signal }).finalChatCompletion()
        : await completions.create(request, { signal })
      const ran = await runToolCalls(runtime, completion)
      if (ran.calls.length === 0) return completion.choices[0]?.message.content ?? null
      messages.push(...(ran.messages as OpenAI.ChatCompletionMessageParam[]))
    }
  }

const responses =
  (stream: boolean): Client =>
  async (model, { runtime }, signal) => {
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: ASKED }]
    const tools = toOpenAiResponsesTools(runtime) as unknown as OpenAI.Responses.Tool[]
    for (;;) {
      const request = { model: 'gpt', input, tools }
      const client = openai(model).responses
      const response = stream ? await client.stream(request, { signal }).finalResponse() : await client.create(request, { signal })
      const ran = await runToolCalls(runtime, response)
      if (ran.calls.length === 0) return response.output_text
      input.push(...(ran.messages as unknown as OpenAI.Responses.ResponseInputItem[]))
    }
  }

const messagesApi =
  (stream: boolean): Client =>
  async (model, { runtime }, signal) => {
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: ASKED }]
    const tools = toAnthropicTools(runtime) as unknown as Anthropic.Tool[]
    for (;;) {
      const request = { model: 'claude', max_tokens: 1000, messages, tools }
      const client = anthropic(model).messages
      const message = stream ? await client.stream(request, { signal }).finalMessage() : await client.create(request, { signal })
      const ran = await runToolCalls(runtime, message)
      if (ran.calls.length === 0) return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
      messages.push(...(ran.messages as unknown as Anthropic.MessageParam[]))
    }
  }

const aiSdk =
  (stream: boolean): Client =>
  async (model, { runtime }, abortSignal) => {
    const checked: LanguageModelV4 = model
    const options = { model: checked, tools: toAiSdkTools(runtime), prompt: ASKED, stopWhen: isStepCount(9), maxRetries: 0, abortSignal }
    if (!stream) return (await generateText(options)).text
    const result = streamText({ ...options, onError: () => {} })
    for await (const part of result.fullStream) {
      if (part.type === 'error') throw part.error
    }
    return result.text
  }

const CLIENTS: readonly (readonly [string, Client])[] = [
  ['AI SDK', aiSdk(false)],
  ['AI SDK, streamed', aiSdk(true)],
  ['OpenAI chat completions', chat(false)],
  ['OpenAI chat completions, streamed', chat(true)],
  ['OpenAI responses', responses(false)],
  ['OpenAI responses, streamed', responses(true)],
  ['Anthropic messages', messagesApi(false)],
  ['Anthropic messages, streamed', messagesApi(true)],
]

describe.each(CLIENTS)('%s', (name, client) => {
  it('edits a file in a complete loop', async () => {
    const test = createTestRuntime({ files: FILES })
    const model = scriptedModel(LOOP)
    expect(await client(model, test)).toBe('The port is 8080 now.')
    expect(await test.files()).toEqual({ ...FILES, 'a.ts': 'const port = 8080\n' })
    expect(test.calls.map((call) => [call.id, call.name, call.result.ok])).toEqual([
      ['scripted_1', 'read_file', true],
      ['scripted_2', 'read_file', true],
      ['scripted_3', 'edit_file', true],
    ])
    expect(model.remaining).toBe(0)
    expect(model.requests.map(({ stream }) => stream)).toEqual(Array(3).fill(name.includes('streamed')))
    const last = model.requests.at(-1)
    expect(last?.tools).toContain('edit_file')
    const told = last?.messages ?? []
    expect(told.map(({ role }) => role).filter((role) => role === 'user' || role === 'tool')).toEqual(['user', 'tool', 'tool', 'tool'])
    expect(told[0]).toEqual({ role: 'user', text: ASKED })
    expect(told.flatMap(({ calls = [] }) => calls)).toMatchObject([
      { id: 'scripted_1', name: 'read_file', input: { path: 'a.ts' } },
      { id: 'scripted_2', name: 'read_file', input: { path: 'b.ts' } },
      { id: 'scripted_3', name: 'edit_file', input: edit },
    ])
    expect(told.filter(({ role }) => role === 'tool').map(({ callId }) => callId)).toEqual(['scripted_1', 'scripted_2', 'scripted_3'])
    expect(told.find(({ callId }) => callId === 'scripted_2')?.text).toContain('const host = "x"')
  })

  it('fails a request beyond the script with the reason', async () => {
    const asked = client(scriptedModel([{ name: 'read_file', input: { path: 'a.ts' } }]), createTestRuntime({ files: FILES }))
    await expect(asked).rejects.toThrow(
      /Cannot answer model request 2: the script has 1 step\. Add a step to scriptedModel.*Last message \(tool\): .*const port = 80/s,
    )
  })

  it('passes malformed calls to the client like a model', async () => {
    const test = createTestRuntime({ files: FILES })
    const model = scriptedModel([{ name: 'read_file', arguments: '{"path" a.ts' }, ({ messages }) => messages.at(-1)?.text ?? ''])
    // The clients' stream helpers reject invalid arguments themselves.
    const end = await client(model, test).catch((error: Error) => error.message)
    expect(end).toMatch(/JSON|expected object/)
    expect(test.calls.some(({ result }) => result.ok)).toBe(false)
  })

  it.each([
    ['immediately', (abort: () => void) => queueMicrotask(abort)],
    ['later', (abort: () => void) => void setTimeout(abort, 5)],
  ])('ends a stall with the abort reason, aborted %s', async (_, later) => {
    const controller = new AbortController()
    const step = () => {
      later(() => controller.abort())
      return { text: 'Let me', stall: true }
    }
    await expect(client(scriptedModel([step]), createTestRuntime(), controller.signal)).rejects.toThrow(/abort/i)
  })

  it('fails with the status and message of a scripted error', async () => {
    const asked = client(scriptedModel([{ error: { status: 429, message: 'Too many tokens' } }]), createTestRuntime())
    const error = await asked.catch((cause: unknown) => cause as { status?: number; statusCode?: number; message: string })
    expect(error).toMatchObject({ message: expect.stringContaining('Too many tokens') })
    const { status, statusCode } = error as { status?: number; statusCode?: number }
    expect(status ?? statusCode).toBe(429)
  })

  it('fails if the connection or the provider fails in the middle of a response', async () => {
    for (const error of [{ status: 0 }, { status: 500, message: 'Broken' }]) {
      await expect(client(scriptedModel([{ text: 'Let me', error }]), createTestRuntime())).rejects.toThrow()
    }
  })
})

it('ends a stalled stream of AI SDK with the abort reason', async () => {
  const controller = new AbortController()
  const model: LanguageModelV4 = scriptedModel([{ text: 'Let me', stall: true }])
  const { stream } = await model.doStream({ prompt: [], abortSignal: controller.signal })
  const types: string[] = []
  const read = async (): Promise<void> => {
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read()
      if (done) return
      types.push(value.type)
      if (value.type === 'text-end') controller.abort(new Error('enough'))
    }
  }
  await expect(read()).rejects.toThrow('enough')
  expect(types).toEqual(['stream-start', 'text-start', 'text-delta', 'text-delta', 'text-end'])
})

it('streams text in the pieces of the script', async () => {
  const model = scriptedModel([{ text: ['Hel', 'lo'], usage: { input: 3, output: 2 } }, 'two words'])
  const client = openai(model)
  const pieces = async (): Promise<(string | null | undefined)[]> => {
    const read = []
    const stream = await client.chat.completions.create({
      model: 'gpt',
      messages: [],
      stream: true,
      stream_options: { include_usage: true },
    })
    for await (const { choices, usage } of stream) read.push(choices[0]?.delta.content ?? String(usage?.total_tokens))
    return read
  }
  expect(await pieces()).toEqual(['', 'Hel', 'lo', 'undefined', '5'])
  expect(await pieces()).toEqual(['', 'two ', 'words', 'undefined', '0'])
})

it('refuses like each provider', async () => {
  const script: ModelScript = [{ refusal: 'I cannot help.' }]
  const text = { model: 'm', messages: [{ role: 'user' as const, content: 'x' }] }
  const completion = await openai(scriptedModel(script)).chat.completions.create(text)
  expect(completion.choices[0]?.message).toMatchObject({ content: null, refusal: 'I cannot help.' })
  const response = await openai(scriptedModel(script)).responses.create({ model: 'm', input: 'x' })
  expect(response.output).toMatchObject([{ content: [{ type: 'refusal', refusal: 'I cannot help.' }] }])
  const message = await anthropic(scriptedModel(script)).messages.create({ ...text, max_tokens: 9 })
  expect(message).toMatchObject({ stop_reason: 'refusal', content: [{ text: 'I cannot help.' }] })
  const generated = await generateText({ model: scriptedModel(script), prompt: 'x' })
  expect(generated).toMatchObject({ text: 'I cannot help.', finishReason: 'content-filter' })
})

it('truncates a response at the token limit', async () => {
  const script: ModelScript = [{ text: 'half', finish: 'length' }]
  const message = { role: 'user' as const, content: 'x' }
  const completion = await openai(scriptedModel(script)).chat.completions.create({ model: 'm', messages: [message] })
  expect(completion.choices[0]?.finish_reason).toBe('length')
  const response = await openai(scriptedModel(script)).responses.create({ model: 'm', input: 'x' })
  expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
  const answered = await anthropic(scriptedModel(script)).messages.create({ model: 'm', max_tokens: 9, messages: [message] })
  expect(answered.stop_reason).toBe('max_tokens')
  expect((await generateText({ model: scriptedModel(script), prompt: 'x' })).finishReason).toBe('length')
})

it('lets AI SDK retry only retryable errors', async () => {
  const asks = async (status: number): Promise<number> => {
    const model = scriptedModel([{ error: { status, headers: { 'retry-after-ms': '0' } } }, 'Done.'])
    await generateText({ model, prompt: 'x', maxRetries: 1 }).catch(() => {})
    return model.requests.length
  }
  expect(await asks(429)).toBe(2)
  expect(await asks(400)).toBe(1)
})

it('names the paths that it serves in the error for another', async () => {
  const answer = await scriptedModel([]).fetch('https://api.example.com/v1/embeddings', { method: 'POST' })
  expect(answer.status).toBe(404)
  expect(await answer.text()).toContain('Cannot answer POST /v1/embeddings: the scripted model answers POST to .../chat/completions')
})

it('supports a tool of AI SDK that is not in the runtime', async () => {
  const model = scriptedModel([{ name: 'add', input: { a: 1, b: 2 } }, ({ messages }) => `It is ${messages.at(-1)?.text}.`])
  const add = tool({
    inputSchema: jsonSchema<{ a: number; b: number }>({ type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } }),
    execute: ({ a, b }) => a + b,
  })
  expect((await generateText({ model, tools: { add }, prompt: '1 + 2?', stopWhen: isStepCount(3) })).text).toBe('It is 3.')
})
