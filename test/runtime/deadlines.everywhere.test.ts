// @module-tag runtime
import { expect, test } from 'vitest'
import { createTestHost } from '../../src/entries/testing.js'
import { systemHost } from '../../src/host.js'
import { CallScope, STOPPED } from '../../src/runtime/call-scope.js'
import { CallerSignals } from '../../src/runtime/caller-signals.js'
import { Deadlines } from '../../src/runtime/deadline-timers.js'
import type { ToolContext } from '../../src/types/tool.js'
import { add, deferred, testRuntime, toolOf, turns } from './support.js'

const never = (): Promise<never> => new Promise(() => {})

/** A tool that returns a partial result `ms` milliseconds after its signal was aborted. */
const partial = (ms: number): ReturnType<typeof toolOf> =>
  toolOf(
    (_, { signal, host }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => void host.sleep(ms).then(() => resolve({ partial: true })))
      }),
  )

test('a call that is already aborted does not run cap:6 cap:21', async () => {
  let runs = 0
  const { runtime } = testRuntime([toolOf(() => ++runs)])
  expect(await runtime.execute({ id: 'c', name: 'probe' }, { signal: AbortSignal.abort() })).toEqual({
    ok: false,
    output: { status: 'aborted', code: 'aborted', callId: 'c', tool: 'probe', recoverable: true },
    error: 'Cannot finish "probe": the call was aborted',
  })
  expect(runs).toBe(0)
  expect(await runtime.execute({ name: 'nope' }, { signal: AbortSignal.abort() }), 'found before').toMatchObject({
    output: { code: 'unknown_tool' },
  })
})

test('a tool that ignores its signal is abandoned after graceMs cap:21', async () => {
  const controller = new AbortController()
  const { runtime, host } = testRuntime([toolOf(never)])
  let answered = false
  const result = runtime.execute({ name: 'probe' }, { signal: controller.signal }).finally(() => {
    answered = true
  })
  await host.advance(1000)
  controller.abort()
  await host.advance(249)
  expect(answered).toBe(false)
  await host.advance(1)
  expect(await result).toMatchObject({ output: { status: 'aborted', code: 'aborted' } })
})

test('a partial result within graceMs is the result, a later one is ignored', async () => {
  for (const [ms, expected] of [
    [200, { ok: true, output: { partial: true } }],
    [300, { ok: false, output: { status: 'aborted' } }],
  ] as const) {
    const controller = new AbortController()
    const { runtime, host } = testRuntime([partial(ms)])
    const result = runtime.execute({ name: 'probe' }, { signal: controller.signal })
    await host.advance(0)
    controller.abort()
    await host.advance(1000)
    expect(await result).toMatchObject(expected)
  }
})

test('a tool that rejects after an abort ends its call at once', async () => {
  const controller = new AbortController()
  const { runtime } = testRuntime([
    toolOf((_, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))),
  ])
  const result = runtime.execute({ name: 'probe' }, { signal: controller.signal })
  controller.abort(new Error('the user left'))
  expect(await result).toMatchObject({ output: { code: 'aborted' }, error: 'Cannot finish "probe": the call was aborted' })
})

test('the shorter deadline of runtime and caller ends a call', async () => {
  for (const [deadlineMs, at] of [
    [undefined, 5000],
    [100, 100],
    [60_000, 5000],
  ] as const) {
    const { runtime, host } = testRuntime([toolOf(never)], { limits: { deadlineMs: 5000, graceMs: 10 } })
    let answered = false
    const result = runtime.execute({ name: 'probe' }, { deadlineMs }).finally(() => {
      answered = true
    })
    await host.advance(at + 9)
    expect(answered).toBe(false)
    await host.advance(1)
    expect(await result).toEqual({
      ok: false,
      output: {
        status: 'timeout',
        code: 'timeout',
        callId: 'call_1',
        tool: 'probe',
        recoverable: true,
        hint: 'Split the work into smaller calls.',
      },
      error: `Cannot finish "probe": its deadline of ${at} ms passed`,
    })
  }
})

test('the signal contains the caller’s reason or the deadline cap:6 cap:21', async () => {
  const seen: unknown[] = []
  const watch = toolOf(
    (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(seen.push(signal.reason)))),
  )
  const { runtime, host } = testRuntime([watch], { limits: { deadlineMs: 50 } })
  const controller = new AbortController()
  const aborted = runtime.execute({ name: 'probe' }, { signal: controller.signal })
  controller.abort('enough')
  await aborted
  const late = runtime.execute({ name: 'probe' })
  await host.advance(50)
  await late
  expect(seen).toEqual(['enough', expect.objectContaining({ name: 'TimeoutError', message: 'The deadline of the call passed' })])
})

test('a signal still aborts a call after another call with the same signal ended', async () => {
  const { runtime } = testRuntime([partial(0), toolOf(async () => 'done', { name: 'quick' })])
  const controller = new AbortController()
  const { signal } = controller
  const running = runtime.execute({ name: 'probe' }, { signal })
  await runtime.execute({ name: 'quick' }, { signal })
  controller.abort()
  expect(await running).toMatchObject({ output: { partial: true } })
})

test('a signal read after the abort is aborted', async () => {
  const controller = new AbortController()
  const gate = deferred<void>()
  const { runtime } = testRuntime([toolOf((_, context) => gate.promise.then(() => context.signal.aborted))])
  const result = runtime.execute({ name: 'probe' }, { signal: controller.signal })
  controller.abort()
  gate.resolve()
  expect(await result).toEqual({ ok: true, output: true })
})

test('an abort by the tool itself ends its call', async () => {
  const controller = new AbortController()
  const { runtime, host } = testRuntime([
    toolOf((_, context) => {
      controller.abort()
      return context.signal.aborted ? never() : 'not aborted'
    }),
  ])
  const result = runtime.execute({ name: 'probe' }, { signal: controller.signal })
  await host.advance(250)
  expect(await result).toMatchObject({ output: { code: 'aborted' } })
})

test('a call without graceMs ends at its deadline', async () => {
  const { runtime, host } = testRuntime([toolOf(never)], { limits: { deadlineMs: 20, graceMs: 0 } })
  const result = runtime.execute({ name: 'probe' }, { deadlineMs: 0 })
  await host.advance(0)
  expect(await result).toMatchObject({ output: { code: 'timeout' } })
})

test('a schema that never answers is ended by the deadline', async () => {
  const inputSchema = {
    '~standard': { version: 1 as const, vendor: 'own', validate: never, jsonSchema: { input: () => ({ type: 'object' }) } },
  }
  const { runtime, host } = testRuntime([toolOf(() => 1, { inputSchema })], { limits: { deadlineMs: 100 } })
  const result = runtime.execute({ name: 'probe' })
  await host.advance(100)
  expect(await result).toMatchObject({ output: { code: 'timeout' } })
})

/** A signal that counts its listeners. */
function countedSignal(): { readonly signal: AbortSignal; readonly count: () => number; readonly most: () => number } {
  const { signal } = new AbortController()
  const listeners = new Set<unknown>()
  let most = 0
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (type: string, listener: never, options?: never) => {
    listeners.add(listener)
    most = Math.max(most, listeners.size)
    addEventListener.call(signal, type, listener, options)
  }
  signal.removeEventListener = (type: string, listener: never) => {
    listeners.delete(listener)
    removeEventListener.call(signal, type, listener)
  }
  return { signal, count: () => listeners.size, most: () => most }
}

test('10,000 calls on one signal leave no listeners and no timers', async () => {
  const { signal, count, most } = countedSignal()
  const slow = toolOf(async (_, { signal: own }) => own.aborted, { name: 'slow' })
  const macrotask = toolOf((_, { host: own }) => own.yield().then(() => 1), { name: 'macrotask' })
  const { runtime, host } = testRuntime([add, slow, macrotask])
  for (let round = 0; round < 100; round++) {
    const calls = Array.from({ length: 100 }, (_, index) => ({
      name: ['add', 'slow', 'macrotask'][index % 3] ?? '',
      input: index % 3 === 0 ? { a: 1 } : {},
    }))
    await Promise.all(calls.map((call) => runtime.execute(call, { signal })))
  }
  expect(most(), 'one for all the calls at a time').toBe(1)
  expect(count()).toBe(0)
  await turns()
  expect(host.sleeping).toBe(0)
})

test('equal deadlines share a timer and expire in order', async () => {
  const host = createTestHost()
  const deadlines = new Deadlines(host)
  const expired: number[] = []
  for (const ms of [50, 10, 30, 10, 90]) deadlines.addIn(ms, () => expired.push(ms))
  const removed = deadlines.addIn(20, () => expired.push(-1))
  await host.advance(5)
  expect(host.sleeping).toBe(1)
  deadlines.remove(removed)
  deadlines.addIn(1, () => expired.push(6))
  await host.advance(45)
  expect(expired).toEqual([6, 10, 10, 30, 50])
  await host.advance(100)
  expect(expired).toEqual([6, 10, 10, 30, 50, 90])
  expect(host.sleeping).toBe(0)
})

test('a lost turn of the event loop, as after a Worker request, delays no later deadline', async () => {
  const host = createTestHost()
  let lose = true
  const deadlines = new Deadlines({ ...host, yield: () => (lose ? never() : host.yield()) })
  deadlines.addIn(10, () => {})
  await host.advance(1)
  lose = false
  let expired = false
  deadlines.addIn(10, () => {
    expired = true
  })
  await host.advance(10)
  expect(expired).toBe(true)
})

test('a removed deadline leaves no timer', async () => {
  const host = createTestHost()
  const deadlines = new Deadlines(host)
  const deadline = deadlines.addIn(1000, () => {})
  await turns()
  expect(host.sleeping).toBe(1)
  deadlines.remove(deadline)
  await turns()
  expect(host.sleeping).toBe(0)
})

test('a deadline on the system clock fires in time', async () => {
  const deadlines = new Deadlines(systemHost)
  const started = systemHost.now()
  await new Promise<void>((resolve) => {
    deadlines.addIn(30, resolve)
  })
  expect(systemHost.now() - started).toBeGreaterThanOrEqual(25)
})

const scope = (): CallScope => {
  const sources = { deadlines: new Deadlines(createTestHost()), signals: new CallerSignals(), graceMs: 0 }
  return new CallScope(sources, Number.MAX_SAFE_INTEGER, undefined)
}

test('within() ends with STOPPED, the error or the value of the step', async () => {
  const stopped = scope()
  const step = stopped.within(never())
  stopped.stop('aborted')
  await expect(step).rejects.toBe(STOPPED)
  await expect(stopped.within(never()), 'stopped before').rejects.toBe(STOPPED)
  await expect(scope().within(Promise.reject(5))).rejects.toBe(5)
  expect(await scope().within(7)).toBe(7)
})

test('only the first reason to stop counts, and none after the call', () => {
  const twice = scope()
  twice.stop('timeout')
  twice.stop('aborted')
  expect(twice.stopped).toBe('timeout')
  const over = scope()
  over.close()
  over.stop('aborted')
  expect(over.stopped).toBeUndefined()
})

test('the runtime keeps no context after its call', async () => {
  const contexts: ToolContext[] = []
  const { runtime } = testRuntime([toolOf((_, context) => contexts.push(context))])
  await runtime.execute({ name: 'probe' })
  await runtime.execute({ name: 'probe' })
  expect(contexts[0]).not.toBe(contexts[1])
  expect(contexts[0]?.signal).not.toBe(contexts[1]?.signal)
})
