// @module-tag test-kit
import { defineTool, type FetchAdapter } from 'toolport'
import { standard } from 'toolport/presets/standard'
import { type Cassette, type LanguageModelOptions, replayCassette, scriptedModel, type TestRuntime } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { kept, lines, run } from './cassette-support.js'

const PNG = new Uint8Array([0x89, 0x50, 0xff])

describe('the request to a model', () => {
  const ask = (data: unknown) => async (_: TestRuntime, cassette: Cassette) => {
    const prompt = [{ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data }] }]
    await cassette.model(scriptedModel(['Done.'])).doGenerate({ prompt } as unknown as LanguageModelOptions)
  }

  it.each([
    ['bytes', PNG, new Uint8Array([0x89, 0x50, 0xfe]), '{"toolport:bytes":"iVD/"}'],
    ['a buffer', PNG.buffer, new Uint8Array([0x89]).buffer, '{"toolport:bytes":"iVD/"}'],
    ['a URL', new URL('https://a.example/x'), new URL('https://a.example/y'), '{"toolport:url":"https://a.example/x"}'],
    ['a date', new Date(0), new Date(1), '{"toolport:date":"1970-01-01T00:00:00.000Z"}'],
    ['an error', new Error('one'), new Error('two'), '{"toolport:error":{"name":"Error","message":"one"}}'],
    ['a value with toJSON', { toJSON: () => 'one' }, { toJSON: () => 'two' }, '"data":"one"'],
  ])('is recorded readably and compared: %s', async (_, data, other, recorded) => {
    const storage = kept()
    await run(storage, ask(data))
    expect(storage.text).toContain(recorded)
    await run(storage, ask(data))
    await expect(run(storage, ask(other))).rejects.toThrow(/a model differs from line 2 at prompt\[0\]\.content\[0\]\.data/)
  })

  it.each([
    ['a Blob', new Blob(['x'])],
    ['a FormData', new FormData()],
    ['a Map', new Map([['a', 1]])],
    ['a ReadableStream', new ReadableStream()],
  ])('is rejected if it cannot be recorded: %s', async (name, data) => {
    const words = `Cannot record the value: ${name} has no fields to record. Pass its content as text or bytes.`
    const storage = kept()
    await expect(run(storage, ask(data))).rejects.toThrow(words)
    // The run fails even if the loop catches the error.
    await expect(run(storage, (test, cassette) => ask(data)(test, cassette).catch(() => undefined))).rejects.toThrow(words)
    expect(storage.text).toBeUndefined()
  })

  it('may contain a form or bytes', async () => {
    const storage = kept()
    const send = (file: string, body?: BodyInit) => async (_: TestRuntime, cassette: Cassette) => {
      const form = new FormData()
      form.set('model', 'any')
      form.set('file', new Blob([file], { type: 'text/plain' }), 'a.txt')
      const real = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
        Response.json({ size: (await new Request(input, init).arrayBuffer()).byteLength })
      const answer = await cassette.fetch(real)('https://api.example/v1/files', { method: 'POST', body: body ?? form })
      return answer.json()
    }
    const { value } = await run(storage, send('hello'))
    expect(value).toMatchObject({ size: expect.any(Number) })
    expect((await run(storage, send('hello'))).value).toEqual(value)
    expect(lines(storage)[1]).toMatchObject({
      asked: {
        body: [
          { name: 'model', value: 'any' },
          { name: 'file', file: 'a.txt', type: 'text/plain', content: 'hello' },
        ],
      },
    })
    await expect(run(storage, send('hallo'))).rejects.toThrow('a model differs from line 2 at body[1].content')
    const bytes = kept()
    await run(bytes, send('', PNG))
    expect(bytes.text).toContain('"body":{"toolport:bytes":"iVD/"}')
    await expect(run(bytes, send('', new Uint8Array([1, 0xff])))).rejects.toThrow('a model differs from line 2 at body')
  })
})

it('a response of a model keeps its bytes, URLs and errors in a replay', async () => {
  const storage = kept()
  const parts = [
    { type: 'file', mediaType: 'image/png', data: PNG },
    { type: 'source', sourceType: 'url', id: 'a', url: new URL('https://a.example/x') },
    { type: 'error', error: Object.assign(new TypeError('lost'), { code: 'E1', at: new Date(0) }) },
  ]
  const real = {
    doGenerate: async (_: object) => ({ content: parts }),
    doStream: async (_: object) => ({
      stream: new ReadableStream<unknown>({
        start(controller) {
          for (const part of parts) controller.enqueue(part)
          controller.close()
        },
      }),
    }),
  }
  const ask = async (_: TestRuntime, cassette: Cassette): Promise<unknown[]> => {
    const model = cassette.model(real)
    const { content } = await model.doGenerate({})
    const streamed: unknown[] = []
    const { stream } = await model.doStream({})
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read()
      if (done) return [content, streamed]
      streamed.push(value)
    }
  }
  const recorded = await run(storage, ask)
  const replayed = await run(storage, ask)
  expect(replayed).toEqual({ ...recorded, mode: 'replay' })
  expect(replayed.value).toEqual([parts, parts])
})

it('the input and requests of a call may contain bytes', async () => {
  const storage = kept()
  const fetch: FetchAdapter = { name: 'echo', fetch: async ({ body }) => new Response(body as BodyInit) }
  const posting = (body: unknown) => ({
    preset: standard(),
    tools: [
      defineTool({
        name: 'post',
        description: 'Posts.',
        inputSchema: { type: 'object', additionalProperties: true },
        run: async (_, context) => {
          const response = await context.fetch?.fetch({ url: 'https://a.example/', method: 'POST', body })
          return { size: (await response?.arrayBuffer())?.byteLength }
        },
      }),
    ],
  })
  const post = (data: unknown) => (test: TestRuntime) => test.runtime.call('post', { data })
  const recorded = await run(storage, post(PNG), { ...posting(PNG), fetch })
  expect(recorded.value).toEqual({ size: 3 })
  expect(await run(storage, post(PNG), posting(PNG))).toEqual({ ...recorded, mode: 'replay' })
  await expect(run(storage, post(new Uint8Array([1])), posting(PNG))).rejects.toThrow('a call differs from line 2 at input.data')
  await expect(run(storage, post(PNG), posting(new Uint8Array([1, 0xff])))).rejects.toThrow('a fetch differs from line 3 at body')
  expect(await replayCassette(storage.text ?? '', posting(PNG))).toMatchObject({ calls: 1, difference: undefined })
  const refused = 'a Blob has no fields to record'
  await expect(run(kept(), post(PNG), { ...posting(new Blob(['x'])), fetch })).rejects.toThrow(refused)
  await expect(run(kept(), (test) => post(new Blob(['x']))(test).catch(() => undefined), { ...posting(PNG), fetch })).rejects.toThrow(
    refused,
  )
})
