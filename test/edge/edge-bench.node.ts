import { expect, it } from 'vitest'
import { Attack, COMPUTING } from './attack.js'
import { type Client, Edge } from './support.js'

const ROUNDS = 15
const TIMES = 200

// `BENCH=1 npx vitest run --project node test/edge/edge-bench.node.ts`. Prints medians of interleaved rounds, one request at a time.
it('a warm call takes at most twice as long as the round trip to a bare object', { timeout: 600_000 }, async () => {
  const bindings = { OPEN: 'true', BURST: '1000000', REQUESTS_PER_MINUTE: '10000000' }
  const edge = await Edge.start({ entry: 'test/edge/bare.workerd.ts', objects: { BARE: 'Bare' }, bindings })
  try {
    const client = await edge.create({ files: { 'a.ts': 'export const a = 1\n'.repeat(100) } })
    const body = JSON.stringify({ name: 'read_file', input: { path: 'a.ts' } })
    const headers = { 'content-type': 'application/json', 'accept-encoding': 'identity', ...client.headers }
    const post = async (path: string): Promise<void> => {
      const response = await edge.fetch(path, { method: 'POST', headers, body })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      await response.arrayBuffer()
    }
    const call = `${client.path}/calls`
    const outside = await compare(
      () => repeat(() => post('/bare')),
      () => repeat(() => post(call)),
    )
    const inside = await compare(
      () => post(`/inside/${TIMES}/bare`),
      () => post(`/inside/${TIMES}${call}`),
    )
    console.log(table({ 'over loopback': outside, 'within workerd': inside }))
    expect(outside.ratio).toBeLessThanOrEqual(2)
  } finally {
    await edge.stop()
  }
})

it('a workspace waits for its turn while another one computes', { timeout: 600_000 }, async () => {
  const edge = await Edge.start({ bindings: { OPEN: 'true', BURST: '100000' } })
  try {
    const client = await edge.create({ files: { 'a.txt': 'mine' } })
    const calm = await waits(client)
    console.log(`read_file: ${calm.calls}; run_js: ${calm.programs} while no other one computes`)
    for (const [how, code] of Object.entries(COMPUTING)) {
      const attack = new Attack(await edge.create(), code)
      const { calls, programs } = await waits(client)
      attack.stop()
      console.log(`read_file: ${calls}; run_js: ${programs} while another one runs 15 programs that compute ${how}`)
    }
  } finally {
    await edge.stop()
  }
})

/** Durations of calls for 10 s, and of one program per second. */
async function waits(client: Client): Promise<{ readonly calls: string; readonly programs: string }> {
  const [calls, programs]: [number[], number[]] = [[], []]
  const timed = async (times: number[], work: () => Promise<unknown>): Promise<void> => {
    const from = performance.now()
    await work()
    times.push(performance.now() - from)
  }
  for (const begin = performance.now(); performance.now() - begin < 10_000; ) {
    await timed(calls, () => client.output('read_file', { path: 'a.txt' }))
    if (performance.now() - begin < programs.length * 1000) continue
    await timed(programs, () => client.output('run_js', { code: 'export default 1' }))
  }
  return { calls: spread(calls), programs: spread(programs) }
}

const spread = (times: readonly number[]): string =>
  `${[Math.min(...times), median(times), Math.max(...times)].map((ms) => ms.toFixed(0)).join(', ')} ms (min, median, max)`

interface Compared {
  readonly bareMs: number
  readonly callMs: number
  readonly ratio: number
}

async function compare(bare: () => Promise<void>, call: () => Promise<void>): Promise<Compared> {
  const times: { bare: number[]; call: number[] } = { bare: [], call: [] }
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, work] of [
      ['bare', bare],
      ['call', call],
    ] as const) {
      const from = performance.now()
      await work()
      if (round > 0) times[name].push((performance.now() - from) / TIMES)
    }
  }
  const [bareMs, callMs] = [median(times.bare), median(times.call)]
  return { bareMs, callMs, ratio: callMs / bareMs }
}

async function repeat(work: () => Promise<void>): Promise<void> {
  for (let at = 0; at < TIMES; at++) await work()
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const table = (rows: Readonly<Record<string, Compared>>): string =>
  Object.entries(rows)
    .map(
      ([name, { bareMs, callMs, ratio }]) =>
        `${name}: bare object ${bareMs.toFixed(3)} ms, read_file ${callMs.toFixed(3)} ms, ${ratio.toFixed(2)}x`,
    )
    .join('\n')
