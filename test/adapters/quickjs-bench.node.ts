import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createWorkspace, type JsAdapter } from 'toolport'
import { createFetch } from 'toolport/adapters/fetch'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { createQuickJs, type QuickJsOptions } from 'toolport/adapters/quickjs'
import { it } from 'vitest'
import { installPackages } from '../../src/packages/install/index.js'
import { recordedAnswer } from '../packages/install-support.js'
import { jsWorkers } from './node-workers.js'
import { BUILTIN_LOOP, LOOPS } from './quickjs-loops.js'

// Only prints figures: `BENCH=1 npx vitest run --project node test/adapters/quickjs-bench.node.ts`.
const ROUNDS = 20
const STOPS = 5
const INSTALLS = 5
const LIMIT_MS = 500
const TICK_MS = 10

const worker = await jsWorkers()
const adapter = (options: QuickJsOptions): JsAdapter => createQuickJs(options)(createWorkspace({ fs: createMemoryFs() }))

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

async function timedRounds(count: number, round: () => Promise<number>): Promise<readonly number[]> {
  const all: number[] = []
  for (let i = 0; i < count; i++) all.push(await round())
  return all.sort((a, b) => a - b)
}

const row = (what: string, sorted: readonly number[]): string =>
  `  ${what.padEnd(34)} ${[sorted[sorted.length >> 1], sorted[0], sorted.at(-1)].map((ms) => (ms ?? 0).toFixed(1)).join(' / ')}`

async function sums(name: string, options: QuickJsOptions): Promise<readonly string[]> {
  const code = '1+1'
  const cold = await timedRounds(ROUNDS, async () => {
    const js = adapter(options)
    const ms = await timed(() => js.run({ code }))
    await js.close?.()
    return ms
  })
  const js = adapter(options)
  await js.run({ code })
  const warm = await timedRounds(ROUNDS, () => timed(() => js.run({ code })))
  await js.close?.()
  return [row(`1+1 cold, ${name}`, cold), row(`1+1 warm, ${name}`, warm)]
}

/** Time from the deadline to the result, and ticks of this thread until the deadline. */
async function stops(kind: string, code: string): Promise<string> {
  const js = adapter({ worker })
  let fewest = Number.POSITIVE_INFINITY
  const late = await timedRounds(STOPS, async () => {
    await js.open?.()
    const from = performance.now()
    let ticks = 0
    const ticking = setInterval(() => {
      if (performance.now() - from < LIMIT_MS) ticks++
    }, TICK_MS)
    const ms = await timed(() => js.run({ code, timeoutMs: LIMIT_MS }))
    clearInterval(ticking)
    fewest = Math.min(fewest, ticks)
    return ms - LIMIT_MS
  })
  await js.close?.()
  return `${row(`loop, ${kind}`, late)}, at least ${fewest} ticks`
}

/** Time from the abort of a busy program to its result. */
async function aborts(kind: string, code: string): Promise<string> {
  const js = adapter({ worker })
  const all = await timedRounds(ROUNDS, async () => {
    await js.open?.()
    const stop = new AbortController()
    let from = 0
    const onOutput = (): void => {
      if (from > 0) return
      // The program is in its loop by then.
      setTimeout(() => {
        from = performance.now()
        stop.abort()
      }, TICK_MS)
    }
    await js.run({ code, onOutput, signal: stop.signal, timeoutMs: LIMIT_MS * ROUNDS })
    return performance.now() - from
  })
  await js.close?.()
  return row(kind, all)
}

async function installs(): Promise<readonly string[]> {
  const server = createServer(async ({ url = '' }, response) => {
    const answer = await recordedAnswer(url.slice(1))
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/octet-stream' })
    response.end(new Uint8Array(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'toolport-figures-')))
  const fetch = createFetch({ origins: [new URL(registry).origin] })
  let last = 0
  const fresh = async (): Promise<string> => {
    const path = join(folder, String(++last))
    await mkdir(path)
    return path
  }
  const ours = await timedRounds(INSTALLS, async () => {
    const workspace = createWorkspace({ fs: createNodeFs({ root: await fresh() }) })
    return timed(() => installPackages(workspace, { packages: ['nanoid@5'], fetch, registry }))
  })
  const none = ['--userconfig', join(folder, 'none'), '--globalconfig', join(folder, 'neither')]
  const quiet = ['--registry', registry, '--replace-registry-host', 'always', '--no-audit', '--no-fund', '--no-update-notifier']
  const theirs = await timedRounds(INSTALLS, async () => {
    const cwd = await fresh()
    const env = { PATH: process.env.PATH, HOME: folder }
    // Uses an empty cache, because our installer has no cache either.
    const cache = ['--cache', join(cwd, '.cache')]
    return timed(() => promisify(execFile)('npm', ['install', 'nanoid@5', ...quiet, ...none, ...cache], { cwd, env }))
  }).catch(() => undefined)
  server.close()
  await rm(folder, { recursive: true })
  return [row('install nanoid, toolport', ours), theirs ? row('install nanoid, npm', theirs) : '  there is no npm']
}

it('figures of QuickJS in Node', { timeout: 900_000 }, async () => {
  const load = (): string => `load ${loadavg()[0]?.toFixed(1)}`
  const lines = [`\nms: median / min / max (${load()} at the beginning)`]
  lines.push(...(await sums('worker', { worker })), ...(await sums('in this thread', { worker: false })))
  lines.push(`  after a deadline of ${LIMIT_MS} ms:`)
  for (const [kind, code] of Object.entries(LOOPS)) lines.push(await stops(kind, code))
  lines.push(...(await installs()), `  (${load()} at the end)`)
  console.log(lines.join('\n'))
})

it('figures of aborts in Node', { timeout: 900_000 }, async () => {
  const lines = [`\nms from the abort to the result: median / min / max (load ${loadavg()[0]?.toFixed(1)})`]
  for (const [kind, code] of Object.entries({ ...LOOPS, 'one call of a builtin': BUILTIN_LOOP })) lines.push(await aborts(kind, code))
  console.log(lines.join('\n'))
})
