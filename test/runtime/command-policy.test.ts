// @module-tag runtime
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { expect, test } from 'vitest'
import type { ToolRuntime } from '../../src/runtime/tool-runtime.js'
import { shellTools } from '../../src/tools/shell/index.js'
import type { ApprovalRequest, CommandRequest, RuntimePolicy } from '../../src/types/runtime.js'
import type { ShellAdapter } from '../../src/types/shell.js'
import type { ToolResult } from '../../src/types/tool.js'
import { deferred, type TestRuntime, testRuntime, toolOf, turns } from './support.js'

const virtual = createJustBashShell({ scratch: createMemoryFs() })

/** A custom tool that runs commands with `context.shell`, without a signal. */
const format = toolOf(async ({ command }, { shell }) => (await shell?.exec(String(command), { cwd: '/workspace' }))?.stdout ?? null, {
  name: 'format',
})

const withPolicy = (policy: RuntimePolicy): TestRuntime => testRuntime([...shellTools(), format], { shell: virtual, policy })
const run = (runtime: ToolRuntime, command: string): Promise<ToolResult> => runtime.execute({ id: 'c', name: 'bash', input: { command } })

test('the command policy gets each command, and an allowed one runs', async () => {
  const seen: CommandRequest[] = []
  const { runtime } = withPolicy({
    commands: (request) => {
      seen.push(request)
      return 'allow'
    },
  })
  expect(await run(runtime, 'mkdir d; cd d; echo hi')).toMatchObject({ ok: true, output: { stdout: 'hi\n' } })
  const input = { command: 'sh', env: { PATH: '/elsewhere' }, stdin: 'pwd' }
  await runtime.execute({ id: 'c', name: 'bash', input })
  const same = { callId: 'c', tool: 'bash', signal: expect.anything() }
  expect(seen).toMatchObject([
    { ...same, command: 'mkdir d; cd d; echo hi', cwd: '/workspace' },
    { ...same, command: 'sh', cwd: '/workspace/d', env: { PATH: '/elsewhere' }, stdin: 'pwd' },
  ])
})

test('the command policy gets the variables of the call, not those of the session', async () => {
  const seen: unknown[] = []
  const { runtime } = withPolicy({
    commands: ({ env }) => {
      seen.push(env)
      return 'allow'
    },
  })
  await run(runtime, 'export A=1')
  const again = { command: 'echo $A $B', env: { A: '1', B: '2' } }
  expect(await runtime.call('bash', again)).toMatchObject({ stdout: '1 2\n' })
  expect(await runtime.call('bash', { command: 'echo $A $B', env: { A: '3' } })).toMatchObject({ stdout: '3 2\n' })
  expect(await run(runtime, 'echo $A $B')).toMatchObject({ output: { stdout: '3 2\n' } })
  expect(seen).toEqual([{}, { B: '2' }, { A: '3' }, {}])
})

test('a denied command does not run, and the model gets the reason', async () => {
  const { runtime, files } = withPolicy({
    commands: async ({ command }) => (command.startsWith('rm') ? { action: 'deny', reason: 'use delete_file to remove files' } : 'allow'),
  })
  await run(runtime, 'echo x > f')
  expect(await run(runtime, 'rm f')).toMatchObject({
    ok: false,
    output: {
      status: 'denied',
      code: 'command_blocked',
      recoverable: true,
      rule: 'commands',
      reason: 'use delete_file to remove files',
      hint: 'Change the command according to the reason, or use another tool.',
    },
    error: 'Cannot run "rm f": use delete_file to remove files',
  })
  expect(await files()).toEqual({ f: 'x\n' })
})

test('a denied command leaves the session unchanged', async () => {
  const { runtime } = withPolicy({ commands: ({ command }) => (command === 'pwd' ? 'allow' : 'deny') })
  await runtime.workspace.mkdir('d')
  const denied = { command: 'true', cwd: 'd', env: { A: '1' } }
  expect(await runtime.execute({ name: 'bash', input: denied })).toMatchObject({
    error: 'Cannot run "true": a rule of the host forbids it',
  })
  expect(await run(runtime, 'pwd')).toMatchObject({ output: { stdout: '/workspace\n' } })
})

test('the error for a long denied command is short', async () => {
  const { runtime } = withPolicy({ commands: () => 'deny' })
  const result = await run(runtime, `echo ${'x'.repeat(5000)}`)
  expect(result.ok ? '' : result.error.length).toBeLessThan(200)
})

test('the command policy applies to every tool that runs commands, by its name', async () => {
  const seen: string[] = []
  const { runtime } = withPolicy({
    commands: ({ tool, command }) => {
      seen.push(`${tool}: ${command}`)
      return command === 'echo ok' ? 'allow' : 'deny'
    },
  })
  expect(await runtime.call('format', { command: 'echo ok' })).toBe('ok\n')
  expect(await runtime.execute({ name: 'format', input: { command: 'echo no' } })).toMatchObject({ output: { code: 'command_blocked' } })
  expect(seen).toEqual(['format: echo ok', 'format: echo no'])
})

test('a command that needs approval runs after it, and `approve` gets the command', async () => {
  const requests: ApprovalRequest[] = []
  const { runtime, events } = withPolicy({
    commands: () => ({ action: 'ask', reason: 'it reaches the network' }),
    approve: async (request) => {
      requests.push(request)
      return request.command === 'echo hi'
    },
  })
  expect(await run(runtime, 'echo hi')).toMatchObject({ ok: true, output: { stdout: 'hi\n' } })
  expect(requests).toEqual([
    {
      callId: 'c',
      tool: 'bash',
      input: { command: 'echo hi' },
      command: 'echo hi',
      reason: 'it reaches the network',
      signal: expect.anything(),
    },
  ])
  expect(await run(runtime, 'echo no')).toMatchObject({
    output: { status: 'denied', code: 'approval_required', rule: 'commands', reason: 'it reaches the network' },
    error: 'Cannot run "echo no": the required approval was not given: it reaches the network',
  })
  expect(events.flatMap((event) => (event.type === 'approval' ? [event] : []))).toEqual([
    { type: 'approval', callId: 'c', tool: 'bash', approved: true },
    { type: 'approval', callId: 'c', tool: 'bash', approved: false },
  ])
})

const refusals: readonly (readonly [what: string, approve: RuntimePolicy['approve'], why: string])[] = [
  ['no approver is configured', undefined, 'it needs approval, but no approver is configured'],
  ['the answer is not a boolean', () => 'yes' as never, 'the required approval was not given'],
  ['the approver throws', () => JSON.parse('{'), 'the required approval was not given'],
  ['the approver rejects', () => Promise.reject(new Error('offline')), 'the required approval was not given'],
]

for (const [what, approve, why] of refusals) {
  test(`a command does not run when ${what}`, async () => {
    const { runtime, files } = withPolicy({ commands: () => 'ask', approve })
    expect(await run(runtime, 'echo x > f')).toMatchObject({
      output: { code: 'approval_required' },
      error: `Cannot run "echo x > f": ${why}`,
    })
    expect(await files()).toEqual({})
  })
}

const nonsense: readonly (readonly [what: string, commands: () => unknown, log: string])[] = [
  [
    'throws',
    () => {
      throw new Error('secret of the host')
    },
    'The command policy failed: secret of the host',
  ],
  ['rejects', () => Promise.reject(new Error('offline')), 'The command policy failed: offline'],
  ['throws a value that is not an error', () => Promise.reject('no'), 'The command policy failed: string'],
  ['returns nothing', () => undefined, 'The command policy failed: it answered undefined, which is not a verdict'],
  ['returns null', () => null, 'The command policy failed: it answered null, which is not a verdict'],
  ['returns true', () => true, 'The command policy failed: it answered true, which is not a verdict'],
  ['returns an unknown verdict', async () => 'maybe', 'The command policy failed: it answered "maybe", which is not a verdict'],
  [
    'returns a reason that is not text',
    () => ({ action: 'allow', reason: 5 }),
    'The command policy failed: it answered {"action":"allow","reason":5}, which is not a verdict',
  ],
]

for (const [what, commands, message] of nonsense) {
  test(`a policy that ${what} denies, and the host gets a log event`, async () => {
    const { runtime, events, files } = withPolicy({ commands: commands as RuntimePolicy['commands'] })
    expect(await run(runtime, 'echo x > f')).toMatchObject({
      output: { code: 'command_blocked', rule: 'commands' },
      error: 'Cannot run "echo x > f": the command policy of the host did not answer',
    })
    expect(await files()).toEqual({})
    expect(events).toContainEqual({ type: 'log', callId: 'c', tool: 'bash', message })
  })
}

for (const [who, hold] of [
  ['a policy', (answer: Promise<never>): RuntimePolicy => ({ commands: () => answer })],
  ['an approver', (answer: Promise<never>): RuntimePolicy => ({ commands: () => 'ask', approve: () => answer })],
] as const) {
  test(`a call ends although ${who} does not answer, and nothing runs afterwards`, async () => {
    const answer = deferred<never>()
    const { runtime, host, files } = withPolicy(hold(answer.promise))
    const late = runtime.execute({ name: 'bash', input: { command: 'echo x > f' } }, { deadlineMs: 1000 })
    const bare = runtime.execute({ name: 'format', input: { command: 'echo x > g' } }, { deadlineMs: 1000 })
    await turns()
    await host.advance(1000)
    expect(await late).toMatchObject({ ok: false, output: { status: 'timeout' } })
    expect(await bare).toMatchObject({ ok: false, output: { status: 'timeout' } })
    const controller = new AbortController()
    const aborted = runtime.execute({ name: 'bash', input: { command: 'echo x > h' } }, { signal: controller.signal })
    await turns()
    controller.abort()
    expect(await aborted).toMatchObject({ ok: false, output: { status: 'aborted' } })
    answer.resolve((who === 'a policy' ? 'allow' : true) as never)
    await turns()
    expect(await files()).toEqual({})
  })
}

test('the signal of a request is aborted when the call is stopped', async () => {
  let signal: AbortSignal | undefined
  const { runtime } = withPolicy({
    commands: (request) => {
      signal = request.signal
      return new Promise(() => {})
    },
  })
  const controller = new AbortController()
  const call = runtime.execute({ name: 'bash', input: { command: 'true' } }, { signal: controller.signal })
  while (signal === undefined) await turns(1)
  expect(signal.aborted).toBe(false)
  controller.abort()
  await call
  expect(signal.aborted).toBe(true)
})

test('a tool that aborts its own command is not blocked by the policy', async () => {
  const own = new AbortController()
  const tool = toolOf(async (_, { shell }) => {
    const pending = shell?.exec('echo x > f', { signal: own.signal })
    own.abort()
    return pending?.then(
      () => 'ran',
      (error: { readonly code: string }) => error.code,
    )
  })
  const { runtime, files } = testRuntime([tool], { shell: virtual, policy: { commands: () => new Promise(() => {}) } })
  expect(await runtime.call('probe')).toBe('command_blocked')
  expect(await files()).toEqual({})
})

test('the checked cwd is the one that is used', async () => {
  const ran: unknown[] = []
  const options = { cwd: '/workspace/a' }
  const tool = toolOf(async (_, { shell }) => {
    const running = shell?.exec('pwd', options)
    options.cwd = '/workspace/b'
    await running
    return null
  })
  const shell = shellOf({
    exec: async (_, { cwd = '' } = {}) => {
      ran.push(cwd)
      return { exitCode: 0, stdout: '', stderr: '', timedOut: false, aborted: false, truncated: false, cwd, env: {} }
    },
  })
  const { runtime } = testRuntime([tool], { shell, policy: { commands: async ({ cwd }) => (cwd === '/workspace/a' ? 'allow' : 'deny') } })
  await runtime.call('probe')
  expect(ran).toEqual(['/workspace/a'])
})

test('the policy cannot change the variables of a command', async () => {
  const ran: unknown[] = []
  const env: Record<string, string> = { PATH: '/a' }
  const tool = toolOf(async (_, { shell }) => {
    const running = shell?.exec('ls', { env })
    env.PATH = '/b'
    return (await running)?.exitCode ?? null
  })
  const shell = shellOf({
    exec: async (_, { env: given = {} } = {}) => {
      ran.push({ ...given })
      return { exitCode: 0, stdout: '', stderr: '', timedOut: false, aborted: false, truncated: false, cwd: '/', env: given }
    },
  })
  const seen: unknown[] = []
  const commands = async ({ env: asked }: CommandRequest): Promise<'allow'> => {
    await turns()
    seen.push(asked?.PATH, Object.isFrozen(asked))
    return 'allow'
  }
  await testRuntime([tool], { shell, policy: { commands } }).runtime.call('probe')
  expect(seen).toEqual(['/a', true])
  expect(ran).toEqual([{ PATH: '/a' }])
})

test('a command that is not a string is rejected before the policy', async () => {
  let asked = 0
  const sly = { toString: () => (asked === 0 ? 'ls' : 'rm f') }
  const tool = toolOf(async (_, { shell }) =>
    shell?.exec(sly as never).then(
      () => 'ran',
      (error: Error) => error.name,
    ),
  )
  const commands: RuntimePolicy['commands'] = () => {
    asked++
    return 'allow'
  }
  const shell = shellOf({ exec: () => Promise.reject(new Error('it ran')) })
  expect(await testRuntime([tool], { shell, policy: { commands } }).runtime.call('probe')).toBe('TypeError')
  expect(asked).toBe(0)
})

test('spawned processes are checked too, and an adapter without spawn stays without it', async () => {
  const spawned: string[] = []
  const shell = shellOf({
    async spawn(this: ShellAdapter, command) {
      spawned.push(`${this.name}: ${command}`)
      return { transport: 'pipe', write: async () => {}, kill: async () => {}, exited: Promise.resolve({ exitCode: 0 }) }
    },
  })
  const spawn = toolOf(async ({ command }, context) => {
    if (!context.shell?.spawn) return 'cannot'
    return (await (await context.shell.spawn(String(command))).exited).exitCode
  })
  const policy: RuntimePolicy = { commands: ({ command }) => (command === 'ls' ? 'allow' : 'deny') }
  const { runtime } = testRuntime([spawn], { shell, policy })
  expect(await runtime.call('probe', { command: 'ls' })).toBe(0)
  expect(await runtime.execute({ name: 'probe', input: { command: 'rm' } })).toMatchObject({ output: { code: 'command_blocked' } })
  expect(spawned).toEqual(['tiny: ls'])
  expect(await testRuntime([spawn], { shell: shellOf({}), policy }).runtime.call('probe', { command: 'ls' })).toBe('cannot')
})

test('tools without a policy get the adapter itself', async () => {
  const shell = shellOf({})
  let seen: ShellAdapter | undefined
  const tool = toolOf((_, context) => {
    seen = context.shell
    return null
  })
  await testRuntime([tool], { shell }).runtime.call('probe')
  expect(seen).toBe(shell)
  await testRuntime([tool], { shell, policy: { commands: () => 'allow' } }).runtime.call('probe')
  expect(seen).toMatchObject({ name: 'tiny', can: shell.can })
  expect(seen).not.toBe(shell)
})

/** A minimal shell with these methods, because the policy does not depend on what a shell does. */
function shellOf(methods: Partial<ShellAdapter>): ShellAdapter {
  return {
    name: 'tiny',
    can: { pty: false, separateStderr: true, hardKill: true, dialect: 'none' },
    exec: () => Promise.reject(new Error('not here')),
    ...methods,
  }
}

test('capabilities of the shell are read after it is opened', async () => {
  let pty = false
  const shell: ShellAdapter = {
    name: 'late',
    get can() {
      return { pty, separateStderr: true, hardKill: true, dialect: 'bash' }
    },
    exec: () => Promise.reject(new Error('not run')),
  }
  const look = toolOf(
    async (_, { shell: port }) => {
      pty = true
      return port?.can.pty ?? null
    },
    { name: 'look' },
  )
  const { runtime } = testRuntime([look], { shell, policy: { commands: () => 'allow' } })
  expect(await runtime.call('look', {})).toBe(true)
})
