// @module-tag runtime
import { expect, test } from 'vitest'
import type { ApprovalRequest, RuntimePolicy } from '../../src/types/runtime.js'
import type { AnyTool } from '../../src/types/tool.js'
import type { PathRule } from '../../src/types/workspace.js'
import { testRuntime, toolOf } from './support.js'

let runs = 0
const counted = toolOf(() => ++runs, { name: 'run' })
const asks = (approve?: RuntimePolicy['approve']): RuntimePolicy => ({
  tools: [{ tools: 'run', action: 'ask', reason: 'it runs code' }],
  approve,
})

test('a denied tool does not run, and the model gets the reason', async () => {
  const { runtime } = testRuntime([counted], { policy: { tools: [{ tools: 'r*', action: 'deny', reason: 'no code here' }] } })
  const before = runs
  expect(await runtime.execute({ name: 'run' })).toMatchObject({
    output: { status: 'denied', code: 'tool_excluded', rule: 'deny r*', reason: 'no code here' },
    error: 'Cannot run "run": no code here',
  })
  expect(runs).toBe(before)
})

test('invalid input is reported before the policy is asked', async () => {
  let asked = 0
  const tool: AnyTool = toolOf(() => 1, { name: 'run', inputSchema: { type: 'object', required: ['a'] } })
  const { runtime } = testRuntime([tool], { policy: asks(() => ++asked > 0) })
  expect(await runtime.execute({ name: 'run' })).toMatchObject({ output: { code: 'invalid_input' } })
  expect(asked).toBe(0)
})

test('an approved call runs, and `approve` gets its details', async () => {
  const requests: ApprovalRequest[] = []
  const { runtime, events } = testRuntime([counted], {
    policy: asks(async (request) => {
      requests.push(request)
      return true
    }),
  })
  expect(await runtime.execute({ id: 'c', name: 'run', input: { x: 1 } })).toMatchObject({ ok: true })
  expect(requests).toEqual([{ callId: 'c', tool: 'run', input: { x: 1 }, reason: 'it runs code', signal: expect.anything() }])
  expect(events).toContainEqual({ type: 'approval', callId: 'c', tool: 'run', approved: true })
})

const refusals: readonly (readonly [what: string, approve: RuntimePolicy['approve'], why: string])[] = [
  ['no approver is configured', undefined, 'it needs approval, but no approver is configured'],
  ['the answer is no', () => false, 'the required approval was not given'],
  ['the answer is not a boolean', () => 'yes' as never, 'the required approval was not given'],
  ['the approver throws', () => JSON.parse('{'), 'the required approval was not given'],
  ['the approver rejects', () => Promise.reject(new Error('offline')), 'the required approval was not given'],
]

for (const [what, approve, why] of refusals) {
  test(`a call is denied when ${what}`, async () => {
    const { runtime, events } = testRuntime([counted], { policy: asks(approve) })
    const before = runs
    expect(await runtime.execute({ name: 'run' })).toMatchObject({
      output: { status: 'denied', code: 'approval_required', rule: 'ask run', reason: 'it runs code' },
      error: `Cannot run "run": ${why}: it runs code`,
    })
    expect(runs).toBe(before)
    expect(events).toContainEqual({ type: 'approval', callId: 'call_1', tool: 'run', approved: false })
  })
}

test('no answer before the deadline is a denial, and an abort is an abort', async () => {
  const policy = asks(() => new Promise(() => {}))
  const { runtime, host } = testRuntime([counted], { policy, limits: { deadlineMs: 1000 } })
  const waiting = runtime.execute({ name: 'run' })
  await host.advance(1000)
  expect(await waiting).toMatchObject({ output: { code: 'approval_required' } })
  const controller = new AbortController()
  const aborted = runtime.execute({ name: 'run' }, { signal: controller.signal })
  await host.advance(0)
  controller.abort()
  expect(await aborted).toMatchObject({ output: { code: 'aborted' } })
})

test('the signal of a request aborts when the call ends', async () => {
  let signal: AbortSignal | undefined
  const policy = asks((request) => {
    signal = request.signal
    return new Promise(() => {})
  })
  const { runtime, host } = testRuntime([counted], { policy, limits: { deadlineMs: 1000 } })
  const waiting = runtime.execute({ name: 'run' })
  await host.advance(1000)
  await waiting
  expect(signal?.aborted).toBe(true)
})

test('the rate limit uses the runtime’s clock and does not count denied calls', async () => {
  const { runtime, host } = testRuntime([counted, toolOf(() => 1, { name: 'no' })], {
    policy: { rate: { calls: 2, perMs: 1000 }, tools: [{ tools: 'no', action: 'deny' }] },
  })
  await runtime.execute({ name: 'no' })
  await runtime.execute({ name: 'nope' })
  expect(await runtime.execute({ name: 'run' })).toMatchObject({ ok: true })
  await host.advance(400)
  expect(await runtime.execute({ name: 'run' })).toMatchObject({ ok: true })
  expect(await runtime.execute({ name: 'run' })).toMatchObject({
    output: { status: 'denied', code: 'rate_limited', recoverable: true },
    error: 'Cannot run "run": too many calls, try again in 600 ms',
  })
  await host.advance(600)
  expect(await runtime.execute({ name: 'run' })).toMatchObject({ ok: true })
})

test('a rate of 0 rejects every call', async () => {
  const { runtime } = testRuntime([counted], { policy: { rate: { calls: 0, perMs: 1 } } })
  expect(await runtime.execute({ name: 'run' })).toMatchObject({ error: 'Cannot run "run": no calls are allowed' })
})

test('the checkpoint follows the policy, and precedes only tools that may write', async () => {
  const order: string[] = []
  const tools = [
    toolOf(() => order.push('write'), { name: 'write' }),
    toolOf(() => order.push('read'), { name: 'read', annotations: { readOnlyHint: true } }),
    toolOf(() => order.push('denied'), { name: 'denied' }),
  ]
  const { runtime } = testRuntime(tools, {
    policy: {
      tools: [
        { tools: 'denied', action: 'deny' },
        { tools: 'write', action: 'ask' },
      ],
      approve: () => order.push('approve') > 0,
    },
    hooks: { checkpoint: ({ id, name, input }) => void order.push(`checkpoint ${id} ${name} ${JSON.stringify(input)}`) },
  })
  for (const name of ['read', 'denied', 'write']) await runtime.execute({ id: name, name, input: { x: 1 } })
  expect(order).toEqual(['read', 'approve', 'checkpoint write write {"x":1}', 'write'])
})

test('a checkpoint that fails or never ends makes the call fail', async () => {
  const before = runs
  const failing = testRuntime([counted], { hooks: { checkpoint: () => Promise.reject(new Error('disk full')) } })
  expect(await failing.runtime.execute({ name: 'run' })).toMatchObject({
    ok: false,
    error: 'Cannot run "run": the checkpoint before it failed: disk full',
  })
  const throwing = testRuntime([counted], { hooks: { checkpoint: () => JSON.parse('{') } })
  expect(await throwing.runtime.execute({ name: 'run' })).toMatchObject({ ok: false })
  const stuck = testRuntime([counted], { hooks: { checkpoint: () => new Promise(() => {}) }, limits: { deadlineMs: 100 } })
  const result = stuck.runtime.execute({ name: 'run' })
  await stuck.host.advance(100)
  expect(await result).toMatchObject({ output: { code: 'timeout' } })
  expect(runs).toBe(before)
})

const write = toolOf(async (_, { workspace }) => (await workspace.writeText('secret/a.txt', 'x')).created, { name: 'write' })
const rule: PathRule = { paths: 'secret/**', action: 'ask', reason: 'it is secret' }

test('a path rule with "ask" passes the path to `approve`', async () => {
  const requests: ApprovalRequest[] = []
  const { runtime, events, files } = testRuntime([write], {
    policy: {
      paths: [rule],
      approve: (request) => {
        requests.push(request)
        return true
      },
    },
  })
  expect(await runtime.execute({ id: 'c', name: 'write' })).toEqual({ ok: true, output: true })
  expect(requests[0]).toMatchObject({
    callId: 'c',
    tool: 'write',
    path: '/workspace/secret/a.txt',
    access: 'write',
    reason: 'it is secret',
  })
  expect(events).toContainEqual({ type: 'approval', callId: 'c', tool: 'write', approved: true })
  expect(await files()).toEqual({ 'secret/a.txt': 'x' })
})

test('a path without approval or answer is not written', async () => {
  for (const approve of [undefined, () => false, () => Promise.reject(new Error('x'))]) {
    const { runtime, files } = testRuntime([write], { policy: { paths: [rule], approve } })
    expect(await runtime.execute({ name: 'write' })).toMatchObject({ ok: false, output: { status: 'denied' } })
    expect(await files()).toEqual({})
  }
  const { runtime, host, files } = testRuntime([write], {
    policy: { paths: [rule], approve: () => new Promise(() => {}) },
    limits: { deadlineMs: 100 },
  })
  const result = runtime.execute({ name: 'write' })
  await host.advance(1000)
  expect(await result).toMatchObject({ ok: false, output: { status: 'timeout' } })
  expect(await files()).toEqual({})
})
