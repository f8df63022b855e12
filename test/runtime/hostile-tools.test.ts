// @module-tag runtime
import { expect, test } from 'vitest'
import { toModelText } from '../../src/core/result.js'
import type { Preset } from '../../src/types/preset.js'
import type { CallContext } from '../../src/types/runtime.js'
import type { AnyTool, ToolCall, ToolContext } from '../../src/types/tool.js'
import fc from '../fast-check.js'
import { add, deferred, testRuntime, toolOf, turns } from './support.js'

const trap = (): never => {
  throw new Error('trap')
}
const everything = (): object =>
  new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap })
const THEN = 'then'
/** Sets the target's own `then`. */
function withThen<T extends object>(target: T, then: unknown): T {
  Reflect.set(target, THEN, then)
  return target
}
const rejecting = (): Promise<never> => Promise.reject(new Error('late'))

function rejectTwice(_: unknown, reject: (error: unknown) => void): void {
  reject('first')
  reject('second')
}

/** An array whose `length` is larger than the memory would allow. */
function claiming<T>(length: number, items: T[] = []): T[] {
  items.length = length
  return items
}

const wide = (fields: number): object => Object.fromEntries(Array.from({ length: fields }, (_, index) => [index, index]))
/** The same string many times: small in memory, but huge as JSON. */
const repeated = (): string[] => new Array(80).fill('x'.repeat(2 ** 20))

function answerTwice(resolve: (value: unknown) => void): void {
  resolve(1)
  resolve(2)
  trap()
}

const threw: readonly (readonly [what: string, run: AnyTool['run'], error: string | RegExp])[] = [
  ['throws', () => trap(), 'trap'],
  ['rejects', async () => trap(), 'trap'],
  ['throws null', () => Promise.reject(null), 'Cannot finish "probe": it threw null without a message'],
  ['throws undefined', () => Promise.reject(undefined), /threw undefined/],
  ['throws a proxy', () => Promise.reject(everything()), /without a message/],
  ['throws a promise', () => Promise.reject(new Promise(() => {})), /without a message/],
  ['throws an error with a huge message', () => Promise.reject(new Error('x'.repeat(1e7))), /^x{4096}…$/],
  ['returns a map', () => new Map(), 'Cannot use the result of "probe": The output is of type Map: return JSON'],
  ['returns a self-referencing value', () => Object.assign([], { 0: 0 }, [everything()]), /cannot be read|The output/],
  ['returns a proxy', everything, /Cannot use the result of "probe"/],
  ['resolves to a proxy', async () => ({ inner: everything() }), /The output at "inner" cannot be read/],
  ['returns a then that throws when it is read', () => Object.defineProperty({}, THEN, { get: trap, enumerable: true }), /cannot be read/],
  ['resolves to a then that throws', async () => withThen({}, trap), 'trap'],
  ['returns a then that throws', () => withThen({}, trap), 'trap'],
  ['returns a thenable that rejects twice', () => withThen({}, rejectTwice), 'first'],
  ['returns a promise whose own then throws', () => withThen(rejecting(), trap), 'late'],
  ['returns a reply without parts', () => ({ kind: 'toolport.reply', output: 1 }), /"content" is not a list/],
  ['returns a reply with broken parts', () => ({ kind: 'toolport.reply', output: 1, content: [null] }), /"content" is not a list/],
  [
    'returns a reply with parts of an unknown kind',
    () => ({ kind: 'toolport.reply', output: 1, content: [{ type: 'text', text: 5 }] }),
    /"content" is not a list/,
  ],
  ['returns a sparse array', () => claiming(2e8), /The output has more than 5000000 parts/],
  ['returns the longest sparse array', () => ({ list: claiming(2 ** 32 - 1, [1]) }), /The output at "list" has more than 5000000 parts/],
  ['returns many sparse arrays', () => new Array(10).fill(claiming(1e6)), /The output at "\[4\]" has more than 5000000 parts/],
  ['returns a list with a false length', () => new Proxy([], { get: () => 2e9 }), /has more than 5000000 parts/],
  ['returns a wide object many times', () => new Array(60).fill(wide(100_000)), /has more than 5000000 parts/],
  ['returns more text than a string can be', repeated, /The output at "\[64\]" contains more than 67108864 characters of text/],
  ['returns a huge string', () => ({ text: 'x'.repeat(7e7) }), /The output at "text" contains more than 67108864 characters/],
  ['returns huge names', () => new Array(80).fill({ ['x'.repeat(2 ** 20)]: 1 }), /contains more than 67108864 characters/],
  ['returns a reply with sparse content', () => ({ kind: 'toolport.reply', output: 1, content: claiming(2e8) }), /"content" is not a list/],
  [
    'returns a reply of endless text',
    () => ({ kind: 'toolport.reply', output: 1, content: repeated().map((text) => ({ type: 'text', text })) }),
    /The reply contains more than 67108864 characters of text/,
  ],
  [
    'throws an error of the system',
    () =>
      Promise.reject(Object.assign(new Error("ENOENT: no such file or directory, open '/home/x'"), { code: 'ENOENT', syscall: 'open' })),
    'ENOENT: the tool failed with a system error: no such file or directory',
  ],
  ['returns a reply whose output is a map', () => ({ kind: 'toolport.reply', output: new Map(), content: [] }), /type Map/],
]

for (const [what, run, error] of threw) {
  test(`a tool that ${what}`, async () => {
    const { runtime } = testRuntime([toolOf(run)])
    const result = await runtime.execute({ name: 'probe' })
    expect(result).toMatchObject({ ok: false, output: { status: 'error', code: 'tool_threw', callId: 'call_1', tool: 'probe' } })
    expect(result.ok ? '' : result.error).toMatch(
      typeof error === 'string' ? new RegExp(`^${error.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) : error,
    )
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
    expect(toModelText(result)).toMatch(/^Error: /)
    expect(await runtime.execute({ name: 'probe' }), 'the next call is as good').toMatchObject({ ok: false })
  })
}

test('large outputs of ordinary tools pass', async () => {
  const numbers = Array.from({ length: 800_000 }, (_, index) => index)
  const { runtime } = testRuntime([
    toolOf(() => numbers, { name: 'numbers' }),
    toolOf(() => wide(200_000), { name: 'wide' }),
    toolOf(() => ({ text: 'x'.repeat(2 ** 24) }), { name: 'text' }),
    toolOf(() => claiming(3, [1]), { name: 'sparse' }),
  ])
  expect(await runtime.execute({ name: 'numbers' })).toMatchObject({ ok: true, content: [{ text: expect.stringContaining('left out') }] })
  expect(await runtime.execute({ name: 'wide' })).toMatchObject({ ok: true })
  expect(await runtime.execute({ name: 'text' })).toMatchObject({ ok: true })
  expect(await runtime.call('sparse')).toEqual([1, null, null])
})

test('a thenable that resolves twice counts once', async () => {
  const { runtime } = testRuntime([toolOf(() => withThen({}, answerTwice))])
  expect(await runtime.call('probe')).toBe(1)
})

test('a tool whose promise never settles ends at its deadline', async () => {
  const stuck = withThen(new Promise(() => {}), () => {})
  const { runtime, host } = testRuntime([toolOf(() => stuck)], { limits: { deadlineMs: 1000 } })
  const result = runtime.execute({ name: 'probe' })
  await host.advance(1250)
  expect(await result).toMatchObject({ output: { status: 'timeout' } })
})

test('a throwing toText falls back to JSON and emits a log event', async () => {
  const tools = [trap, () => 5 as never].map((toText, index) => toolOf(() => ({ n: 1 }), { name: `tool${index}`, toText }))
  const { runtime, events } = testRuntime(tools)
  expect(await runtime.execute({ name: 'tool0' })).toEqual({ ok: true, output: { n: 1 } })
  expect(await runtime.execute({ name: 'tool1' })).toEqual({ ok: true, output: { n: 1 } })
  expect(events.flatMap((event) => (event.type === 'log' ? [event.message] : []))).toEqual(['toText threw: trap', 'toText returned number'])
})

test('a tool emits nothing after its call ended', async () => {
  const gate = deferred<void>()
  const updates: unknown[] = []
  let context: ToolContext | undefined
  const { runtime, events } = testRuntime([
    toolOf(async (_, given) => {
      context = given
      given.progress('during')
      given.log('during')
      void gate.promise.then(() => {
        given.progress('after')
        given.log('after')
      })
      return 1
    }),
  ])
  await runtime.execute({ name: 'probe' }, { onProgress: (update) => updates.push(update) })
  const before = events.length
  gate.resolve()
  await turns()
  expect(updates).toEqual(['during'])
  expect(events).toHaveLength(before)
  expect(context?.signal.aborted, 'a signal asked for too late').toBe(false)
})

test('progress and log data that are not JSON, and failing listeners, have no effect cap:5', async () => {
  const cycle: unknown[] = []
  cycle.push(cycle)
  const { runtime, events } = testRuntime([
    toolOf(async (_, { progress, log }) => {
      progress(cycle as never)
      progress(everything() as never)
      log('odd', cycle as never)
      log('even', { a: 1 })
      return 1
    }),
  ])
  runtime.on(trap)
  runtime.on(rejecting as never)
  expect(await runtime.execute({ name: 'probe' }, { onProgress: trap })).toEqual({ ok: true, output: 1 })
  await turns()
  expect(events.flatMap((event) => (event.type === 'log' ? [[event.message, event.data]] : []))).toEqual([
    [expect.stringContaining('Progress was dropped'), undefined],
    [expect.stringContaining('Progress was dropped'), undefined],
    ['odd', undefined],
    ['even', { a: 1 }],
  ])
})

test('a tool that rejects long after its call was abandoned causes no unhandled rejection', async () => {
  const work = deferred<unknown>()
  const { runtime, host } = testRuntime([toolOf(() => work.promise)], { limits: { deadlineMs: 10, graceMs: 5 } })
  const result = runtime.execute({ name: 'probe' })
  // The first call loads modules, which takes real time instead of turns.
  await expect.poll(() => host.sleeping).toBeGreaterThan(0)
  await host.advance(100)
  expect(await result).toMatchObject({ output: { code: 'timeout' } })
  work.reject(new Error('late'))
  await turns()
})

test('a schema that throws or rejects is an error of the tool', async () => {
  const schema = (validate: (value: unknown) => never) => ({
    '~standard': { version: 1 as const, vendor: 'own', validate, jsonSchema: { input: () => ({ type: 'object' }) } },
  })
  const { runtime } = testRuntime([
    toolOf(() => 1, { name: 'sync', inputSchema: schema(trap) }),
    toolOf(() => 1, { name: 'async', inputSchema: schema(rejecting as never) }),
  ])
  for (const name of ['sync', 'async']) expect(await runtime.execute({ name, input: {} })).toMatchObject({ output: { code: 'tool_threw' } })
})

const calls: readonly unknown[] = [
  undefined,
  null,
  5,
  'add',
  [],
  {},
  { name: 5 },
  { name: null },
  { name: Symbol('x') },
  everything(),
  { name: 'add', input: everything() },
]

test('a schema that returns no result is an error of the tool', async () => {
  for (const [answer, said] of [
    [5, '"validate" returned number instead of a result'],
    [undefined, '"validate" returned undefined instead of a result'],
    [null, '"validate" returned null instead of a result'],
    [{ issues: 5 }, '"issues" is not a list of issues with messages'],
    [{ issues: [null] }, '"issues" is not a list of issues with messages'],
  ] as const) {
    for (const validate of [() => answer, async () => answer]) {
      const inputSchema = {
        '~standard': { version: 1 as const, vendor: 'own', validate: validate as never, jsonSchema: { input: () => ({ type: 'object' }) } },
      }
      const { runtime } = testRuntime([toolOf(() => 1, { inputSchema })])
      expect(await runtime.execute({ name: 'probe', input: {} })).toMatchObject({
        output: { code: 'tool_threw' },
        error: `The input schema is broken: ${said}`,
      })
    }
  }
})

test('an endless tool name is truncated', async () => {
  const name = 'x'.repeat(1e6)
  expect(await testRuntime([add]).runtime.execute({ name })).toMatchObject({
    output: { code: 'unknown_tool', tool: `${'x'.repeat(200)}…` },
    error: `unknown tool: ${'x'.repeat(200)}…`,
  })
  const preset: Preset = { name: 'p', tools: [], validation: 'strict', renderUnknown: (tool) => `no ${tool}` }
  expect(await testRuntime([add], { preset }).runtime.execute({ name })).toMatchObject({ error: `no ${'x'.repeat(200)}…` })
})

test('rejects an invalid call', async () => {
  const { runtime } = testRuntime([add])
  for (const call of calls) {
    const result = await runtime.execute(call as ToolCall)
    expect(result).toMatchObject({ ok: false })
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  }
  expect(await runtime.execute({ name: 5 } as never)).toMatchObject({
    error: 'Cannot run this call: "name" is not a string',
    output: { code: 'invalid_input' },
  })
  expect(await runtime.executeAll(calls as ToolCall[])).toHaveLength(calls.length)
})

test('rejects or ignores an invalid context before the tool runs', async () => {
  let runs = 0
  const { runtime } = testRuntime([toolOf(() => ++runs)])
  for (const context of [{ signal: 5 }, { signal: {} }, everything()]) {
    expect(await runtime.execute({ name: 'probe' }, context as never)).toMatchObject({ output: { code: 'invalid_input' } })
  }
  for (const deadlineMs of [-1, Number.NaN, '5', {}, -Infinity]) {
    expect(await runtime.execute({ name: 'probe' }, { deadlineMs } as never)).toMatchObject({
      output: { code: 'invalid_input' },
      error: 'Cannot run this call: "deadlineMs" is not a number of milliseconds of 0 or more',
    })
  }
  expect(runs).toBe(0)
  for (const context of [null, 5, { signal: null, deadlineMs: null, onProgress: 'x' }, { deadlineMs: 0 }, { deadlineMs: Infinity }]) {
    expect(await runtime.execute({ name: 'probe' }, context as never)).toMatchObject({ ok: true })
  }
})

test('property: execute never rejects, and its results are JSON cap:20 cap:110', async () => {
  const echo = toolOf((input) => input, { name: 'echo' })
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, list: { type: 'array', items: { type: 'number' } } },
    additionalProperties: false,
  }
  const plain = toolOf((input) => input, { name: 'plain', inputSchema: schema })
  const tools = [add, echo, plain]
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withObjectString: true,
    withSparseArray: true,
    withTypedArray: true,
  })
  for (const preset of [undefined, { name: 'p', tools: [], validation: 'lenient' as const }]) {
    const { runtime } = testRuntime(tools, { preset })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('add', 'echo', 'plain', 'none'),
        anything,
        anything,
        anything,
        async (name, input, call, context) => {
          for (const result of [
            await runtime.execute({ name, input }),
            await runtime.execute(call as ToolCall),
            await runtime.execute({ name, input: {} }, context as CallContext),
          ]) {
            const json = JSON.stringify(result)
            expect(JSON.stringify(JSON.parse(json))).toBe(json)
            expect(typeof toModelText(result)).toBe('string')
          }
        },
      ),
      { numRuns: 200 },
    )
  }
})

test('property: the runtime answers whatever a tool returns or throws cap:20 cap:110', async () => {
  const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true })
  await fc.assert(
    fc.asyncProperty(anything, fc.boolean(), fc.boolean(), async (value, throws, late) => {
      const { runtime } = testRuntime([
        toolOf(() => (late ? (throws ? Promise.reject(value) : Promise.resolve(value)) : throws ? fail(value) : value)),
      ])
      const result = await runtime.execute({ name: 'probe' })
      expect(typeof toModelText(result)).toBe('string')
      if (throws) expect(result.ok).toBe(false)
    }),
  )
})

function fail(value: unknown): never {
  throw value
}
