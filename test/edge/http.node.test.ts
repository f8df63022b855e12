// @module-tag edge
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collect, Edge, errorOf, PATIENT, readEvents, until } from './support.js'

/** A loop that only the command limit would end, after half a day. */
const LOOP = { command: 'echo go; while true; do sleep 0.05; done' }

let edge: Edge
beforeAll(async () => {
  edge = await Edge.start({
    bindings: {
      OPEN: 'true',
      ORIGINS: 'https://app.example, http://localhost:5173',
      HEARTBEAT_MS: '200',
      KEEP_SESSIONS_MS: '4000',
      // Tests poll, which takes many requests.
      BURST: '100000',
      CREATIONS_PER_MINUTE: '1000',
      ...PATIENT,
    },
  })
})
afterAll(() => edge?.stop())

describe('POST /workspaces', () => {
  it('returns an id, a token and the expiry, and writes the initial files', async () => {
    const before = Date.now()
    const client = await edge.create({ files: { 'src/a.ts': 'export {}\n', 'b.txt': 'b' }, ttlMs: 60_000 })
    expect(client.id).toMatch(/^[0-9a-f]{64}$/)
    expect(client.token).toMatch(/^[\w-]{43}$/)
    expect(Date.parse(client.expiresAt) - before).toBeGreaterThanOrEqual(59_000)
    expect(await client.output('bash', { command: 'cat src/a.ts b.txt' })).toMatchObject({ stdout: 'export {}\nb' })
    expect(await client.describe()).toMatchObject({ id: client.id, ttlMs: 60_000, usage: { bytes: 11, calls: 0, sessions: 0 } })
  })

  it('works without a body', async () => {
    const response = await edge.fetch('/workspaces', { method: 'POST' })
    expect(response.status).toBe(201)
  })

  it.each([
    ['files that are not an object', { files: ['a'] }, 'invalid_body'],
    ['a file that is not text', { files: { 'a.txt': 1 } }, 'invalid_body'],
    ['a path outside the workspace', { files: { 'a.txt': 'x', '../../etc/passwd': 'x' } }, 'invalid_files'],
    ['a path with a NUL', { files: { 'a\0b': 'x' } }, 'invalid_files'],
    ['a time to live of 0', { ttlMs: 0 }, 'invalid_body'],
    ['a time to live of years', { ttlMs: 1e12 }, 'invalid_body'],
    ['unknown fields', { file: {} }, 'invalid_body'],
    ['a list', [], 'invalid_body'],
    ['null', null, 'invalid_body'],
  ])('rejects %s', async (_, body, code) => {
    expect(await errorOf(await edge.post('/workspaces', body))).toMatchObject({ status: 400, code })
  })
})

describe('tools', () => {
  it.each(['openai', 'openai-responses', 'anthropic', 'gemini', 'mcp', 'manifest'])('are listed in the format %s', async (format) => {
    const client = await edge.create()
    const response = await client.get(`/tools?format=${format}`)
    expect(response.status).toBe(200)
    expect(JSON.stringify(await response.json())).toContain('read_file')
  })

  it('are rejected in an unknown format, with the known ones', async () => {
    const client = await edge.create()
    const { status, code, text } = await errorOf(await client.get('/tools?format=constructor'))
    expect({ status, code }).toEqual({ status: 400, code: 'unknown_format' })
    expect(text).toContain('gemini')
  })

  it('tools that a model created exist again after an eviction', async () => {
    const client = await edge.create()
    await client.output('create_persistent_tool', { name: 'twice', description: 'Doubles.', handler_code: 'return input.n * 2' })
    await edge.evict(client.id)
    expect(await client.call('twice', { n: 21 })).toMatchObject({ ok: true, output: 42 })
  })
})

describe('an HTTP call', () => {
  it('is answered with the result of the runtime, also a failure', async () => {
    const client = await edge.create({ files: { 'a.txt': 'one\n' } })
    expect(await client.call('read_file', { path: 'a.txt' })).toMatchObject({ ok: true, output: { text: expect.stringContaining('one') } })
    expect(await client.call('read_file', { path: 'b.txt' })).toMatchObject({ ok: false, output: { code: 'ENOENT', tool: 'read_file' } })
    expect(await client.call('run_js', { code: 'export default 6 * 7' })).toMatchObject({ ok: true, output: { result: 42 } })
    expect(await client.call('no_such_tool')).toMatchObject({ ok: false, output: { status: 'not_found' } })
    const named = await client.post({ id: 'mine', name: 'read_file', input: { path: 'b.txt' } })
    expect(await named.json()).toMatchObject({ output: { callId: 'mine' } })
  })

  it.each([
    ['a string instead of an object', 'read_file'],
    ['no name', { input: {} }],
    ['a number as the name', { name: 1 }],
    ['an unknown field', { name: 'read_file', arguments: {} }],
    ['an invalid id', { name: 'read_file', id: 'a b' }],
  ])('is rejected if its body has %s', async (_, body) => {
    const client = await edge.create()
    expect(await errorOf(await client.post(body))).toMatchObject({ status: 400, code: 'invalid_call' })
  })

  it('streams output, then the result', async () => {
    const client = await edge.create()
    const seen: string[] = []
    for await (const { event, data } of await client.events('bash', { command: 'echo one; sleep 0.5; echo two >&2' })) {
      seen.push(event === 'output' ? `${data.stream} ${data.text}` : event)
      if (event === 'result') expect(data).toMatchObject({ ok: true, output: { stdout: 'one\n', stderr: 'two\n' } })
    }
    // The stream was silent for longer than a heartbeat.
    expect(seen).toContain('comment')
    expect(seen.filter((event) => event !== 'comment')).toEqual(['stdout one\n', 'stderr two\n', 'result'])
  })

  it('streams a failure as its result', async () => {
    const client = await edge.create()
    const events = await collect(await client.events('read_file', { path: 'none' }))
    expect(events).toMatchObject([{ event: 'result', data: { ok: false, output: { code: 'ENOENT' } } }])
  })

  it('ends when the client closes its stream', async () => {
    const client = await edge.create()
    const left = new AbortController()
    const response = await client.post({ name: 'bash', input: LOOP }, { accept: 'text/event-stream' }, left.signal)
    const events = readEvents(response)
    expect((await events.next()).value).toMatchObject({ event: 'output', data: { text: 'go\n' } })
    expect((await client.describe()).usage.calls).toBe(1)
    left.abort()
    await until(async () => (await client.describe()).usage.calls === 0)
  })

  it('ends when the client disconnects while reading its JSON', async () => {
    const client = await edge.create()
    const left = new AbortController()
    const response = await client.post({ name: 'bash', input: LOOP }, {}, left.signal)
    expect((await client.describe()).usage.calls).toBe(1)
    left.abort()
    await expect(response.text()).rejects.toThrow()
    await until(async () => (await client.describe()).usage.calls === 0)
  })

  it('ends when the client disconnects before any JSON', async () => {
    const client = await edge.create()
    const left = new AbortController()
    const refused = client
      .post({ name: 'bash', input: LOOP }, {}, left.signal)
      .then((response) => response.text())
      .catch((error: Error) => error.name)
    await until(async () => (await client.describe()).usage.calls === 1)
    left.abort()
    expect(await refused).toBe('AbortError')
    await until(async () => (await client.describe()).usage.calls === 0)
  })

  it('is cancelled by its id, which must be unique among running calls', async () => {
    const client = await edge.create()
    const running = client.post({ id: 'loop', name: 'bash', input: LOOP })
    await until(async () => (await client.describe()).usage.calls === 1)
    expect(await errorOf(await client.post({ id: 'loop', name: 'bash', input: { command: 'true' } }))).toMatchObject({
      status: 409,
      code: 'id_in_use',
    })
    expect((await client.delete('/calls/loop')).status).toBe(204)
    expect(await (await running).json()).toMatchObject({ output: { aborted: true, stdout: 'go\n' } })
    expect(await errorOf(await client.delete('/calls/loop'))).toMatchObject({ status: 404, code: 'unknown_call' })
  })
})

it.each(['call_1', 'http_22', 'mcp1_3'])('a call with the reserved id %s is rejected', async (id) => {
  const client = await edge.create()
  expect(await errorOf(await client.post({ id, name: 'read_file', input: { path: 'a' } }))).toMatchObject({
    status: 400,
    code: 'invalid_call',
  })
  // Ids of providers look similar: a longer id with the same prefix is accepted.
  expect((await client.post({ id: `${id}aB`, name: 'read_file', input: { path: 'a' } })).status).toBe(200)
})

describe('tokens', () => {
  it('give the same response when wrong or missing, and for deleted and unknown workspaces', async () => {
    const client = await edge.create()
    const gone = await edge.create()
    expect((await gone.delete()).status).toBe(204)
    const ask = async (path: string, authorization?: string): Promise<object> => {
      const response = await edge.fetch(path, authorization === undefined ? {} : { headers: { authorization } })
      return { status: response.status, body: await response.text(), header: response.headers.get('www-authenticate') }
    }
    const refused = await ask(client.path, 'Bearer wrong')
    expect(refused).toMatchObject({ status: 401, header: 'Bearer' })
    const right = `Bearer ${client.token}`
    for (const [path, authorization] of [
      [client.path],
      [client.path, client.token],
      [client.path, `Basic ${client.token}`],
      [client.path, `Bearer ${client.token}x`],
      [client.path, `Bearer ${'x'.repeat(5000)}`],
      [gone.path, `Bearer ${gone.token}`],
      [`/workspaces/${'0'.repeat(64)}`, right],
      ['/workspaces/a', right],
      ['/workspaces/..%2f..%2fetc', right],
    ] as const) {
      expect(await ask(path, authorization)).toEqual(refused)
    }
  })

  it('store nothing for a valid id that nobody created', async () => {
    const namespace = await edge.miniflare.getDurableObjectNamespace('WORKSPACES')
    const id = namespace.newUniqueId().toString()
    const response = await edge.fetch(`/workspaces/${id}`, { headers: { authorization: 'Bearer x' } })
    expect(response.status).toBe(401)
    expect(await edge.tables(id)).toEqual([])
  })

  it('are not stored', async () => {
    const client = await edge.create()
    await edge.restart()
    expect((await client.get()).status).toBe(200)
    const kept = await edge.stored()
    // The storage contains the id in readable form, so a readable token would be found too.
    expect(kept.some(({ name, bytes }) => name.includes(client.id) && bytes.includes(Buffer.from('ttlMs')))).toBe(true)
    expect(kept.filter(({ bytes }) => bytes.includes(Buffer.from(client.token)))).toEqual([])
  })
})

describe('DELETE of a workspace', () => {
  it('ends running programs and leaves nothing in the storage', async () => {
    const client = await edge.create({ files: { 'a.txt': 'a' } })
    await client.background('while true; do echo x; sleep 0.1; done')
    const running = client.post({ name: 'bash', input: LOOP })
    await until(async () => (await client.describe()).usage.calls === 1)
    expect((await client.delete()).status).toBe(204)
    await running.then((response) => response.text()).catch(() => {})
    expect((await client.get()).status).toBe(401)
    expect(await edge.tables(client.id)).toEqual([])
  })
})

// Concurrent, because these tests mostly wait.
describe.concurrent('expiry of a workspace', () => {
  it('deletes an unused workspace after its time to live', async () => {
    const client = await edge.create({ files: { 'a.txt': 'a' }, ttlMs: 2000 })
    await until(async () => (await edge.tables(client.id)).length === 0)
    expect((await client.get()).status).toBe(401)
  })

  it('is postponed by use', async () => {
    const client = await edge.create({ ttlMs: 15_000 })
    await until(async () => Date.parse((await client.describe()).expiresAt) > Date.parse(client.expiresAt))
  })

  it('is postponed by a running call', async () => {
    // On a slow machine the workspace may expire before the call arrives, so retry with more time.
    for (let seconds = 2; ; seconds *= 3) {
      const client = await edge.create({ ttlMs: seconds * 1000 })
      const response = await client.post({ name: 'bash', input: { command: `sleep ${seconds + 1}; echo done` } })
      if (response.status === 401) continue
      expect(await response.json()).toMatchObject({ ok: true, output: { exit_code: 0, stdout: 'done\n' } })
      await until(async () => (await edge.tables(client.id)).length === 0)
      break
    }
  })

  it('does not load the workspace’s tools', async () => {
    const client = await edge.create({ files: endless(50), ttlMs: 2000 })
    await edge.evict(client.id)
    await until(async () => (await edge.tables(client.id)).length === 0)
  })

  it('expiry also removes ended background sessions', async () => {
    const client = await edge.create()
    await client.background('echo done')
    const list = (): Promise<Readonly<Record<string, unknown>>> => client.output('list_background_bash', { include_exited: true })
    expect((await list()).sessions).toHaveLength(1)
    await until(async () => ((await list()).sessions as readonly unknown[]).length === 0)
  })
})

/** Tool files whose loading never ends. */
const endless = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`.toolport/tools/${100 + index}.mjs`, 'for (;;) {}']))

describe('a workspace whose custom tools never load', () => {
  it('opens with the tools before them, and lists what is left out', async () => {
    const good = "export default { name: 'good', description: 'Good.', run: () => 1 }"
    const client = await edge.create({ files: { ...endless(200), '.toolport/tools/0.mjs': good } })
    await edge.evict(client.id)
    const { ownTools } = await client.describe()
    expect(ownTools.loaded).toBe(1)
    expect(ownTools.problems).toContainEqual(expect.stringMatching(/100\.mjs.*did not end/))
    expect(ownTools.problems).toContainEqual(expect.stringMatching(/102\.mjs.*left out/))
    expect(ownTools.problems.at(-1)).toBe('and 180 more')
    expect(await client.call('good')).toMatchObject({ ok: true, output: 1 })
  })

  it('can be deleted while it opens', async () => {
    const client = await edge.create({ files: endless(200) })
    await edge.evict(client.id)
    const asked = client.get()
    expect((await client.delete()).status).toBe(204)
    expect([200, 401]).toContain((await asked).status)
    expect(await edge.tables(client.id)).toEqual([])
  })
})

it('a workspace loads custom tools from at most 64 files', async () => {
  const toolOf = (name: string): string => `export default { name: '${name}', description: 'x', run: () => 1 }`
  const names = Array.from({ length: 70 }, (_, index) => `own${100 + index}`)
  const client = await edge.create({ files: Object.fromEntries(names.map((name) => [`.toolport/tools/${name}.mjs`, toolOf(name)])) })
  await edge.evict(client.id)
  const { ownTools } = await client.describe()
  expect(ownTools.loaded).toBe(64)
  expect(ownTools.problems).toHaveLength(6)
  expect(ownTools.problems[0]).toContain('at most 64')
})

describe('web pages', () => {
  const ORIGIN = 'https://app.example'

  it('web pages of allowed origins can send requests and read responses, and no others', async () => {
    const client = await edge.create()
    const named = await client.get('', { origin: ORIGIN })
    expect(named.status).toBe(200)
    expect(named.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    expect(named.headers.get('access-control-allow-credentials')).toBeNull()
    for (const origin of ['https://evil.example', 'null', `${ORIGIN}.evil.example`]) {
      const other = await client.get('', { origin })
      expect(other.headers.get('access-control-allow-origin')).toBeNull()
      expect(await errorOf(other)).toMatchObject({ status: 403, code: 'origin_not_allowed' })
    }
    expect((await client.get()).headers.get('access-control-allow-origin')).toBeNull()
  })

  it('get CORS headers for errors too', async () => {
    const response = await edge.fetch('/workspaces/x', { headers: { origin: ORIGIN } })
    expect(response.status).toBe(401)
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN)
  })

  it('can send preflight requests', async () => {
    const ask = (origin: string): Promise<Response> =>
      edge.fetch('/workspaces/x/calls', { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } })
    const allowed = await ask('http://localhost:5173')
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-headers')).toContain('Mcp-Session-Id')
    expect(allowed.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
    expect((await ask('https://evil.example')).status).toBe(403)
  })
})

describe('every response', () => {
  it('has headers against framing and caching', async () => {
    const client = await edge.create()
    for (const response of [
      await edge.fetch('/'),
      await edge.fetch('/nothing'),
      await client.get(),
      await client.get('/tools'),
      await edge.fetch(client.path),
    ]) {
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        vary: expect.stringContaining('Origin'),
      })
    }
  })

  it('lists the allowed methods of a URL', async () => {
    const client = await edge.create()
    for (const [path, method, allow] of [
      ['/workspaces', 'GET', 'POST'],
      [client.path, 'PUT', 'GET, DELETE'],
      [`${client.path}/calls`, 'GET', 'POST'],
      [`${client.path}/mcp`, 'PUT', 'GET, POST, DELETE'],
    ] as const) {
      const response = await edge.fetch(path, { method, headers: client.headers })
      expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({ status: 405, allow })
    }
  })
})
