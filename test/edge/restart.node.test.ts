// @module-tag edge
import { afterAll, beforeAll, expect, it } from 'vitest'
import { open } from './socket-client.js'
import { Edge, until } from './support.js'

let edge: Edge
beforeAll(async () => {
  edge = await Edge.start()
})
afterAll(() => edge?.stop())

it('a restart on the same storage keeps everything and reports running sessions as lost', async () => {
  const files = { 'a.txt': 'one\n', 'src/b.ts': 'export {}\n' }
  const client = await edge.create({ files, ttlMs: 3_600_000 })
  await client.output('edit_file', { path: 'a.txt', edits: [{ old_string: 'one', new_string: 'two' }] })
  await client.output('bash', { command: 'mkdir -p deep/er; head -c 300000 /dev/zero > deep/er/zeros' })
  const ended = await client.background('echo done; echo bad >&2; exit 4')
  const running = await client.background('echo first; read -r x')
  const socket = await open(client)
  socket.send({ type: 'follow', session: ended })
  await socket.ofType('ended')
  await until(async () => (await client.output('read_background_bash', { session_id: running, peek: true })).stdout === 'first\n')
  const before = await client.describe()

  await edge.restart()

  const after = await client.describe()
  expect(after).toMatchObject({
    createdAt: before.createdAt,
    ttlMs: before.ttlMs,
    usage: { bytes: before.usage.bytes, files: before.usage.files },
  })
  expect(Date.parse(after.expiresAt)).toBeGreaterThanOrEqual(Date.parse(client.expiresAt))
  expect(await client.output('bash', { command: 'cat a.txt src/b.ts; wc -c < deep/er/zeros' })).toMatchObject({
    stdout: 'two\nexport {}\n300000\n',
  })
  expect(await client.output('read_background_bash', { session_id: ended })).toMatchObject({
    stdout: 'done\n',
    stderr: 'bad\n',
    state: 'exited',
    exit_code: 4,
  })
  expect(await client.output('read_background_bash', { session_id: running })).toMatchObject({ state: 'lost', exit_code: null })
  expect((await edge.fetch(client.path, { headers: { authorization: 'Bearer x' } })).status).toBe(401)

  const again = await open(client)
  again.send({ type: 'follow', session: ended, cursor: { stdout: 2, stderr: 0 } })
  again.send({ type: 'follow', session: running })
  expect(await again.ofType('ended')).toMatchObject({ session: ended, exit_code: 4, cursor: { stdout: 5, stderr: 4 } })
  expect(await again.ofType('lost')).toMatchObject({ session: running, state: 'lost' })
  expect(again.messages.filter(({ type, session }) => type === 'output' && session === ended).map(({ text }) => text)).toEqual([
    'ne\n',
    'bad\n',
  ])
  again.close()
})

it('a workspace expires even if the server was down meanwhile', async () => {
  const client = await edge.create({ files: { 'a.txt': 'a' }, ttlMs: 1500 })
  await edge.restart()
  await until(async () => (await edge.tables(client.id)).length === 0)
  expect((await client.get()).status).toBe(401)
})
