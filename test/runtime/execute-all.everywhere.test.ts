// @module-tag runtime
import { expect, test } from 'vitest'
import { runGrouped } from '../../src/runtime/call-groups.js'
import type { AnyTool } from '../../src/types/tool.js'
import fc from '../fast-check.js'
import { testRuntime, toolOf } from './support.js'

/** Tools that log their starts and ends. Calls of `read` end once `readers` of them have started. */
function noted(readers: number): { readonly log: string[]; readonly tools: readonly AnyTool[] } {
  const log: string[] = []
  const waiting: (() => void)[] = []
  const meet = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (waiting.length === readers) for (const leave of waiting.splice(0)) leave()
    })
  const note =
    (work: () => Promise<void>): AnyTool['run'] =>
    async ({ n }: { n?: unknown }) => {
      log.push(`+${String(n)}`)
      await work()
      log.push(`-${String(n)}`)
      return n
    }
  const read = toolOf(note(meet), { name: 'read', annotations: { readOnlyHint: true } })
  return {
    log,
    tools: [
      read,
      toolOf(
        note(async () => {}),
        { name: 'write' },
      ),
    ],
  }
}

const read = (n: number) => ({ name: 'read', input: { n } })
const write = (n: number) => ({ name: 'write', input: { n } })

test('adjacent read-only calls run in parallel, and a call that writes runs alone in order', async () => {
  const { log, tools } = noted(2)
  const { runtime } = testRuntime(tools)
  const results = await runtime.executeAll([read(1), read(2), write(3), write(4), read(5), read(6)])
  expect(results.map((result) => result.ok && result.output)).toEqual([1, 2, 3, 4, 5, 6])
  expect(log).toEqual(['+1', '+2', '-1', '-2', '+3', '-3', '+4', '-4', '+5', '+6', '-5', '-6'])
})

test('at most eight calls run in parallel', async () => {
  let running = 0
  let most = 0
  const tool = toolOf(
    async (_, { host }) => {
      most = Math.max(most, ++running)
      await host.yield()
      running--
      return 1
    },
    { annotations: { readOnlyHint: true } },
  )
  const { runtime } = testRuntime([tool])
  expect(await runtime.executeAll(Array.from({ length: 50 }, () => ({ name: 'probe' })))).toHaveLength(50)
  expect(most).toBe(8)
})

test('a tool registered by an earlier call is found, and a failed call stops no other', async () => {
  const make = toolOf(() => {
    runtime.registry.register(toolOf(() => 'made', { name: 'made' }))
    return 1
  })
  const broken = toolOf(() => JSON.parse('{'), { name: 'broken' })
  const { runtime } = testRuntime([make, broken])
  const results = await runtime.executeAll([{ name: 'made' }, { name: 'probe' }, { name: 'broken' }, { name: 'made' }])
  expect(results.map(({ ok }) => ok)).toEqual([false, true, false, true])
})

test('an abort ends the running call and all later ones', async () => {
  const controller = new AbortController()
  const { runtime } = testRuntime([
    toolOf(({ n }, { signal }) => {
      if (n !== 1) return n
      setTimeout(() => controller.abort(), 1)
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('cut short')))
    }),
  ])
  const results = runtime.executeAll(
    [0, 1, 2, 3].map((n) => ({ name: 'probe', input: { n } })),
    { signal: controller.signal },
  )
  expect((await results).map((result) => (result.ok ? result.output : result.output.code))).toEqual([0, 'cut short', 'aborted', 'aborted'])
})

test('without calls there are no results', async () => {
  expect(await testRuntime([]).runtime.executeAll([])).toEqual([])
})

test('accepts any iterable, and throws for other values', async () => {
  const { tools } = noted(1)
  const { runtime } = testRuntime(tools)
  function* calls() {
    yield write(1)
    yield read(2)
  }
  for (const iterable of [calls(), new Set([write(1), read(2)])]) {
    expect(await runtime.executeAll(iterable)).toEqual([
      { ok: true, output: 1 },
      { ok: true, output: 2 },
    ])
  }
  for (const [none, type] of [
    [undefined, 'undefined'],
    [null, 'null'],
    [5, 'number'],
    ['abc', 'string'],
    [{ length: 1 }, 'object'],
  ]) {
    await expect(runtime.executeAll(none as never)).rejects.toThrow(
      new TypeError(`Cannot run calls: expected an array or another iterable, got ${String(type)}`),
    )
  }
})

test('property: results keep their order, and nothing runs beside a call that writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 40 }), async (reads) => {
      let running = 0
      const results = await runGrouped(
        [...reads.keys()],
        (index) => reads[index] === true,
        async (index) => {
          running++
          if (reads[index] === false) expect(running).toBe(1)
          await Promise.resolve()
          if (reads[index] === false) expect(running).toBe(1)
          running--
          return index * 2
        },
      )
      expect(results).toEqual(reads.map((_, index) => index * 2))
    }),
  )
})
