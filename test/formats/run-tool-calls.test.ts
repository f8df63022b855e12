// @module-tag formats
import { createRuntime, defineTool, reply } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { runToolCalls, toGeminiTools, toOpenAiChatTools, toStrict } from 'toolport/formats'
import { standard } from 'toolport/presets/standard'
import { afterEach, describe, expect, it } from 'vitest'
import { strictProblems } from './strict-linter.js'

const PIXEL = 'iVBORw0KGgo='
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const picture = defineTool({
  name: '1.picture',
  description: 'A picture',
  inputSchema: { type: 'object', properties: { size: { type: 'integer' } }, additionalProperties: false },
  annotations: { readOnlyHint: true },
  run: () =>
    reply({ size: 1 }, [
      { type: 'text', text: 'one pixel' },
      { type: 'image', mediaType: 'image/png', data: PIXEL },
    ]),
})

async function setUp(files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' }) {
  const runtime = createRuntime({ fs: createMemoryFs(), preset: standard() })
  runtime.registry.register(picture)
  for (const [path, text] of Object.entries(files)) await runtime.workspace.writeText(path, text)
  closing.push(() => runtime.dispose())
  const alias = runtime.registry.find('1.picture')?.alias ?? ''
  return { runtime, alias }
}

/** The same two calls in each provider's format. */
const read = { path: 'a.txt' }
const chat = (calls: readonly (readonly [string, string, string])[]) => ({
  choices: [
    {
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        tool_calls: calls.map(([id, name, text]) => ({ id, type: 'function', function: { name, arguments: text } })),
      },
    },
  ],
})

describe('runToolCalls', () => {
  it('answers Chat Completions', async () => {
    const { runtime, alias } = await setUp()
    const response = chat([
      ['call_a', 'read_file', JSON.stringify(read)],
      ['call_b', alias, '{"size":null}'],
    ])
    const { provider, calls, reply, results, messages } = await runToolCalls(runtime, response)
    expect(provider).toBe('openai-chat')
    expect(calls.map(({ id, name, input, result }) => [id, name, input, result.ok])).toEqual([
      ['call_a', 'read_file', read, true],
      // null in strict mode means an omitted property.
      ['call_b', '1.picture', {}, true],
    ])
    expect(reply).toEqual([response.choices[0]?.message])
    expect(results).toEqual([
      { role: 'tool', tool_call_id: 'call_a', content: expect.stringContaining('one') },
      { role: 'tool', tool_call_id: 'call_b', content: 'one pixel\n[image/png]' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Image of 1.picture (call_b):' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
        ],
      },
    ])
    expect(messages).toEqual([...reply, ...results])
  })

  it('answers the Responses API', async () => {
    const { runtime, alias } = await setUp()
    const output = [
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { type: 'function_call', id: 'fc_1', call_id: 'call_a', name: 'read_file', arguments: JSON.stringify({ ...read, offset: null }) },
      { type: 'function_call', id: 'fc_2', call_id: 'call_b', name: alias, arguments: '' },
    ]
    const { provider, reply, results } = await runToolCalls(runtime, { id: 'resp_1', output })
    expect([provider, reply]).toEqual(['openai-responses', output])
    expect(results).toEqual([
      { type: 'function_call_output', call_id: 'call_a', output: expect.stringContaining('one') },
      {
        type: 'function_call_output',
        call_id: 'call_b',
        output: [
          { type: 'input_text', text: 'one pixel\n[image/png]' },
          { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}`, detail: 'auto' },
        ],
      },
    ])
  })

  it('answers Anthropic', async () => {
    const { runtime, alias } = await setUp()
    const content = [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'toolu_a', name: 'read_file', input: { path: 'missing.txt' } },
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
      { type: 'tool_use', id: 'toolu_b', name: alias, input: {} },
    ]
    const { provider, reply, results } = await runToolCalls(runtime, {
      type: 'message',
      role: 'assistant',
      content,
      stop_reason: 'tool_use',
    })
    expect([provider, reply]).toEqual(['anthropic', [{ role: 'assistant', content }]])
    expect(results).toEqual([
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_a', content: expect.stringContaining('ENOENT'), is_error: true },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_b',
            content: [
              { type: 'text', text: 'one pixel\n[image/png]' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
            ],
          },
        ],
      },
    ])
  })

  it('assigns ids to calls without one', async () => {
    const { runtime } = await setUp()
    const { calls } = await runToolCalls(runtime, chat(['', ''].map((id) => [id, 'read_file', JSON.stringify(read)] as const)))
    expect(calls.map(({ id }) => id)).toEqual(['0', '1'])
  })

  it('answers Gemini, with names that it accepts', async () => {
    const { runtime, alias } = await setUp()
    const names = toGeminiTools(runtime).functionDeclarations.map(({ name }) => name)
    expect(names).toContain(`_${alias}`)
    const content = {
      role: 'model',
      parts: [{ functionCall: { id: 'a', name: 'read_file', args: read } }, { functionCall: { name: `_${alias}`, args: {} } }],
    }
    const { provider, calls, reply, results } = await runToolCalls(runtime, { candidates: [{ content }] })
    expect([provider, reply]).toEqual(['gemini', [content]])
    expect(calls.map(({ id, name }) => [id, name])).toEqual([
      ['a', 'read_file'],
      ['1', '1.picture'],
    ])
    expect(results).toEqual([
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'read_file', response: { output: expect.stringContaining('one') } } },
          { functionResponse: { name: `_${alias}`, response: { output: 'one pixel\n[image/png]' } } },
          { inlineData: { mimeType: 'image/png', data: PIXEL } },
        ],
      },
    ])
  })

  it('reports the mistakes of the model and runs the other calls', async () => {
    const { runtime } = await setUp()
    const response = chat([
      ['1', 'write_file', '{"path": "b.txt", "content": "tw'],
      ['2', 'no_such_tool', '{}'],
      ['3', 'read_file', '{"file": "a.txt"}'],
      ['4', 'write_file', '{"path": "b.txt", "content": "two"}'],
    ])
    const { calls, results } = await runToolCalls(runtime, response)
    expect(calls.map(({ result }) => (result.ok ? 'ok' : result.output.code))).toEqual([
      'invalid_input',
      'unknown_tool',
      'invalid_input',
      'ok',
    ])
    expect(results[0]).toMatchObject({ content: expect.stringMatching(/not JSON.*send the complete arguments again/) })
    expect(await runtime.workspace.readText('b.txt')).toMatchObject({ text: 'two' })
  })

  it('returns no messages if the model calls no tool', async () => {
    const { runtime } = await setUp()
    for (const response of [
      { choices: [{ message: { role: 'assistant', content: 'done' } }] },
      { output: [{ type: 'message', content: [] }] },
      { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
      { candidates: [{ content: { role: 'model', parts: [{ text: 'done' }] } }] },
    ])
      expect(await runToolCalls(runtime, response)).toMatchObject({ calls: [], results: [] })
    for (const nothing of [undefined, null, 'text', [], {}, { choices: 'x' }])
      await expect(runToolCalls(runtime, nothing)).rejects.toThrow(TypeError)
  })

  it('lets own tools answer, in the order of the calls', async () => {
    const { runtime } = await setUp()
    const seen: string[] = []
    runtime.on((event) => void (event.type === 'call_start' && seen.push(event.call.name)))
    const own = {
      ask_user: async (input: unknown) => {
        seen.push('ask_user')
        return { ok: true as const, output: { answer: input as never } }
      },
      fails: () => {
        throw new Error('no')
      },
    }
    const response = chat([
      ['1', 'write_file', '{"path": "b.txt", "content": "1"}'],
      ['2', 'ask_user', '{"q": null}'],
      ['3', 'fails', '{}'],
      ['4', 'read_file', '{"path": "b.txt"}'],
    ])
    const { calls } = await runToolCalls(runtime, response, { own })
    expect(seen).toEqual(['write_file', 'ask_user', 'read_file'])
    expect(calls.map(({ result }) => result.ok)).toEqual([true, true, false, true])
    expect(calls[1]?.input).toEqual({ q: null })
  })

  it('stops on abort', async () => {
    const { runtime } = await setUp()
    const stop = new AbortController()
    stop.abort()
    const { calls } = await runToolCalls(runtime, chat([['1', 'read_file', '{"path":"a.txt"}']]), { signal: stop.signal })
    expect(calls[0]?.result).toMatchObject({ ok: false, output: { status: 'aborted' } })
  })

  it('renders open schemas in strict mode, and restores the arguments', async () => {
    const { runtime } = await setUp()
    let given: unknown
    const env = { type: 'object', additionalProperties: { type: 'string' } }
    runtime.registry.register(
      defineTool({
        name: 'open',
        description: 'Takes anything',
        inputSchema: { type: 'object', properties: { env, any: {}, list: { type: 'array', items: {} } }, required: ['env'] },
        run(input) {
          given = input
          return null
        },
      }),
    )
    const tool = toOpenAiChatTools(runtime).find(({ function: { name } }) => name === 'open')
    expect(tool?.function).toMatchObject({ strict: true, parameters: { required: ['env', 'any', 'list'], additionalProperties: false } })
    const said = {
      env: [
        { name: '__proto__', value: 'x' },
        { name: 'A', value: '' },
      ],
      any: '{"a":[1]}',
      list: ['1', 'text', 'null'],
    }
    await runToolCalls(runtime, chat([['1', 'open', JSON.stringify(said)]]))
    expect(given).toEqual({ env: JSON.parse('{"__proto__":"x","A":""}'), any: { a: [1] }, list: [1, 'text', null] })
    await runToolCalls(runtime, chat([['1', 'open', '{"env":{"A":"1"},"any":"1"}']]), { strict: false })
    expect(given).toEqual({ env: { A: '1' }, any: '1' })
  })

  it('renders what strict mode supports, and nothing else', () => {
    const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
    const refused = [
      { type: 'object' },
      object({}, { anyOf: [{ required: ['a'] }] }),
      object({ a: { allOf: [{ type: 'string' }] } }),
      object({ a: { type: 'array', prefixItems: [{ type: 'string' }] } }),
      object({ a: { anyOf: [{}, { type: 'null' }] } }),
      object({ a: { type: ['object', 'null'], additionalProperties: { type: 'string' } } }),
      object({ a: { $ref: '#/definitions/a' } }, { definitions: { a: { type: 'string' } } }),
      object({ a: { type: 'object', properties: { b: { type: 'string' } }, anyOf: [{ required: ['b'] }] } }),
    ]
    expect(refused.map((schema) => toStrict(schema))).toEqual(refused.map(() => undefined))
    const node = object(
      { next: { $ref: '#/$defs/node', description: 'd' }, any: true, kind: { enum: ['a', 1] } },
      { additionalProperties: false },
    )
    const strict = toStrict({ ...object({ node: { $ref: '#/$defs/node' }, list: { type: 'array' } }), $defs: { node } })
    expect(strictProblems(strict?.schema ?? {})).toEqual([])
    let deep: unknown = { next: null, any: '1', kind: null }
    for (let n = 0; n < 20_000; n++) deep = { next: deep, any: null, kind: 'a' }
    expect(() => strict?.restore({ node: deep, list: [] })).not.toThrow()
    expect(strict?.restore({ node: { next: { next: null, any: '[1]', kind: null }, any: null, kind: 1 }, list: ['1', '"x"'] })).toEqual({
      node: { next: { any: [1] }, kind: 1 },
      list: [1, 'x'],
    })
  })

  it('leaves out content that providers reject', async () => {
    const { runtime } = await setUp()
    const images = ['image/gif', 'image/tiff'].map((mediaType) => ({ type: 'image' as const, mediaType, data: 'R0lG' }))
    const gif = defineTool({
      name: 'gif',
      description: 'A picture that moves, and half a character',
      inputSchema: { type: 'object' },
      run: () => reply(1, [{ type: 'text', text: 'x\ud800y' }, ...images]),
    })
    runtime.registry.register(gif)
    const rendered = toOpenAiChatTools(runtime).find(({ function: { name } }) => name === 'gif')
    expect(rendered?.function).toMatchObject({ strict: false, parameters: { type: 'object', properties: {} } })
    const parts = [{ functionCall: { name: 'gif', args: {} } }]
    const shown = await runToolCalls(runtime, { candidates: [{ content: { role: 'model', parts } }] })
    expect(shown.results).toEqual([
      { role: 'user', parts: [{ functionResponse: { name: 'gif', response: { output: 'x\ufffdy\n[image/gif]\n[image/tiff]' } } }] },
    ])
    expect(await runToolCalls(runtime, { role: 'assistant', content: [] })).toMatchObject({ messages: [] })
    const custom = {
      choices: [{ message: { role: 'assistant', tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'grammar', input: 'x' } }] } }],
    }
    expect((await runToolCalls(runtime, custom)).results).toMatchObject([
      { tool_call_id: 'c', content: expect.stringContaining('grammar') },
    ])
    const own = { grammar: () => undefined as never }
    expect((await runToolCalls(runtime, custom, { own })).results).toMatchObject([{ tool_call_id: 'c' }])
  })
})

describe('runToolCalls with a truncated response', () => {
  const input = { path: 'b.txt', content: 'half' }
  const json = JSON.stringify(input)
  it.each([
    [
      'OpenAI, chat',
      {
        choices: [
          {
            finish_reason: 'length',
            message: { role: 'assistant', tool_calls: [{ id: '1', type: 'function', function: { name: 'write_file', arguments: json } }] },
          },
        ],
      },
    ],
    ['OpenAI, responses', { status: 'incomplete', output: [{ type: 'function_call', call_id: '1', name: 'write_file', arguments: json }] }],
    ['Anthropic', { role: 'assistant', stop_reason: 'max_tokens', content: [{ type: 'tool_use', id: '1', name: 'write_file', input }] }],
    [
      'Gemini',
      {
        candidates: [
          { finishReason: 'MAX_TOKENS', content: { role: 'model', parts: [{ functionCall: { name: 'write_file', args: input } }] } },
        ],
      },
    ],
  ])('runs all calls except the last: %s', async (_, response) => {
    const { runtime } = await setUp()
    const ran = await runToolCalls(runtime, response)
    expect(ran.calls).toMatchObject([{ result: { ok: false, output: { code: 'invalid_input' } } }])
    expect(JSON.stringify(ran.messages)).toContain('send the call again')
    expect(await runtime.workspace.exists('b.txt')).toBe(false)
  })
})
