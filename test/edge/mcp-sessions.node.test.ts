// @module-tag edge
import { createRuntime, defineTool, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { afterEach, describe, expect, it } from 'vitest'
import { IdleStreams } from '../../demo/worker/object/idle-streams.js'
import { McpEndpoint } from '../../demo/worker/object/mcp.js'
import { RunningCalls } from '../../demo/worker/object/running-calls.js'
import { whenRead } from '../../demo/worker/object/when-read.js'
import { settingsOf } from '../../demo/worker/settings.js'
import { withGrowingTime } from '../contract/shell/case.js'

/** Maximum number of sessions. */
const MOST = 64

const endings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

interface Stream {
  readonly session: string
  ended: boolean
}

/** The endpoint of a workspace whose tool `wait` runs until it is aborted. */
class Workspace {
  readonly calls = new RunningCalls(64)
  readonly streams: Stream[] = []
  readonly #endpoint: McpEndpoint
  #last = 0

  constructor(variables: Readonly<Record<string, string>> = {}) {
    const wait = defineTool({
      name: 'wait',
      description: 'Waits.',
      inputSchema: { type: 'object' },
      run: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
    })
    const runtime: ToolRuntime = createRuntime({ fs: createMemoryFs(), tools: [wait] })
    this.calls.watch(runtime)
    this.#endpoint = new McpEndpoint(runtime, this.calls, settingsOf(variables))
    endings.push(async () => {
      await this.#endpoint.close()
      await runtime.dispose()
    })
  }

  post(session: string | null, message: object): Promise<Response> {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    return this.#ask('POST', session, { body, headers: { 'content-type': 'application/json', 'content-length': `${body.length}` } })
  }

  get(session: string): Promise<Response> {
    return this.#ask('GET', session, {})
  }

  /** Starts a session. Returns its id, or the status of the rejection. */
  async begin(): Promise<string | number> {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const response = await this.post(null, { id: 0, method: 'initialize', params })
    await response.text()
    return response.headers.get('mcp-session-id') ?? response.status
  }

  /** Starts a session, and opens the stream that clients keep open. */
  async connect(): Promise<string> {
    const session = String(await this.begin())
    await this.post(session, { method: 'notifications/initialized' })
    const stream = { session, ended: false }
    this.streams.push(stream)
    const response = await this.get(session)
    expect(response.status).toBe(200)
    void response.text().then(() => {
      stream.ended = true
    })
    return session
  }

  /** Starts a call, and waits until it runs. */
  async call(session: string): Promise<Response> {
    const before = this.calls.running
    const response = await this.post(session, { id: ++this.#last, method: 'tools/call', params: { name: 'wait', arguments: {} } })
    await expect.poll(() => this.calls.running).toBe(before + 1)
    return response
  }

  /** Cancels the most recent call. */
  cancel(session: string): Promise<Response> {
    return this.post(session, { method: 'notifications/cancelled', params: { requestId: this.#last } })
  }

  get ended(): readonly string[] {
    return this.streams.filter(({ ended }) => ended).map(({ session }) => session)
  }

  async #ask(method: string, session: string | null, { body, headers }: { body?: string; headers?: object }): Promise<Response> {
    const accept = method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream'
    const all = { accept, ...headers, ...(session !== null && { 'mcp-session-id': session }) }
    return this.#endpoint.answer(new Request('http://x/mcp', { method, headers: all, ...(body !== undefined && { body }) }))
  }
}

describe('MCP sessions at the maximum', () => {
  it('a new session ends the stream of the least recently used idle session', async () => {
    const workspace = new Workspace()
    const sessions = []
    for (let at = 0; at < MOST; at++) sessions.push(await workspace.connect())
    const [working, left, idle] = sessions as [string, string, string]
    await workspace.call(working)
    // The call continues although its client does not read the answer.
    await (await workspace.call(left)).body?.cancel()
    for (const session of sessions.slice(2)) await workspace.post(session, { method: 'notifications/initialized' })
    expect(await workspace.connect()).toMatch(/-/)
    await expect.poll(() => workspace.ended).toEqual([idle])
    // The first of these sessions ends one more session. The others replace sessions that have just begun and were never used again.
    const begun = await Promise.all(Array.from({ length: 5 }, () => workspace.begin()))
    for (const session of begun) expect(session).toMatch(/-/)
    await expect.poll(() => workspace.ended).toEqual(sessions.slice(2, 4))
    expect(workspace.calls.running).toBe(2)
  })

  it('no stream ends if all sessions have running calls', async () => {
    const workspace = new Workspace()
    for (let at = 0; at < MOST; at++) await workspace.call(await workspace.connect())
    expect(await Promise.all([workspace.begin(), workspace.begin()])).toEqual([503, 503])
    // A session that had ended would have lost its stream, and would not answer 409.
    for (const { session } of workspace.streams) expect((await workspace.get(session)).status).toBe(409)
    expect(workspace.ended).toEqual([])
  })
})

it('an unused session ends, by default after a minute', async () => {
  expect(settingsOf({}).MCP_IDLE_MS).toBe(60_000)
  const workspace = new Workspace({ MCP_IDLE_MS: '100' })
  const session = String(await workspace.begin())
  const statusAfter = async (ms: number): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    const response = await workspace.get(session)
    await response.body?.cancel()
    return response.status
  }
  // 405: without a session no stream can be opened.
  expect(await withGrowingTime(statusAfter, (status) => status === 405)).toBe(405)
})

describe('an MCP session that is gone', () => {
  it('has calls that can be cancelled by a message', async () => {
    const workspace = new Workspace()
    const response = await workspace.call('gone')
    await workspace.cancel('another')
    expect(workspace.calls.running).toBe(1)
    expect((await workspace.cancel('gone')).status).toBe(202)
    expect(await response.text()).not.toContain('result')
    await expect.poll(() => workspace.calls.running).toBe(0)
    expect(workspace.calls.inUse).toBe(false)
  })

  it('has calls with the same id, which end together', async () => {
    const workspace = new Workspace()
    const asked = { id: 'same', method: 'tools/call', params: { name: 'wait', arguments: {} } }
    const responses = [await workspace.post('gone', asked), await workspace.post('gone', asked)]
    await expect.poll(() => workspace.calls.running).toBe(2)
    await workspace.post('gone', { method: 'notifications/cancelled', params: { requestId: 'same' } })
    await Promise.all(responses.map((response) => response.text()))
    await expect.poll(() => workspace.calls.running).toBe(0)
  })
})

it('a failed stream is not counted as an idle stream', async () => {
  const streams = new IdleStreams()
  const failing = new ReadableStream<Uint8Array>({
    pull() {
      throw new Error('broken')
    },
  })
  await expect(streams.add('failed', new Response(failing)).text()).rejects.toThrow('broken')
  expect(await streams.endIdlest(() => true)).toBe(false)
})

it('a response whose client has already left is cancelled', async () => {
  let cancelled: unknown
  const body = new ReadableStream<Uint8Array>({
    cancel(reason) {
      cancelled = reason
    },
  })
  const done = new Promise<void>((resolve) => {
    whenRead(new Response(body), { done: resolve, signal: AbortSignal.abort('gone'), heartbeatMs: 60_000 })
  })
  await done
  await expect.poll(() => cancelled).toBe('gone')
})
