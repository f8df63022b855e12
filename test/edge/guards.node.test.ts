// @module-tag edge
import { afterEach, expect, it } from 'vitest'
import { corsHeaders } from '../../demo/worker/front/cors.js'
import { Edge, errorOf, PATIENT } from './support.js'

let edge: Edge
afterEach(() => edge?.stop())

it('nobody can create workspaces without CREATE_TOKEN', async () => {
  edge = await Edge.start({ bindings: {} })
  const refused = await errorOf(await edge.post('/workspaces', {}))
  expect(refused).toMatchObject({ status: 503, code: 'creation_closed' })
  expect(refused.text).toContain('CREATE_TOKEN')
})

it('every request with an Origin header is rejected without ORIGINS', () => {
  for (const origin of ['', 'https://app.example'])
    for (const origins of [undefined, '', ','])
      expect(() => corsHeaders(new Request('http://x/', { headers: { origin } }), origins)).toThrow('Pages of this origin may not ask')
  expect(corsHeaders(new Request('http://x/'))).toEqual({ vary: 'Origin' })
})

it('only the holder of CREATE_TOKEN can create workspaces, and its length stays secret', async () => {
  const token = 'of-the-operator'
  edge = await Edge.start({ bindings: { CREATE_TOKEN: token, OPEN: 'true', FAILURES_PER_MINUTE: '4' } })
  const create = (authorization?: string): Promise<Response> =>
    edge.post('/workspaces', {}, authorization === undefined ? {} : { authorization })
  expect((await create(`Bearer ${token}`)).status).toBe(201)
  for (const wrong of [undefined, 'Bearer', `Bearer ${token}x`, 'Bearer of']) {
    expect(await errorOf(await create(wrong))).toMatchObject({ status: 401, code: 'unauthorized' })
  }
  const late = await create('Bearer no')
  expect(late.status).toBe(429)
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
})

it('counts wrong tokens before it waits, so that parallel attempts cannot exceed the limit, and accepts right ones', async () => {
  edge = await Edge.start({ bindings: { OPEN: 'true', FAILURES_PER_MINUTE: '4' } })
  const workspace = await edge.create()
  const statuses = (count: number, send: () => Promise<Response>): Promise<readonly number[]> =>
    Promise.all(Array.from({ length: count }, async () => (await send()).status))
  // Attempts beyond the limit wait for the earlier ones, because their token may be right.
  expect(new Set(await statuses(30, () => workspace.get()))).toEqual(new Set([200]))
  const guess = (): Promise<Response> => edge.fetch(workspace.path, { headers: { authorization: 'Bearer wrong' } })
  const tried = await statuses(30, guess)
  expect(tried.filter((status) => status === 401)).toHaveLength(4)
  expect(tried.filter((status) => status === 429)).toHaveLength(26)
  expect((await workspace.get()).status).toBe(429)
})

it('serves parallel calls with right tokens, and tries no more wrong ones than the limit', async () => {
  edge = await Edge.start({ bindings: { OPEN: 'true', FAILURES_PER_MINUTE: '1', ...PATIENT } })
  const workspace = await edge.create()
  const waiting = workspace.output('bash', { command: 'until [ -e go ]; do sleep 0.05; done; echo went' })
  await new Promise((resolve) => setTimeout(resolve, 500))
  const code = `import { writeFile } from 'node:fs/promises'
await new Promise((resolve) => setTimeout(resolve, 500))
await writeFile('go', '')
export default 'went'`
  expect(await workspace.output('run_js', { code })).toMatchObject({ result: 'went' })
  expect(await waiting).toMatchObject({ stdout: 'went\n' })
  const guess = (): Promise<Response> => edge.fetch(workspace.path, { headers: { authorization: 'Bearer wrong' } })
  const tried = await Promise.all(Array.from({ length: 50 }, async () => (await guess()).status))
  expect(tried.filter((status) => status === 401)).toHaveLength(1)
  expect(tried.filter((status) => status === 429)).toHaveLength(49)
})

it('counts wrong CREATE_TOKENs before it waits', async () => {
  edge = await Edge.start({ bindings: { CREATE_TOKEN: 'of-the-operator', FAILURES_PER_MINUTE: '4' } })
  const create = (): Promise<Response> => edge.post('/workspaces', {}, { authorization: 'Bearer wrong' })
  const tried = await Promise.all(Array.from({ length: 30 }, async () => (await create()).status))
  expect(tried.filter((status) => status === 401)).toHaveLength(4)
})

it('limits the workspaces that an address creates per minute', async () => {
  edge = await Edge.start({ bindings: { OPEN: 'true', CREATIONS_PER_MINUTE: '3' } })
  for (let at = 0; at < 3; at++) await edge.create()
  const refused = await edge.post('/workspaces', {})
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'too_many_requests' })
})

it('an invalid setting is reported by every request', async () => {
  edge = await Edge.start({ bindings: { OPEN: 'true', MAX_BYTES: 'much' } })
  const refused = await errorOf(await edge.post('/workspaces', {}))
  expect(refused).toMatchObject({ status: 500, code: 'misconfigured' })
  expect(refused.text).toContain('MAX_BYTES')
})
