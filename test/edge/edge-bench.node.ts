import { expect, it } from 'vitest'
import { Edge } from './support.js'

const ROUNDS = 15
const TIMES = 200

// Prints figures: `BENCH=1 npx vitest run --project node test/edge/edge-bench.node.ts`. Interleaved rounds, medians, requests one after another.
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
