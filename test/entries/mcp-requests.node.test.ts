// @module-tag mcp
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { ToolRuntime } from 'toolport'
import { createMcpServer, type McpServer } from 'toolport/mcp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LOOP, nextCall, standardRuntime, until } from './mcp-support.js'

let runtime: ToolRuntime
let server: McpServer
let client: InMemoryTransport
let received: JSONRPCMessage[]
let errors: Error[]

beforeEach(async () => {
  runtime = standardRuntime()
  server = createMcpServer(runtime)
  errors = []
  server.server.onerror = (error) => errors.push(error)
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  client = near
  received = []
  client.onmessage = (message) => received.push(message)
  await client.start()
})

afterEach(async () => {
  await server.close()
  await runtime.dispose()
})

const call = (id: string | number, params: object = LOOP): JSONRPCMessage =>
  ({ jsonrpc: '2.0', id, method: 'tools/call', params }) as JSONRPCMessage
const cancel = (requestId: string | number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
})
const ping = (id: string | number): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'ping' })
const answersTo = (id: string | number) => received.filter((message) => 'id' in message && message.id === id && !('method' in message))

/** Starts a call that never ends, with this request id. Returns a promise for the end of the call. */
async function loop(id: string | number) {
  const { running, ended } = nextCall(runtime)
  await client.send(call(id))
  await running
  return { ended }
}

describe('an MCP request', () => {
  it('a request with the id of an open one is rejected, and the open one can be cancelled', async () => {
    const { ended } = await loop(7)
    await client.send(call(7, { name: 'glob', arguments: { pattern: '*' } }))
    await until(() => answersTo(7).length > 0)
    expect(answersTo(7)).toEqual([
      { jsonrpc: '2.0', id: 7, error: { code: ErrorCode.InvalidRequest, message: expect.stringContaining('7') } },
    ])
    await client.send(cancel(7))
    expect(await ended).toMatchObject({ output: { aborted: true } })
  })

  it('a request with the id of an open one leaves no call running after the connection ends', async () => {
    const { ended } = await loop(7)
    await client.send(call(7))
    await client.send(call(7))
    await client.close()
    expect(await ended).toMatchObject({ output: { aborted: true } })
    await server.close()
    let running = 0
    runtime.on(() => running++)
    await client.send(ping(1)).catch(() => {})
    expect(running).toBe(0)
  })

  it('an id of another type is a different request', async () => {
    const { ended } = await loop(7)
    await client.send(ping('7'))
    await until(() => answersTo('7').length > 0)
    expect(answersTo('7')).toEqual([{ jsonrpc: '2.0', id: '7', result: {} }])
    await client.send(cancel('7'))
    await client.send(cancel(7))
    expect(await ended).toMatchObject({ output: { aborted: true } })
  })

  it('may reuse the id of an answered or cancelled one', async () => {
    await client.send(ping(7))
    await until(() => answersTo(7).length === 1)
    const { ended } = await loop(7)
    await client.send(cancel(7))
    await client.send(ping(7))
    await until(() => answersTo(7).length === 2)
    await ended
    expect(answersTo(7)).toEqual([ping(7), ping(7)].map(() => ({ jsonrpc: '2.0', id: 7, result: {} })))
  })

  it.each([0, ''])('a request with the id %j can be cancelled and is not answered', async (id) => {
    const { ended } = await loop(id)
    await client.send(cancel(id))
    expect(await ended).toMatchObject({ output: { aborted: true } })
    await client.send(ping(1))
    await until(() => answersTo(1).length > 0)
    expect([answersTo(id), errors]).toEqual([[], []])
  })

  it('a request that is cancelled before it started does nothing', async () => {
    const { ended } = nextCall(runtime)
    void client.send(call(7, { name: 'write_file', arguments: { path: 'late.txt', content: 'x' } }))
    await client.send(cancel(7))
    expect(await ended).toMatchObject({ ok: false, output: { code: 'aborted' } })
    expect(await runtime.workspace.exists('late.txt')).toBe(false)
  })
})

it.each([
  ['tools/call', { name: 5 }, '"params.name": expected string, got number'],
  ['tools/call', { name: 'glob', arguments: 'x' }, '"params.arguments"'],
  ['tools/call', undefined, '"params"'],
  ['resources/read', {}, '"params.uri"'],
  ['logging/setLevel', { level: 'loud' }, '"params.level"'],
  ['tools/list', { cursor: 1 }, '"params.cursor"'],
])('a request for %s with invalid parameters is answered with -32602 and a short message', async (method, params, named) => {
  await client.send({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) } as JSONRPCMessage)
  await until(() => answersTo(1).length > 0)
  const [answer] = answersTo(1) as unknown as [{ readonly error: { readonly code: number; readonly message: string } }]
  expect(answer.error.code).toBe(ErrorCode.InvalidParams)
  expect(answer.error.message).toContain(`Cannot answer "${method}": ${named}`)
  expect(answer.error.message).not.toMatch(/[\n{[]/)
})

it('cancelling an unknown request is ignored', async () => {
  for (const requestId of [1, 'x', null, {}, undefined]) {
    await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } } as JSONRPCMessage)
  }
  await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled' })
  await client.send(ping(1))
  await until(() => answersTo(1).length > 0)
  expect(received).toHaveLength(1)
})

it('is ended when the server closes', async () => {
  const { ended } = await loop(1)
  let over = false
  void ended.then(() => {
    over = true
  })
  await server.close()
  await Promise.resolve()
  expect(over).toBe(true)
  expect([answersTo(1), errors]).toEqual([[], []])
})
