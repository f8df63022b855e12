// @module-tag runtime
import type { ToolContext, ToolResult } from 'toolport'
import { describe, expect, it } from 'vitest'
import type { RuntimeEvent } from '../../src/types/runtime.js'
import { add, deferred, testRuntime, toolOf } from './support.js'

/** A tool that calls the tool named in its input. */
const outer = (more: (context: ToolContext) => AbortSignal | undefined = () => undefined) =>
  toolOf(
    async ({ name, input }, context) => {
      const result = await context.invoke?.(String(name), input, more(context))
      return { result: JSON.parse(JSON.stringify(result)) }
    },
    { name: 'outer' },
  )

const inner = async (run: Promise<ToolResult>): Promise<ToolResult> => {
  const result = await run
  if (!result.ok) throw new Error(result.error)
  return (result.output as unknown as { result: ToolResult }).result
}

describe('nested calls of a tool', () => {
  it('are validated, emit events and return results like other calls', async () => {
    const { runtime, events } = testRuntime([outer(), add])
    const call = (name: string, input?: unknown) => inner(runtime.execute({ id: 'o', name: 'outer', input: { name, input } }))
    expect(await call('add', { a: 1 })).toEqual({ ok: true, output: { sum: 2 } })
    expect(await call('add', { a: 'x' })).toMatchObject({ ok: false, output: { code: 'invalid_input', tool: 'add' } })
    expect(await call('nope')).toMatchObject({ ok: false, output: { code: 'unknown_tool' } })
    const starts = events.filter((event): event is RuntimeEvent & { type: 'call_start' } => event.type === 'call_start')
    expect(starts.slice(0, 2)).toMatchObject([
      { callId: 'o', call: { name: 'outer' } },
      { callId: 'call_1', call: { name: 'add', input: { a: 1 } }, parentId: 'o' },
    ])
    expect(starts[0]).not.toHaveProperty('parentId')
    expect(events.filter(({ type }) => type === 'call_end').map(({ callId }) => callId)).toEqual([
      'call_1',
      'o',
      'call_2',
      'o',
      'call_3',
      'o',
    ])
  })

  it('need policy and approval of their own', async () => {
    const asked: unknown[] = []
    const { runtime, events } = testRuntime([outer(), add, toolOf(() => 'ran', { name: 'denied' })], {
      policy: {
        tools: [
          { tools: 'denied', action: 'deny', reason: 'not here' },
          { tools: 'add', action: 'ask' },
        ],
        approve: ({ tool, input }) => asked.push([tool, input]) === 1,
        rate: { calls: 4, perMs: 1000 },
      },
    })
    const call = (name: string, input: unknown = {}) => inner(runtime.execute({ name: 'outer', input: { name, input } }))
    expect(await call('denied')).toMatchObject({ ok: false, output: { code: 'tool_excluded', reason: 'not here' } })
    expect(await call('add', { a: 1 })).toMatchObject({ ok: true })
    expect(await call('add', { a: 2 })).toMatchObject({ ok: false, output: { code: 'approval_required' } })
    expect(asked).toEqual([
      ['add', { a: 1 }],
      ['add', { a: 2 }],
    ])
    expect(events.filter(({ type }) => type === 'approval')).toMatchObject([{ approved: true }, { approved: false }])
    // Nested calls count too, so three calls of `outer` and one of `add` are four.
    expect(await runtime.execute({ name: 'outer', input: { name: 'add', input: { a: 1 } } })).toMatchObject({
      output: { code: 'rate_limited' },
    })
  })

  it('are limited to a depth of five', async () => {
    let deepest = 0
    const again = toolOf(
      async ({ depth }, { invoke }) => {
        deepest = Math.max(deepest, Number(depth))
        const result = await invoke?.('again', { depth: Number(depth) + 1 })
        return result?.ok ? result.output : { refused: result?.output.code ?? null, error: result?.error ?? null }
      },
      { name: 'again' },
    )
    const { runtime } = testRuntime([again])
    expect(await runtime.execute({ name: 'again', input: { depth: 0 } })).toEqual({
      ok: true,
      output: { refused: 'tool_excluded', error: 'Cannot run "again": calls are already nested 5 deep' },
    })
    expect(deepest).toBe(5)
  })

  it('end with their outer call', async () => {
    const { promise, resolve } = deferred<AbortSignal>()
    const waits = toolOf(
      (_, { signal }) => {
        resolve(signal)
        return new Promise(() => {})
      },
      { name: 'waits' },
    )
    const { runtime, events } = testRuntime([outer(), waits], { limits: { graceMs: 0 } })
    const controller = new AbortController()
    const running = runtime.execute({ name: 'outer', input: { name: 'waits', input: {} } }, { signal: controller.signal })
    const signal = await promise
    expect(signal.aborted).toBe(false)
    controller.abort()
    expect(await running).toMatchObject({ ok: false, output: { code: 'aborted' } })
    expect(signal.aborted).toBe(true)
    await expect.poll(() => events.filter(({ type }) => type === 'call_end').length).toBe(2)
  })

  it('can be aborted alone, and the outer call continues', async () => {
    const controller = new AbortController()
    const waits = toolOf(
      () => {
        controller.abort()
        return new Promise(() => {})
      },
      { name: 'waits' },
    )
    const { runtime } = testRuntime([outer(() => controller.signal), waits], { limits: { graceMs: 0 } })
    const result = await inner(runtime.execute({ name: 'outer', input: { name: 'waits', input: {} } }))
    expect(result).toMatchObject({ ok: false, output: { code: 'aborted', tool: 'waits' } })
  })

  it('have the remaining deadline of the outer call', async () => {
    const left: number[] = []
    const look = toolOf((_, { limits }) => left.push(limits.deadlineMs), { name: 'look' })
    const late = toolOf(
      async (_, context) => {
        await context.host.sleep(400)
        return (await context.invoke?.('look', {}))?.ok ?? null
      },
      { name: 'late' },
    )
    const { runtime, host } = testRuntime([late, look])
    const running = runtime.execute({ name: 'late', input: {} }, { deadlineMs: 1000 })
    await host.advance(400)
    expect(await running).toEqual({ ok: true, output: true })
    expect(left).toEqual([600])
  })

  it('do nothing after the outer call ended', async () => {
    let kept: ToolContext | undefined
    let ran = 0
    const keep = toolOf(
      (_, context) => {
        kept = context
        return 'kept'
      },
      { name: 'keep' },
    )
    const { runtime } = testRuntime([keep, toolOf(() => ++ran, { name: 'count' })])
    await runtime.execute({ name: 'keep', input: {} })
    expect(await kept?.invoke?.('count', {})).toMatchObject({ ok: false, output: { code: 'aborted' } })
    expect(ran).toBe(0)
  })

  it('are aborted by dispose, which awaits them', async () => {
    const { promise, resolve } = deferred<void>()
    const waits = toolOf(
      (_, { signal }) => {
        resolve()
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
      { name: 'waits' },
    )
    const { runtime, events } = testRuntime([outer(), waits])
    const running = runtime.execute({ name: 'outer', input: { name: 'waits', input: {} } })
    await promise
    await runtime.dispose()
    expect(events.filter(({ type }) => type === 'call_end')).toHaveLength(2)
    expect((await running).ok).toBeDefined()
  })
})
