// @module-tag runtime
import { expect, test } from 'vitest'
import type { RuntimeEvent } from '../../src/types/runtime.js'
import { add, testRuntime, toolOf } from './support.js'

const kinds = (events: readonly RuntimeEvent[]): string[] => events.map(({ type }) => type)

test('a call emits its events in order cap:5 cap:49', async () => {
  const chatty = toolOf(async (_, { log, progress, host }) => {
    log('reading', { file: 'a' })
    progress({ lines: 1 })
    await host.sleep(30)
    progress({ lines: 2 })
    return 'done'
  })
  const { runtime, host, events } = testRuntime([chatty])
  const updates: unknown[] = []
  const result = runtime.execute({ id: 'c', name: 'probe', input: { x: 1 } }, { onProgress: (update) => updates.push(update) })
  await host.advance(30)
  await result
  const call = { id: 'c', name: 'probe', input: { x: 1 } }
  const start = Date.UTC(2025, 0, 1)
  expect(events).toEqual([
    { type: 'call_start', callId: 'c', call, time: start },
    { type: 'log', callId: 'c', tool: 'probe', message: 'reading', data: { file: 'a' } },
    { type: 'progress', callId: 'c', tool: 'probe', update: { lines: 1 } },
    { type: 'progress', callId: 'c', tool: 'probe', update: { lines: 2 } },
    { type: 'call_end', callId: 'c', call, result: { ok: true, output: 'done' }, durationMs: 30 },
  ])
  expect(updates).toEqual([{ lines: 1 }, { lines: 2 }])
})

test('every started call emits an end, also a rejected one cap:49', async () => {
  const { runtime, events } = testRuntime([add])
  await runtime.execute({ name: 'nope' })
  await runtime.execute({ name: 'add', input: {} })
  await runtime.execute(null as never)
  await runtime.dispose()
  await runtime.execute({ name: 'add', input: { a: 1 } })
  expect(kinds(events)).toEqual(Array.from({ length: 4 }, () => ['call_start', 'call_end']).flat())
  const ends = events.flatMap((event) => (event.type === 'call_end' && !event.result.ok ? [event.result.output.code] : []))
  expect(ends).toEqual(['unknown_tool', 'invalid_input', 'invalid_input', 'aborted'])
})

test('listeners are called in the order of registration until they are removed', async () => {
  const { runtime } = testRuntime([add])
  const told: string[] = []
  const listener = (name: string) => (): void => {
    told.push(name)
  }
  const same = listener('same')
  const stopFirst = runtime.on(same)
  runtime.on(listener('other'))
  const stopSecond = runtime.on(same)
  await runtime.execute({ name: 'nope' })
  expect(told).toEqual(['same', 'other', 'same', 'same', 'other', 'same'])
  told.length = 0
  stopFirst()
  stopFirst()
  await runtime.execute({ name: 'nope' })
  expect(told).toEqual(['other', 'same', 'other', 'same'])
  stopSecond()
})

test('a listener that removes itself during an event does not affect others', async () => {
  const { runtime } = testRuntime([add])
  const told: string[] = []
  const stop = runtime.on(() => {
    told.push('once')
    stop()
  })
  runtime.on(() => told.push('always'))
  await runtime.execute({ name: 'nope' })
  expect(told).toEqual(['once', 'always', 'always'])
})

test('hooks.onEvent is a listener too', async () => {
  const seen: string[] = []
  const { runtime } = testRuntime([add], { hooks: { onEvent: ({ type }) => seen.push(type) } })
  await runtime.execute({ name: 'add', input: { a: 1 } })
  expect(seen).toEqual(['call_start', 'call_end'])
})
