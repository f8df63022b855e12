// @module-tag playground
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registryMiddleware } from '../../scripts/registry-proxy.mjs'
import { closeServer, type RegistryServer, startRegistry } from './registry-server.js'

let registry: RegistryServer
let server: Server
let port: number
let target: () => Promise<string>

beforeAll(async () => {
  registry = await startRegistry()
  target = async () => registry.address
  const pass = registryMiddleware(() => target())
  server = createServer((request, response) => pass(request, response, () => response.end('the page')))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})

afterAll(async () => {
  await closeServer(server)
  await registry.close()
})

interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Requests a path without normalising it, unlike `fetch`. */
function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ port, host: '127.0.0.1', path, headers, method }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

const json = ({ body }: Answered): unknown => JSON.parse(String(body))

describe('the registry proxy of the development server', () => {
  test('passes on metadata and tarballs unchanged, and describes itself at its root', async () => {
    expect(json(await ask('/registry/'))).toEqual({ registry: 'pass-through' })
    const metadata = await ask('/registry/nanoid')
    expect([metadata.status, metadata.headers['content-type']]).toEqual([200, 'application/json'])
    expect(json(metadata)).toMatchObject({ name: 'nanoid' })
    const tarball = await ask('/registry/nanoid/-/nanoid-5.1.16.tgz?x=1')
    expect(tarball.body.subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b))
    expect(registry.asked.at(-1)?.path).toBe('/npm/nanoid/-/nanoid-5.1.16.tgz')
    expect((await ask('/registry/@scope%2fname')).status).toBe(404)
    expect(registry.asked.at(-1)?.path).toBe('/npm/@scope%2fname')
    expect(String((await ask('/other')).body)).toBe('the page')
    expect(String((await ask('/registryx')).body)).toBe('the page')
  })

  test('passes on only accepted headers', async () => {
    await ask('/registry/nanoid', {
      accept: 'application/vnd.npm.install-v1+json',
      authorization: 'Bearer secret',
      cookie: 'a=secret',
      'npm-auth-type': 'web',
      referer: 'http://127.0.0.1/secret',
    })
    const { headers } = registry.asked.at(-1) ?? {}
    expect(headers?.accept).toBe('application/vnd.npm.install-v1+json')
    expect(JSON.stringify(headers)).not.toContain('secret')
    expect(headers).not.toHaveProperty('npm-auth-type')
  })

  test.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'])('rejects %s', async (method) => {
    const before = registry.asked.length
    expect((await ask('/registry/nanoid', {}, method)).status).toBe(405)
    expect(registry.asked).toHaveLength(before)
  })

  test.each([
    ['another host name, as after DNS rebinding', { host: 'evil.example' }],
    ['a host name that starts with localhost', { host: 'localhost.evil.example' }],
    ['a page on another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page on another port', { 'sec-fetch-site': 'same-site' }],
  ])('rejects %s', async (_, headers) => {
    const before = registry.asked.length
    expect((await ask('/registry/nanoid', headers)).status).toBe(403)
    expect(registry.asked).toHaveLength(before)
  })

  test.each([[{ host: 'localhost:4173' }], [{ host: '[::1]:80' }], [{ 'sec-fetch-site': 'same-origin' }], [{ 'sec-fetch-site': 'none' }]])(
    'accepts %j',
    async (headers) => {
      expect((await ask('/registry/nanoid', headers)).status).toBe(200)
    },
  )

  test.each(['/registry/../../x', '/registry/%2e%2e/x', '/registry/a/%2E%2E/../../x', '/registry/..\\..\\x'])(
    'rejects a path outside the registry: %s',
    async (path) => {
      const before = registry.asked.length
      expect((await ask(path)).status).toBe(400)
      expect(registry.asked).toHaveLength(before)
    },
  )

  test.each(['//evil.example/x', '/http://evil.example/x', '/@evil.example/x'])('sends %s to the registry only', async (rest) => {
    const before = registry.asked.length
    expect((await ask(`/registry${rest}`)).status).toBe(404)
    expect(registry.asked).toHaveLength(before + 1)
  })

  test('reports an unreachable registry, and reads its URL again', async () => {
    const gone = await startRegistry()
    await gone.close()
    target = async () => gone.address
    const pass = registryMiddleware(() => target())
    const own = createServer((request, response) => pass(request, response, () => response.end()))
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(own.address() as AddressInfo).port}/registry/nanoid`
    const failed = await fetch(address)
    expect([failed.status, await failed.json()]).toEqual([502, { error: expect.stringContaining('The registry cannot be reached') }])
    target = async () => registry.address
    expect((await fetch(address)).status).toBe(200)
    await closeServer(own)
  })
})

describe('a redirect of the registry in the proxy', () => {
  const servers: Server[] = []
  const start = async (listener: Parameters<typeof createServer>[1]): Promise<string> => {
    const made = createServer(listener)
    servers.push(made)
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(made.address() as AddressInfo).port}`
  }
  afterAll(() => Promise.all(servers.map((made) => closeServer(made))))

  test('is followed to its own origin and allowed ones only', async () => {
    const archives = await start((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<script>'))
    const base = await start((request, response) => {
      const location = request.url === '/own' ? '/there' : `${archives}/a.tgz`
      if (request.url === '/there') response.writeHead(200, { 'content-type': 'text/html' }).end('{}')
      else response.writeHead(302, { location }).end()
    })
    const askThrough = async (path: string, origins: readonly string[]): Promise<Response> => {
      const pass = registryMiddleware(async () => `${base}/`, origins)
      return fetch(`${await start((request, response) => pass(request, response, () => response.end()))}/registry/${path}`)
    }
    const own = await askThrough('own', [])
    expect([own.status, own.headers.get('content-type'), own.headers.get('x-content-type-options')]).toEqual([
      200,
      'application/json',
      'nosniff',
    ])
    const allowed = await askThrough('a.tgz', [archives])
    expect([allowed.status, allowed.headers.get('content-type')]).toEqual([200, 'application/octet-stream'])
    const refused = await askThrough('a.tgz', [])
    expect([refused.status, refused.headers.get('x-content-type-options'), await refused.text()]).toEqual([
      502,
      'nosniff',
      expect.stringContaining(`it redirects to ${archives}, which is not allowed`),
    ])
  })
})
