// @module-tag edit-file
import { createTestHost } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { NetworkError } from '../../src/errors/index.js'
import { type RetryOptions, retryAfterMs, retryFetch } from '../../src/ops/retry.js'

type Step = number | Error | { readonly status: number; readonly after: string }

const fault = new NetworkError('network', 'connection failed', { retryable: true })

/** A host whose `sleep` resolves at once and records the duration. */
function setup(steps: readonly Step[], options: RetryOptions = {}, scope: { until?: number; random?: number; signal?: AbortSignal } = {}) {
  const waits: number[] = []
  let time = 1000
  let sent = 0
  const host = {
    now: () => time,
    random: () => scope.random ?? 0.5,
    sleep: async (ms: number) => {
      waits.push(ms)
      time += ms
    },
  }
  const send = async () => {
    const step = steps[Math.min(sent++, steps.length - 1)] ?? 200
    if (step instanceof Error) throw step
    const { status, after } = typeof step === 'number' ? { status: step, after: undefined } : step
    return new Response(null, { status, headers: after === undefined ? {} : { 'retry-after': after } })
  }
  const result = retryFetch(
    send,
    { host, ...(scope.until !== undefined && { until: scope.until }), ...(scope.signal && { signal: scope.signal }) },
    options,
  )
  const outcome = result.then(
    ({ status }) => status,
    (error: unknown) => error,
  )
  return { outcome, waits, sent: () => sent }
}

async function runs(...args: Parameters<typeof setup>) {
  const { outcome, waits, sent } = setup(...args)
  return { outcome: await outcome, waits, sent: sent() }
}

describe('retried results', () => {
  it.each([408, 429, 500, 502, 503, 504])('include status %i', async (status) => {
    expect(await runs([status, 200])).toMatchObject({ outcome: 200, sent: 2 })
  })

  it.each([200, 204, 301, 400, 401, 403, 404, 409, 413, 422, 501, 505])('exclude status %i', async (status) => {
    expect(await runs([status])).toEqual({ outcome: status, waits: [], sent: 1 })
  })

  it('include a failed connection, from any copy of the package', async () => {
    expect(await runs([fault, 200])).toMatchObject({ outcome: 200, sent: 2 })
    const foreign = Object.assign(new Error('x'), { name: 'NetworkError', retryable: true })
    expect(await runs([foreign, 200])).toMatchObject({ outcome: 200, sent: 2 })
  })

  it('exclude other errors', async () => {
    for (const error of [new NetworkError('blocked_origin', 'no'), new NetworkError('too_large', 'no'), new TypeError('bug')]) {
      expect(await runs([error])).toEqual({ outcome: error, waits: [], sent: 1 })
    }
  })

  it('are limited in number, and the last one is returned', async () => {
    expect(await runs([503])).toMatchObject({ outcome: 503, sent: 3 })
    expect(await runs([fault])).toMatchObject({ outcome: fault, sent: 3 })
    expect(await runs([500, fault, 429], { attempts: 3 })).toMatchObject({ outcome: 429, sent: 3 })
    expect(await runs([503], { attempts: 1 })).toMatchObject({ outcome: 503, sent: 1 })
    expect(await runs([503], { attempts: 6 })).toMatchObject({ outcome: 503, sent: 6 })
  })
})

describe('retry delays', () => {
  it('double up to a maximum, times a random number cap:40', async () => {
    expect((await runs([503], { attempts: 5, baseMs: 100, maxMs: 500 })).waits).toEqual([50, 100, 200, 250])
    expect((await runs([503], {}, { random: 0 })).waits).toEqual([0, 0])
    expect((await runs([503], { attempts: 9 }, { random: 1 })).waits).toEqual([200, 400, 800, 1600, 3200, 5000, 5000, 5000])
  })

  it('are at least Retry-After, in seconds or as a date cap:40', async () => {
    expect((await runs([{ status: 429, after: '7' }, 200])).waits).toEqual([7000])
    expect((await runs([{ status: 503, after: 'Thu, 01 Jan 1970 00:00:05 GMT' }, 200])).waits).toEqual([4000])
    expect((await runs([{ status: 503, after: '0' }, 200])).waits).toEqual([100])
    expect((await runs([{ status: 503, after: 'soon' }, 200])).waits).toEqual([100])
  })

  it('never exceed the maximum: then the response is returned', async () => {
    expect(await runs([{ status: 429, after: '31' }, 200])).toEqual({ outcome: 429, waits: [], sent: 1 })
    expect((await runs([{ status: 429, after: '31' }, 200], { maxRetryAfterMs: 31_000 })).outcome).toBe(200)
  })

  it('never pass the deadline: then the response is returned', async () => {
    expect(await runs([503], { attempts: 9 }, { until: 1300 })).toEqual({ outcome: 503, waits: [100], sent: 2 })
    expect(await runs([{ status: 429, after: '1' }], {}, { until: 2000 })).toEqual({ outcome: 429, waits: [], sent: 1 })
  })
})

describe('an abort of a retry', () => {
  it('ends a delay with the reason of the signal cap:40', async () => {
    const host = createTestHost()
    const controller = new AbortController()
    let sent = 0
    const send = async () => {
      sent++
      return new Response(null, { status: 503, headers: { 'retry-after': '10' } })
    }
    const outcome = retryFetch(send, { host, signal: controller.signal }).catch((error) => error)
    while (host.sleeping === 0) await host.yield()
    controller.abort(new Error('enough'))
    expect(await outcome).toEqual(new Error('enough'))
    expect([sent, host.sleeping]).toEqual([1, 0])
  })

  it('an abort during an attempt prevents another', async () => {
    const outcome = await runs([fault], {}, { signal: AbortSignal.abort() })
    expect(outcome).toEqual({ outcome: fault, waits: [], sent: 1 })
  })
})

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    [' 3 ', 3000],
    ['Thu, 01 Jan 1970 00:00:10 GMT', 9000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['99999999999999', undefined],
    ['2030', 2_030_000],
    ['tomorrow', undefined],
    ['Thu, 99 Jan 1970 00:00:10 GMT', undefined],
    ['', undefined],
    [null, undefined],
  ])('%j is parsed as %j', (header, ms) => {
    expect(retryAfterMs(header, 1000)).toBe(ms)
  })
})
