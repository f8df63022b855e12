// @module-tag edge
import { createRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { standard } from 'toolport/presets/standard'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ask } from '../../demo/worker/front/ask.js'
import { clientAddress } from '../../demo/worker/front/client-address.js'
import { Guards } from '../../demo/worker/front/guards.js'
import { RateLimit } from '../../demo/worker/http/rate-limit.js'
import { EventStream } from '../../demo/worker/object/event-stream.js'
import { Turns } from '../../demo/worker/object/turns.js'
import { collect, readEvents } from './support.js'

afterEach(() => vi.useRealTimers())

describe('EventStream', () => {
  it('buffers at most 1 MiB for a slow reader, reports what is missing, and ends with the last event', async () => {
    const events = new EventStream(60_000, () => {})
    const piece = { text: 'x'.repeat(100_000) }
    for (let at = 0; at < 30; at++) events.send('output', piece)
    events.end('result', { ok: true })
    const seen = await collect(readEvents(new Response(events.readable)))
    const outputs = seen.filter(({ event }) => event === 'output').length
    expect(outputs).toBeGreaterThan(5)
    expect(outputs).toBeLessThanOrEqual(11)
    expect(seen.slice(outputs)).toEqual([
      { event: 'dropped', data: { events: 30 - outputs } },
      { event: 'result', data: { ok: true } },
    ])
  })

  it('reports when its reader leaves, and ignores later events', async () => {
    const onLeave = vi.fn()
    const events = new EventStream(60_000, onLeave)
    await events.readable.cancel()
    expect(onLeave).toHaveBeenCalledOnce()
    events.send('output', {})
    events.end('result', {})
  })
})

describe('RateLimit', () => {
  it('allows a burst, then a number per minute, for each key', () => {
    vi.useFakeTimers({ now: 1_000_000 })
    const limit = new RateLimit({ burst: 3, perMinute: 60 })
    expect([1, 2, 3].map(() => limit.take('a'))).toEqual([0, 0, 0])
    expect(limit.take('a')).toBe(1000)
    expect(limit.wait('b')).toBe(0)
    vi.setSystemTime(1_000_500)
    expect(limit.take('a')).toBe(500)
    vi.setSystemTime(1_001_000)
    expect(limit.take('a')).toBe(0)
    expect(limit.take('a')).toBe(1000)
    vi.setSystemTime(900_000)
    expect(limit.take('a')).toBeGreaterThan(0)
  })

  it('remembers 10,000 keys and drops the least recently used', () => {
    vi.useFakeTimers({ now: 0 })
    const limit = new RateLimit({ burst: 1, perMinute: 1 })
    for (let key = 0; key <= 10_000; key++) limit.take(`${key}`)
    expect(limit.wait('0')).toBe(0)
    expect(limit.wait('1')).toBeGreaterThan(0)
    expect(limit.wait('10000')).toBeGreaterThan(0)
  })
})

describe('Guards', () => {
  it.each([
    [true, 'Too many requests with a token'],
    [false, 'Too many wrong tokens'],
  ])('says what the platform has counted (right tokens too: %s)', async (countsRight, message) => {
    const guards = new Guards({ CREATIONS_PER_MINUTE: 30, FAILURES_PER_MINUTE: 60 } as never)
    const env = { RATE_LIMITER: { limit: async () => ({ success: false }) } }
    const attempt = guards.attempt('192.0.2.1', env, { check: async () => false, isWrong: () => true, countsRight })
    await expect(attempt).rejects.toThrow(message)
  })
})

describe('Turns', () => {
  const LIMITS = { STRETCH_MS: 500, PROGRAM_MS: 5000, PROGRAM_MS_PER_MINUTE: 12_000 }
  /** Number of ticks of 0.1 ms each. */
  const ofMs = (ms: number): number => ms * 10

  /** Number of ticks, each of 10,000 jumps, after which the program is ended. Infinity if it still runs after `most` ticks. */
  const ticksOf = (end: (passed: number) => string | undefined, most: number): number => {
    for (let ticks = 1; ticks <= most; ticks++) if (end(10_000) !== undefined) return ticks
    return Infinity
  }

  it('end a program by its steps if the clock stands still or barely moves', () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] })
    expect(ticksOf(new Turns(LIMITS).of('still').end, ofMs(510))).toBeGreaterThan(ofMs(490))
    const { end } = new Turns(LIMITS).of('moving')
    for (const ms of [1, 100]) {
      expect(ticksOf(end, ofMs(300))).toBe(Infinity)
      vi.advanceTimersByTime(ms)
    }
    // 101 ms by the clock, so about 400 ms remain for the ticks since then.
    const ticks = ticksOf(end, ofMs(500))
    expect(ticks).toBeGreaterThan(ofMs(390))
    expect(ticks).toBeLessThan(ofMs(410))
  })

  it('use the clock while it moves', () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] })
    const { end } = new Turns(LIMITS).of('clock')
    expect(end(0)).toBeUndefined()
    for (let ms = 0; ms < 499; ms++) {
      vi.advanceTimersByTime(1)
      for (let tick = 0; tick < 5; tick++) expect(end(250)).toBeUndefined()
    }
    vi.advanceTimersByTime(1)
    expect(end(0)).toContain('500 ms without a pause')
  })

  it('count the engine’s work while the clock stood still', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    // A clock that stands still between programs as well would keep the second one waiting.
    const js = createQuickJs({ turns: () => new Turns(LIMITS).of('a'), worker: false })
    const tools = createRuntime({ fs: createMemoryFs(), js, preset: standard() })
    const run = (code: string) => tools.call('run_js', { code })
    // Two jumps a round, of 0.00001 ms each: 80 ms.
    const sum = 'let sum = 0; for (let at = 0; at < 4e6; at++) sum += at; export default sum'
    expect(await run(sum)).toMatchObject({ result: 7_999_998_000_000 })
    for (const endless of ['for (;;) {}', '/(x+x+)+y/.test("x".repeat(40))'])
      expect(await run(endless)).toMatchObject({ stderr: expect.stringContaining('500 ms without a pause') })
    await tools.dispose()
  })
})

it('an unreachable Durable Object gives "unavailable" with Retry-After', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const broken = ask(() => Promise.reject(new Error('Durable Object reset because its code was updated.')), 'Ask again')
  await expect(broken).rejects.toMatchObject({ status: 503, code: 'unavailable', hint: 'Ask again', headers: { 'retry-after': '1' } })
  log.mockRestore()
})

describe('clientAddress', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    [undefined, 'unknown'],
  ])('counts %s as %s', (address, counted) => {
    expect(clientAddress(new Request('http://x/', { headers: address === undefined ? {} : { 'cf-connecting-ip': address } }))).toBe(counted)
  })
})
