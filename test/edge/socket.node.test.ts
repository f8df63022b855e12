// @module-tag edge
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import { connectRaw, open, type SocketClient, tryOpen } from './socket-client.js'
import { CLASS, type Client, Edge, SCRIPT, until } from './support.js'

const WINDOW = 256 * 1024
/** Prints each line of its input. */
const ECHO = 'while read -r line; do echo "got $line"; done'

let edge: Edge
beforeAll(async () => {
  edge = await Edge.start({ bindings: { OPEN: 'true', MAX_SOCKETS: '4', CREATIONS_PER_MINUTE: '1000' } })
})
afterAll(() => edge?.stop())

const tell = (client: Client, session: string, input: string): Promise<unknown> =>
  client.output('write_background_bash', { session_id: session, input })

describe('a WebSocket', () => {
  it('receives the output of a session from its start, and its end', async () => {
    const client = await edge.create()
    const session = await client.background('echo one; echo two >&2; read -r x; echo "three $x"; exit 3')
    const socket = await open(client)
    socket.send({ type: 'follow', session, cursor: { stdout: 0, stderr: 0 } })
    await until(() => socket.text() === 'one\n' && socket.text('stderr') === 'two\n')
    await tell(client, session, 'now')
    expect(await socket.ofType('ended')).toMatchObject({ session, state: 'exited', exit_code: 3, cursor: { stdout: 14, stderr: 4 } })
    expect(socket.text()).toBe('one\nthree now\n')
    socket.close()
  })

  it('continues at the cursor of an earlier socket', async () => {
    const client = await edge.create()
    const session = await client.background(ECHO)
    const first = await open(client)
    first.send({ type: 'follow', session })
    await tell(client, session, 'a')
    await until(() => first.text() === 'got a\n')
    const cursor = { stdout: first.cursor(), stderr: 0 }
    first.close()
    await first.closed
    await tell(client, session, 'b')
    // The model reads the session independently of sockets.
    expect(await client.output('read_background_bash', { session_id: session })).toMatchObject({ stdout: 'got a\ngot b\n' })
    const second = await open(client)
    second.send({ type: 'follow', session, cursor })
    await until(() => second.text() === 'got b\n')
    await tell(client, session, 'c')
    await until(() => second.text() === 'got b\ngot c\n')
    second.close()
  })

  it('receives "lost" and the earlier output if its object wakes without the session', async () => {
    const client = await edge.create()
    const session = await client.background('echo kept; read -r x')
    const socket = await open(client)
    socket.send({ type: 'follow', session })
    await until(() => socket.text() === 'kept\n')
    await tell(client, session, '')
    await socket.ofType('ended')
    // Simulates an eviction, because the platform does not evict an object that has running work.
    const storage = await edge.miniflare.unsafeGetDurableObjectStorage(SCRIPT, CLASS, { id: client.id })
    await storage.exec("UPDATE toolport_sessions SET state = 'running', ended = NULL")
    await edge.evict(client.id, 'hibernate')
    socket.send({ type: 'follow', session, cursor: { stdout: 2, stderr: 0 } })
    expect(await socket.ofType('lost')).toMatchObject({ session, state: 'lost', cursor: { stdout: 5 } })
    expect(socket.text()).toBe('kept\npt\n')
    expect(await client.output('read_background_bash', { session_id: session })).toMatchObject({ state: 'lost', stdout: 'kept\n' })
    socket.close()
  })

  it('wakes its hibernated object by a message, and receives ended sessions from the storage', async () => {
    const client = await edge.create()
    const session = await client.background('echo kept')
    const socket = await open(client)
    socket.send({ type: 'follow', session })
    await socket.ofType('ended')
    await edge.evict(client.id, 'hibernate')
    socket.send({ type: 'follow', session, cursor: { stdout: 2, stderr: 0 } })
    await until(() => socket.text() === 'kept\npt\n')
    socket.send({ type: 'list' })
    expect(await socket.ofType('sessions')).toMatchObject({ sessions: [{ id: session, state: 'exited', exit_code: 0 }] })
    socket.close()
  })

  it('a slow client receives one window, and more after its acknowledgement', async () => {
    const client = await edge.create()
    const session = await client.background("head -c 290000 /dev/zero | tr '\\0' x")
    const socket = await open(client)
    socket.send({ type: 'follow', session })
    await until(() => socket.text().length === WINDOW)
    await until(async () => (await client.describe()).usage.sessions === 0)
    socket.send('ping')
    await socket.first((message) => message === 'pong')
    expect(socket.text().length).toBe(WINDOW)
    socket.send({ type: 'ack', session, cursor: { stdout: socket.cursor(), stderr: 0 } })
    await socket.ofType('ended')
    expect(socket.text()).toBe('x'.repeat(290_000))
    socket.close()
  })

  it('receives no more by repeated follow messages, until it acknowledges', async () => {
    const client = await edge.create()
    const session = await client.background("head -c 290000 /dev/zero | tr '\\0' x")
    await until(async () => (await client.describe()).usage.sessions === 0)
    const socket = await open(client)
    for (let time = 0; time < 20; time++) {
      socket.send({ type: 'follow', session })
      if (time % 2 === 1) socket.send({ type: 'unfollow', session })
    }
    expect(await socket.ofType('error')).toMatchObject({ code: 'not_acknowledged', session })
    socket.send('ping')
    await socket.first((message) => message === 'pong')
    expect(socket.text().length).toBe(2 * WINDOW)
    socket.send({ type: 'ack', session, cursor: { stdout: WINDOW, stderr: 0 } })
    socket.send({ type: 'follow', session, cursor: { stdout: WINDOW, stderr: 0 } })
    expect(await socket.ofType('ended')).toMatchObject({ session, cursor: { stdout: 290_000 } })
    expect(socket.text().length).toBe(2 * WINDOW + 290_000 - WINDOW)
    socket.close()
  })

  it('postpones the expiry of its workspace by messages', async () => {
    const speak = async (client: Client, socket: SocketClient): Promise<number> => {
      const end = Date.parse(client.expiresAt) + 300
      while (Date.now() < end) {
        const had = socket.messages.length
        socket.send({ type: 'list' })
        await until(() => socket.messages.length > had)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      return (await client.get()).status
    }
    // On a slow machine the workspace may expire before the first output, so retry with more time.
    const status = await withGrowingTime(
      async (ms) => {
        const client = await edge.create({ ttlMs: 10 * ms })
        const { socket } = await tryOpen(client, client.headers)
        const said = socket && (await Promise.race([speak(client, socket), socket.closed.then(() => 401)]))
        socket?.close()
        return said
      },
      (said) => said === 200,
    )
    expect(status).toBe(200)
  })

  it('receives the number of dropped bytes before it followed', async () => {
    const client = await edge.create()
    const session = await client.background("head -c 400000 /dev/zero | tr '\\0' x; read -r y")
    await until(
      async () => Number((await client.output('read_background_bash', { session_id: session, peek: true })).stdout_dropped) === 100_000,
    )
    const socket = await open(client)
    socket.send({ type: 'follow', session })
    await until(() => socket.text().length > 0)
    expect(socket.messages.find(({ type }) => type === 'output').dropped).toBe(100_000)
    socket.close()
  })

  it('follows at most from the end, whatever its cursor', async () => {
    const client = await edge.create()
    const session = await client.background(ECHO)
    await tell(client, session, 'a')
    const socket = await open(client)
    await until(async () => (await client.output('read_background_bash', { session_id: session, peek: true })).stdout === 'got a\n')
    socket.send({ type: 'follow', session, cursor: { stdout: 1_000_000, stderr: 7 } })
    // The response to a later message shows that the socket follows the session.
    socket.send({ type: 'list' })
    await socket.ofType('sessions')
    await tell(client, session, 'b')
    await until(() => socket.text() === 'got b\n')
    await client.output('stop_background_bash', { session_id: session })
    expect(await socket.ofType('ended')).toMatchObject({ cursor: { stdout: 12, stderr: 0 } })
    socket.send({ type: 'follow', session, cursor: { stdout: 1_000_000, stderr: 7 } })
    await until(() => socket.messages.filter(({ type }) => type === 'ended').length === 2)
    expect(socket.messages.findLast(({ type }) => type === 'ended')).toMatchObject({ cursor: { stdout: 12, stderr: 0 } })
    socket.close()
  })

  it('receives errors for invalid messages', async () => {
    const client = await edge.create()
    const socket = await open(client)
    for (const message of [
      'nothing',
      '[]',
      'null',
      '{"type":"shout"}',
      '{"type":"follow"}',
      '{"type":"follow","session":"s","cursor":{"stdout":-1}}',
    ]) {
      socket.send(message)
    }
    await until(() => socket.messages.length === 6)
    for (const message of socket.messages)
      expect(message).toMatchObject({ type: 'error', code: 'invalid_message', message: expect.any(String) })
    for (const session of ['constructor', '__proto__', 'toString']) {
      socket.send({ type: 'ack', session, cursor: { stdout: 1, stderr: 1 } })
      socket.send({ type: 'unfollow', session })
      socket.send({ type: 'follow', session })
      expect(await socket.first((message) => message.session === session)).toMatchObject({ type: 'lost' })
    }
    socket.send({ type: 'follow', session: 'bg-bash-none' })
    expect(await socket.first((message) => message.session === 'bg-bash-none')).toMatchObject({
      session: 'bg-bash-none',
      reason: expect.stringContaining('no such session'),
    })
    socket.send('x'.repeat(5000))
    expect(await socket.closed).toMatchObject({ code: 1009 })
  })

  it('follows a limited number of sessions and can unfollow one', async () => {
    const client = await edge.create()
    const socket = await open(client)
    const sessions = await Promise.all(Array.from({ length: 8 }, () => client.background('read -r x; echo "$x"')))
    for (const session of sessions) socket.send({ type: 'follow', session })
    socket.send({ type: 'follow', session: 'ninth' })
    expect(await socket.ofType('error')).toMatchObject({ code: 'too_many_follows', session: 'ninth' })
    const [first = '', second = ''] = sessions
    socket.send({ type: 'unfollow', session: first })
    socket.send('ping')
    await socket.first((message) => message === 'pong')
    for (const session of [first, second]) await tell(client, session, 'end')
    await socket.first(({ type, session }) => type === 'ended' && session === second)
    expect(socket.messages.filter(({ session }) => session === first)).toEqual([])
    socket.close()
  })
})

describe('messages of a WebSocket', () => {
  let strict: Edge
  beforeAll(async () => {
    strict = await Edge.start({
      bindings: { OPEN: 'true', BURST: '100', REQUESTS_PER_MINUTE: '1', MESSAGE_BURST: '20', MESSAGES_PER_MINUTE: '1' },
    })
  })
  afterAll(() => strict?.stop())

  it('are not counted if each acknowledges sent output', async () => {
    const client = await strict.create()
    const session = await client.background(ECHO)
    const socket = await open(client)
    socket.send({ type: 'follow', session })
    // More lines than the limit for the other sockets.
    for (let line = 0; line < 40; line++) {
      await tell(client, session, String(line))
      await until(() => socket.text().endsWith(`got ${line}\n`))
      socket.send({ type: 'ack', session, cursor: { stdout: socket.cursor(), stderr: 0 } })
    }
    expect((await client.get()).status).toBe(200)
    socket.close()
  })

  it.each([{ type: 'list' }, { type: 'ack', session: 'none', cursor: { stdout: 1, stderr: 1 } }])(
    'are limited otherwise, and requests still work: %j',
    async (message) => {
      const client = await strict.create()
      const socket = await open(client)
      for (let sent = 0; sent < 40; sent++) socket.send(message)
      expect(await socket.closed).toMatchObject({ code: 1008 })
      expect((await client.get()).status).toBe(200)
    },
  )
})

it('a client that does not answer the close frame leaves nothing in the storage', async () => {
  const client = await edge.create()
  const session = await client.background('while true; do echo x; sleep 0.05; done')
  const stubborn = await connectRaw(client)
  stubborn.follow(session)
  await until(() => stubborn.received().includes('"output"'))
  expect((await client.delete()).status).toBe(204)
  await until(() => stubborn.received().includes('The workspace was deleted'))
  // A late write would happen within a few milliseconds.
  for (let time = 0; time < 50; time++) {
    expect(await edge.tables(client.id)).toEqual([])
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  stubborn.destroy()
})

describe('opening a WebSocket', () => {
  it('accepts the token as a subprotocol, for browsers', async () => {
    const client = await edge.create()
    const { status, headers, socket } = await tryOpen(client, { 'sec-websocket-protocol': `toolport, bearer.${client.token}` })
    expect(status).toBe(101)
    expect(headers.get('sec-websocket-protocol')).toBe('toolport')
    socket?.close()
  })

  it('is rejected with a wrong token, for unknown origins, and without an upgrade', async () => {
    const client = await edge.create()
    expect((await tryOpen(client, { authorization: 'Bearer x' })).status).toBe(401)
    expect((await tryOpen(client, { 'sec-websocket-protocol': 'toolport, bearer.x' })).status).toBe(401)
    expect((await tryOpen(client, { ...client.headers, origin: 'https://evil.example' })).status).toBe(403)
    expect((await client.get('/socket')).status).toBe(426)
    // Only a WebSocket may send the token in a protocol header.
    const plain = await edge.fetch(client.path, { headers: { 'sec-websocket-protocol': `bearer.${client.token}` } })
    expect(plain.status).toBe(401)
  })

  it('is limited per workspace, and ends with it', async () => {
    const client = await edge.create()
    const sockets = await Promise.all(Array.from({ length: 4 }, () => open(client)))
    expect((await tryOpen(client, client.headers)).status).toBe(429)
    sockets[0]?.close()
    await until(async () => (await client.describe()).usage.sockets === 3)
    expect((await client.delete()).status).toBe(204)
    // workerd completes the closing when the object is evicted, which takes 10 s without this call.
    await edge.evict(client.id)
    expect(await sockets[1]?.closed).toMatchObject({ code: 4410 })
  })
})
