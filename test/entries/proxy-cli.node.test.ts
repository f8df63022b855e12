// @module-tag proxy
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { json, silent, startUpstream, type Upstream } from '../adapters/fetch-upstream.js'

const CLI = fileURLToPath(new URL('../../dist/lib/cli.js', import.meta.url))
const KEY = 'ex4-key-123456'

const children: ChildProcessWithoutNullStreams[] = []
const services: Upstream[] = []
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const service of services.splice(0)) await service.close()
})

/** Starts `toolport proxy` in its own process, in front of a search service on the loopback interface. */
async function start(args: readonly string[], environment: Record<string, string> = {}) {
  const service = await startUpstream({ '/search': json({ results: [] }) })
  services.push(service)
  const env = { PATH: process.env.PATH ?? '', TOOLPORT_EXA_URL: `${service.origin}/search`, TOOLPORT_EXA_KEY: KEY, ...environment }
  const child = spawn(process.execPath, [CLI, 'proxy', ...args], { env })
  children.push(child)
  const printed = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed.err += text
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const listening = async (): Promise<string> => {
    while (!printed.out.includes('\n'))
      await Promise.race([
        once(child.stdout, 'data'),
        ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${printed.err}`))),
      ])
    return /http:\S+/.exec(printed.out)?.[0] ?? ''
  }
  return { child, service, printed, ended, listening }
}

const search = (url: string): Promise<Response> =>
  fetch(`${url}/proxy/exa`, { method: 'POST', body: '{"query":"q"}', headers: { 'content-type': 'application/json' } })

it.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('toolport proxy serves until %s and prints no key', async (signal, code) => {
  const { child, service, printed, ended, listening } = await start(['--port', '0'])
  const url = await listening()
  expect(await (await search(url)).json()).toEqual({ results: [] })
  expect(service.seen[0]?.headers['x-api-key']).toBe(KEY)
  child.kill(signal)
  expect(await ended).toBe(code)
  expect(printed).toEqual({ out: `toolport proxy: ${url} (exa)\n`, err: '' })
})

it('toolport proxy exits during a search', async () => {
  const service = await startUpstream({ '/silent': silent })
  services.push(service)
  const { child, ended, listening } = await start(['--port', '0'], { TOOLPORT_EXA_URL: `${service.origin}/silent` })
  const answer = search(await listening()).catch(() => 'gone')
  while (service.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  child.kill('SIGTERM')
  expect(await ended).toBe(143)
  expect(await answer).toBe('gone')
})

it('toolport proxy exits with 2 for an invalid option', async () => {
  const { printed, ended } = await start(['--port', 'x'])
  expect([await ended, printed.out]).toEqual([2, ''])
  expect(printed.err).toMatch(/^toolport: --port must be a whole number/)
})

it('toolport proxy has its own help', async () => {
  const { printed, ended } = await start(['--help'])
  expect([await ended, printed.err]).toEqual([0, ''])
  expect(printed.out).toMatch(/^toolport proxy: /)
})
