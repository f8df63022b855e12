import { expect, it, onTestFinished } from 'vitest'
import { tryOpen } from './socket-client.js'
import { Client, Edge } from './support.js'

const NEIGHBOURS = [1, 17, 101] as const

const secretOf = (index: number): string => `the secret of ${index}`

/** Everything that a client with another workspace's token may try. */
const ATTEMPTS: readonly ((client: Client) => Promise<{ status: number; text: string }>)[] = [
  async (client) => answered(await client.get()),
  async (client) => answered(await client.get('/tools')),
  async (client) => answered(await client.post({ name: 'bash', input: { command: 'cat secret.txt; echo broken > secret.txt' } })),
  async (client) => answered(await client.post({ name: 'read_file', input: { path: 'secret.txt' } }, { accept: 'text/event-stream' })),
  async (client) => answered(await client.delete()),
  async (client) => answered(await client.delete('/calls/http_1')),
  async (client) => {
    const { status, socket } = await tryOpen(client, { 'sec-websocket-protocol': `toolport, bearer.${client.token}` })
    socket?.close()
    return { status, text: '' }
  },
  async (client) => answered(await mcpCall(client)),
]

const answered = async (response: Response): Promise<{ status: number; text: string }> => ({
  status: response.status,
  text: await response.text(),
})

const mcpCall = (client: Client): Promise<Response> =>
  client.edge.post(
    `${client.path}/mcp`,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_file', arguments: { path: 'secret.txt' } } },
    { ...client.headers, accept: 'application/json, text/event-stream' },
  )

export function isolationCase(count: number): void {
  it(`${count} concurrent workspaces are isolated, whatever is tried with the token of another one`, async () => {
    const edge = await Edge.start({ bindings: { OPEN: 'true', CREATIONS_PER_MINUTE: '10000', FAILURES_PER_MINUTE: '10000' } })
    onTestFinished(() => edge.stop())
    const clients = await Promise.all(
      Array.from({ length: count }, (_, index) => edge.create({ files: { 'secret.txt': secretOf(index) } })),
    )
    let attempts = 0
    const granted: unknown[] = []
    await Promise.all(
      clients.map(async (client, index) => {
        for (const step of NEIGHBOURS) {
          const victim = clients[(index + step) % count] as Client
          const thief = new Client(edge, { id: victim.id, token: client.token, expiresAt: '' })
          for (const [number, attempt] of ATTEMPTS.entries()) {
            const { status, text } = await attempt(thief)
            attempts++
            if (status !== 401 || text.includes('secret of')) granted.push({ number, status, text })
          }
        }
        // The client's own workspace works meanwhile.
        expect(await client.output('bash', { command: 'cat secret.txt; pwd; ls /workspace' })).toMatchObject({
          stdout: `${secretOf(index)}/workspace\nsecret.txt\n`,
        })
      }),
    )
    expect(granted).toEqual([])
    expect(attempts).toBe(count * NEIGHBOURS.length * ATTEMPTS.length)
    expect(new Set(clients.map(({ id }) => id)).size).toBe(count)
    expect(new Set(clients.map(({ token }) => token)).size).toBe(count)
  })
}
