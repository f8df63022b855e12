// @module-tag mcp
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import type { McpHandlerOptions } from 'toolport/mcp'
import { afterEach, describe, expect, it } from 'vitest'
import { ended, startCli } from './cli-support.js'
import { HEADERS, LOOP, nextCall, serveHttp, standardRuntime } from './mcp-support.js'

interface Message {
  readonly id?: number | string | null
  readonly result?: object
  readonly error?: { readonly code: number; readonly message: string }
}

const BATCHES = '2025-03-26'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const rpc = (message: object): object => ({ jsonrpc: '2.0', ...message })
const ping = (id: number): object => rpc({ id, method: 'ping' })
const initialize = (protocolVersion: string): object =>
  rpc({ id: 1, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } } })
const INITIALIZED = rpc({ method: 'notifications/initialized' })
const cancel = (requestId: number): object => rpc({ method: 'notifications/cancelled', params: { requestId } })
const MODERN = rpc({
  id: 9,
  method: 'tools/list',
  params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} } },
})
const pong = (id: number): object => ({ jsonrpc: '2.0', id, result: {} })
const refusal = (words: string) => ({ jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.stringContaining(words) } })

/** Valid JSON-RPC with parameters of a wrong type, and the start of the error. */
const WRONG_PARAMS: readonly (readonly [params: unknown, words: string])[] = [
  [[], '"params": expected object, got array.'],
  ['x', '"params": expected object, got string.'],
  [5, '"params": expected object, got number.'],
  [null, '"params": expected object, got null.'],
  [{ _meta: 'x' }, '"params._meta": expected object, got string.'],
  [{ _meta: { progressToken: {} } }, '"params._meta.progressToken": expected string or number, got object.'],
  [{ _meta: { progressToken: 1.5 } }, '"params._meta.progressToken": expected string or integer, got number.'],
]
const invalidParams = (id: number | null, words: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32602, message: `Cannot read the message: ${words} Correct the parameters and send the message again.` },
})

const REFUSED: readonly (readonly [why: string, batch: readonly unknown[], words: string])[] = [
  ['is empty', [], 'Cannot take a batch: it is empty'],
  ['has too many messages', Array.from({ length: 101 }, (_, at) => ping(at)), 'it has more than 100 messages'],
  ['has "initialize"', [ping(3), initialize(BATCHES)], '"initialize" and requests that name their own version stand alone'],
  ['contains a request of the handshake-free protocol', [ping(3), MODERN], 'stand alone'],
  ['contains the same id twice', [ping(3), ping(3)], 'two of its requests have the id 3'],
]

describe('JSON-RPC batches over stdio', () => {
  /** Sends these lines, ends stdin, and returns the server's output without the response to the handshake. */
  async function answersTo(...lines: readonly unknown[]): Promise<readonly (Message | readonly Message[])[]> {
    const child = startCli(tmpdir(), ['mcp', '--memory', '--shell', 'virtual'])
    const end = ended(child)
    child.stdin.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const { code, stdout } = await end
    expect(code).toBe(0)
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter((answer) => answer.id !== 1)
  }

  /** Sends these lines, keeps stdin open until the server has sent `count` answers, and returns these answers. */
  async function firstAnswers(count: number, ...lines: readonly unknown[]): Promise<readonly unknown[]> {
    const child = startCli(tmpdir(), ['mcp', '--memory', '--shell', 'virtual'])
    const end = ended(child)
    child.stdin.write([initialize(BATCHES), INITIALIZED, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''))
    const answers: unknown[] = []
    for await (const line of createInterface(child.stdout)) {
      const answer = JSON.parse(line)
      if (answer.id !== 1) answers.push(answer)
      if (answers.length === count) break
    }
    child.stdin.end()
    await end
    return answers
  }

  const begun = (...lines: readonly unknown[]) => answersTo(initialize(BATCHES), INITIALIZED, ...lines)

  it('are answered as one batch, without answers to notifications', async () => {
    const invalid = (id: number | null) => ({ jsonrpc: '2.0', id, error: { code: -32600, message: expect.stringMatching(/^Cannot /) } })
    // Invalid messages are answered at once, requests later.
    expect(await begun([ping(3), INITIALIZED, 5, { id: 7 }, ping(4)], [INITIALIZED], [5], ping(8))).toEqual([
      [invalid(null)],
      [invalid(null), invalid(7), pong(3), pong(4)],
      pong(8),
    ])
  })

  it('are answered if a request has wrong parameters, also outside a batch, and a notification with wrong ones is not', async () => {
    const requests = WRONG_PARAMS.map(([params], at) => rpc({ id: at + 10, method: 'tools/call', params }))
    const errors = WRONG_PARAMS.map(([, words], at) => invalidParams(at + 10, words))
    const notification = rpc({ method: 'notifications/initialized', params: [] })
    // With a wrong envelope too, the message is not JSON-RPC.
    const broken = [
      { id: 7, method: 'ping', params: [] },
      rpc({ id: null, method: 'ping', params: [] }),
      rpc({ id: 8, method: 'ping', params: [], result: {} }),
    ]
    const answers = await begun(...requests, notification, [notification], [...requests, notification, ping(3)], ...broken)
    const notRead = [7, null, 8].map((id) => ({ jsonrpc: '2.0', id, error: { code: -32600, message: expect.any(String) } }))
    expect(answers.filter((answer) => !Array.isArray(answer))).toEqual([...errors, ...notRead])
    expect(answers.filter((answer) => Array.isArray(answer))).toEqual([[...errors, pong(3)]])
  })

  it('are answered even if one request has a method of another version', async () => {
    const discover = rpc({ id: 3, method: 'server/discover' })
    const error = { code: -32602, message: expect.any(String) }
    expect(await begun([discover, ping(4)])).toEqual([expect.arrayContaining([expect.objectContaining({ id: 3, error }), pong(4)])])
  })

  it('leave out a cancelled request, and are written when the connection ends', async () => {
    const loop = (id: number) => rpc({ id, method: 'tools/call', params: LOOP })
    expect(await begun([loop(3), ping(4)], cancel(3), [loop(5), ping(6)])).toEqual([[pong(4)], [pong(6)]])
  })

  it('reject a second request with an open id and never swap answers', async () => {
    const slow = (id: number, word: string) =>
      rpc({ id, method: 'tools/call', params: { name: 'bash', arguments: { command: `sleep 0.3; echo ${word}` } } })
    const twice = { jsonrpc: '2.0', id: 3, error: { code: -32600, message: expect.stringContaining('a request with this id is open') } }
    const slowly = (word: string) => ({
      jsonrpc: '2.0',
      id: 3,
      result: { content: [{ type: 'text', text: expect.stringContaining(word) }] },
    })
    // The answers to a batch are one line.
    expect(await firstAnswers(2, slow(3, 'alone'), [ping(3), ping(4)])).toEqual([[twice, pong(4)], slowly('alone')])
    expect(await firstAnswers(3, [slow(3, 'batched'), ping(4)], ping(3), [ping(3)])).toEqual([twice, [twice], [pong(4), slowly('batched')]])
    expect(await firstAnswers(1, slow(3, 'gone'), cancel(3), ping(3))).toEqual([pong(3)])
  })

  it.each(REFUSED)('are rejected if the batch %s', async (_, batch, words) => {
    expect(await begun(batch)).toEqual([refusal(words)])
  })

  it.each([
    ['2025-06-18', 'this client uses 2025-06-18'],
    ['2024-11-05', 'this client uses 2024-11-05'],
  ])('are rejected for %s', async (version, words) => {
    expect(await answersTo(initialize(version), [ping(3)], ping(4))).toEqual([refusal(words), pong(4)])
  })

  it('are rejected before the handshake', async () => {
    expect(await answersTo([initialize(BATCHES)])).toEqual([refusal('only the protocol 2025-03-26 has batches')])
  })
})

describe('JSON-RPC batches over HTTP', () => {
  async function serve(options: McpHandlerOptions = {}) {
    const runtime = standardRuntime()
    const { url, close } = await serveHttp(runtime, options)
    closing.push(() => runtime.dispose(), close)
    const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
      fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body: JSON.stringify(body) })
    const begin = async (version: string): Promise<Readonly<Record<string, string>>> => {
      const response = await post(initialize(version))
      await response.text()
      return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' }
    }
    return { runtime, post, begin }
  }

  const messagesOf = async (response: Response): Promise<readonly Message[]> =>
    [...(await response.text()).matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data as string))

  it('are answered on one stream', async () => {
    const { post, begin } = await serve()
    const session = await begin(BATCHES)
    const response = await post([ping(3), INITIALIZED, ping(4)], session)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await messagesOf(response)).toEqual([pong(3), pong(4)])
    expect((await post([INITIALIZED, INITIALIZED], session)).status).toBe(202)
    expect(await messagesOf(await post([ping(3)], session))).toEqual([pong(3)])
  })

  it('continue when one of their requests is cancelled', async () => {
    const { runtime, post, begin } = await serve()
    const session = await begin(BATCHES)
    const { running, ended: over } = nextCall(runtime)
    const command = 'until [ -e go ]; do sleep 0.01; done; echo went'
    const answers = post(
      [
        rpc({ id: 3, method: 'tools/call', params: LOOP }),
        rpc({ id: 4, method: 'tools/call', params: { name: 'bash', arguments: { command } } }),
      ],
      session,
    ).then(messagesOf)
    await running
    // A batch with an id that is in use is rejected as a whole.
    const twice = await post([ping(8), ping(4)], session)
    expect([twice.status, await twice.json()]).toMatchObject([400, { id: 4, error: { code: -32600 } }])
    expect((await post(cancel(3), session)).status).toBe(202)
    expect(await over).toMatchObject({ output: { aborted: true } })
    await runtime.workspace.writeText('go', '')
    const [first, second] = (await answers).filter(({ id }) => id !== undefined)
    expect(first).toMatchObject({ id: 3, error: { message: 'The request was cancelled.' } })
    expect(JSON.stringify(second)).toContain('went')
  })

  it.each([...REFUSED, ['has a message that is not JSON-RPC', [ping(3), 5], 'it is not JSON-RPC'] as const])(
    'are rejected if the batch %s',
    async (_, batch, words) => {
      const { post, begin } = await serve()
      const response = await post(batch, await begin(BATCHES))
      expect([response.status, await response.json()]).toEqual([400, refusal(words)])
    },
  )

  it('are rejected if a message has wrong parameters, and so is such a message by itself', async () => {
    const { post, begin } = await serve()
    const old = await begin(BATCHES)
    const modern = { 'mcp-protocol-version': '2026-07-28' }
    for (const [params, words] of WRONG_PARAMS) {
      const request = rpc({ id: 24, method: 'tools/call', params })
      const responses = [await post(request, old), await post([ping(3), request], old), await post(request, modern), await post(request)]
      for (const response of responses) expect([response.status, await response.json()]).toEqual([400, invalidParams(24, words)])
      const notified = await post(rpc({ method: 'notifications/initialized', params }), old)
      expect([notified.status, await notified.json()]).toEqual([400, invalidParams(null, words)])
    }
  })

  it('are rejected for other versions and before the handshake', async () => {
    const { post, begin } = await serve()
    const headers = [await begin('2025-06-18'), {}, { 'mcp-protocol-version': '2026-07-28' }]
    for (const each of headers) {
      const response = await post([ping(3)], each as Readonly<Record<string, string>>)
      expect([response.status, await response.json()]).toEqual([400, refusal('only the protocol 2025-03-26 has batches')])
    }
  })

  it('are accepted without sessions, from clients without a later version', async () => {
    const { post } = await serve({ sessions: false })
    expect(await messagesOf(await post([ping(3), ping(4)]))).toEqual([pong(3), pong(4)])
    expect((await post([ping(3)], { 'mcp-protocol-version': '2025-06-18' })).status).toBe(400)
  })
})
