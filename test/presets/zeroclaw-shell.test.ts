// @module-tag zeroclaw
import { type ApprovalRequest, createRuntime, ShellError, toModelText } from 'toolport'
import { standard } from 'toolport/presets/standard'
import { createSecurityPolicy, type SecurityPolicyOptions, zeroclaw } from 'toolport/presets/zeroclaw'
import { createTestRuntime, createTestWorkspace } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { deferred, turns } from '../runtime/support.js'
import { done, failed } from './zeroclaw-cases.js'
import { type Script, scriptedShell, zeroclawBench } from './zeroclaw-support.js'

const MIB = 1_048_576
const MARKER = '\n[Output truncated]'
const HOUR = 3_600_000
const RATE = 'Rate limit exceeded: too many actions in the last hour'
const MEDIUM = 'git commit -m x'

const printing =
  (...pieces: readonly (string | { readonly stderr: string })[]): Script =>
  (_, { onOutput }) => {
    for (const piece of pieces) {
      onOutput?.(typeof piece === 'string' ? { stream: 'stdout', text: piece } : { stream: 'stderr', text: piece.stderr })
    }
    return {}
  }

describe('the output of the zeroclaw shell', () => {
  it.each([
    ['stdout before stderr in any case', [{ stderr: 'e1\n' }, 'o1\n', { stderr: 'e2\n' }, 'o2\n'], 'o1\no2\ne1\ne2\n'],
    ['stderr on its own line', ['out', { stderr: 'err' }], 'out\nerr'],
    ['stderr alone', [{ stderr: 'err\n' }], 'err\n'],
    ['complete up to 1 MiB', ['x'.repeat(MIB)], 'x'.repeat(MIB)],
    ['complete up to 1 MiB in many pieces', Array.from({ length: 16 }, () => 'x'.repeat(MIB / 16)), 'x'.repeat(MIB)],
    ['truncated and marked if it is one byte longer', ['x'.repeat(MIB), 'y'], `${'x'.repeat(MIB)}${MARKER}`],
    ['truncated before a character that does not fit', ['€'.repeat(400_000)], `${'€'.repeat(349_525)}${MARKER}`],
    ['truncated before a surrogate pair that does not fit', [`x${'😀'.repeat(300_000)}`], `x${'😀'.repeat(262_143)}${MARKER}`],
    ['cut in the middle of stderr', ['o'.repeat(MIB - 3), { stderr: 'errors' }], `${'o'.repeat(MIB - 3)}\ner${MARKER}`],
    [
      'truncated to its beginning if it is endless',
      ['head', ...Array.from({ length: 50 }, () => 'z'.repeat(MIB))],
      `head${'z'.repeat(MIB - 4)}${MARKER}`,
    ],
  ] as const)('is %s cap:107', async (_, pieces, output) => {
    const { run, runtime } = zeroclawBench(printing(...pieces))
    expect(await run('ls')).toEqual(done(output))
    expect(toModelText(await runtime.execute({ name: 'shell', input: { command: 'ls' } }))).toBe(output)
  })

  it('is taken from the result if the shell does not stream cap:106', async () => {
    expect(await zeroclawBench(() => ({ stdout: 'out\n', stderr: 'err\n' })).run('ls')).toEqual(done('out\nerr\n'))
    expect(await zeroclawBench(() => ({ stdout: 'head ... tail', truncated: true })).run('ls')).toEqual(done(`head ... tail${MARKER}`))
  })

  it('is included completely in a failure', async () => {
    const { run } = zeroclawBench((command, options) => ({ ...printing('€'.repeat(400_000))(command, options), exitCode: 9 }))
    expect(await run('ls')).toEqual(failed('Execution failed: exit code 9', `${'€'.repeat(349_525)}${MARKER}`))
  })

  it('is streamed', async () => {
    const { runtime } = zeroclawBench(printing('a', { stderr: 'b' }))
    const updates: unknown[] = []
    await runtime.execute({ name: 'shell', input: { command: 'ls' } }, { onProgress: (update) => updates.push(update) })
    expect(updates).toEqual([
      { stream: 'stdout', text: 'a' },
      { stream: 'stderr', text: 'b' },
    ])
  })
})

describe('a zeroclaw command', () => {
  it('runs in the workspace with 60 seconds cap:106 cap:107', async () => {
    const { run, shell } = zeroclawBench()
    await run('ls')
    expect(shell.ran).toMatchObject([{ command: 'ls', options: { cwd: '/workspace', timeoutMs: 60_000, maxBytes: MIB } }])
  })

  it('a command that exceeds its timeout has timed out cap:107', async () => {
    const { run, wire, runtime } = zeroclawBench(() => ({ exitCode: null, timedOut: true, stdout: 'half' }))
    expect(await run('ls')).toEqual(failed('Command timed out'))
    const result = await runtime.execute({ name: 'shell', input: { command: 'ls' } })
    expect(result).toMatchObject({ ok: false, output: { status: 'timeout', code: 'timeout' }, error: 'Command timed out' })
    expect(toModelText(result)).toBe('Error: Command timed out')
    expect(await wire('shell', { command: 'ls' })).toEqual(failed('Command timed out'))
  })

  it('has the timeout of the policy', async () => {
    const { run, shell, runtime } = zeroclawBench(undefined, { security: { shellTimeoutSecs: 200 } })
    await run('ls')
    expect(shell.ran[0]?.options.timeoutMs).toBe(200_000)
    expect(runtime.limits.deadlineMs).toBe(400_000)
  })

  it('a command that exceeds the deadline of the call has timed out', async () => {
    const { wire, host } = zeroclawBench(
      (_, { signal }) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve({ exitCode: null, aborted: true }))
        }),
    )
    const answer = wire('shell', { command: 'ls' }, { deadlineMs: 1000 })
    await host.advance(1000)
    expect(await answer).toEqual(failed('Command timed out'))
  })

  it('a command whose shell does not answer has timed out', async () => {
    const { wire, host } = zeroclawBench(() => new Promise(() => {}))
    const answer = wire('shell', { command: 'ls' }, { deadlineMs: 1000 })
    await host.advance(2000)
    expect(await answer).toEqual(failed('Command timed out'))
  })

  it('an aborted command is reported as aborted', async () => {
    const controller = new AbortController()
    const { wire } = zeroclawBench(() => {
      controller.abort()
      return { exitCode: null, aborted: true }
    })
    expect(await wire('shell', { command: 'ls' }, { signal: controller.signal })).toEqual(
      failed('Cannot finish "shell": the call was aborted'),
    )
  })

  it.each([
    ['a ShellError', new ShellError('spawn_failed', 'Cannot start the shell: no memory'), 'Cannot start the shell: no memory'],
    ['any other error', new Error('boom'), 'boom'],
    ['a value that is not an error', 'just text', 'just text'],
    [
      'an error of the system',
      Object.assign(new Error('spawn /bin/sh ENOENT'), { code: 'ENOENT', syscall: 'spawn' }),
      'ENOENT: the tool failed with a system error',
    ],
  ])('a command whose shell rejects with %s has failed cap:104 cap:110', async (_, thrown, words) => {
    const { run } = zeroclawBench(() => Promise.reject(thrown))
    expect(await run('ls')).toEqual(failed(`Execution failed: ${words}`))
  })

  it.each([
    [1, 'exit code 1'],
    [137, 'exit code 137'],
    [null, 'no exit code'],
  ])('a command that ends with %s has failed', async (exitCode, words) => {
    const { run, runtime } = zeroclawBench(() => ({ exitCode, stdout: 'some' }))
    expect(await run('ls')).toEqual(failed(`Execution failed: ${words}`, 'some'))
    expect(await runtime.execute({ name: 'shell', input: { command: 'ls' } })).toMatchObject({
      output: { status: 'error', recoverable: true },
    })
  })

  it('needs a shell cap:106', async () => {
    const { runtime } = createTestRuntime({ preset: zeroclaw() })
    expect(runtime.getModelManifest().map(({ name }) => name)).toEqual(['file_read'])
    const call = { name: 'shell', input: { command: 'ls' } }
    expect(runtime.toWire(await runtime.execute(call), call)).toEqual(failed('Cannot run "shell": this runtime has no shell adapter'))
  })
})

describe('the rate limit of zeroclaw cap:105', () => {
  const two: SecurityPolicyOptions = { maxActionsPerHour: 2 }

  it('applies to concurrent commands', async () => {
    const gate = deferred<void>()
    const { run } = zeroclawBench(
      async () => {
        await gate.promise
        return {}
      },
      { security: two },
    )
    const answers = [run('ls'), run('ls'), run('ls')]
    await turns()
    gate.resolve()
    expect(await Promise.all(answers)).toEqual([done(''), done(''), failed(RATE)])
  })

  it('counts successful commands only', async () => {
    const ends = [{ exitCode: 1 }, { timedOut: true }, { exitCode: null }]
    const { run, shell } = zeroclawBench(
      () => {
        const next = ends.shift()
        if (ends.length === 1) throw new Error('boom')
        return next ?? {}
      },
      { security: two },
    )
    for (const _ of [1, 2, 3]) expect((await run('ls')).success).toBe(false)
    expect((await run('shutdown now')).success).toBe(false)
    expect(await run('ls')).toEqual(done(''))
    expect(await run('ls')).toEqual(done(''))
    expect(await run('ls')).toEqual(failed(RATE))
    expect(shell.ran).toHaveLength(5)
  })

  it('is a sliding hour', async () => {
    const { run, host } = zeroclawBench(undefined, { security: two })
    await run('ls')
    await host.advance(HOUR / 2)
    await run('ls')
    expect(await run('ls')).toEqual(failed(RATE))
    await host.advance(HOUR / 2)
    expect(await run('ls')).toEqual(done(''))
    expect(await run('ls')).toEqual(failed(RATE))
  })

  it('a rate limit of 0 rejects all commands with the reason', async () => {
    const { run, wire } = zeroclawBench(undefined, { security: { maxActionsPerHour: 0 } }, { files: { a: 'A' } })
    expect((await run('ls')).error).toMatch(/^Rate limit exceeded: .*0/)
    expect(await wire('file_read', { path: 'a' })).toEqual(done('1: A\n[1 lines total]'))
  })

  it('is shared by all users of a policy, but separate for each sender', async () => {
    const security = createSecurityPolicy(two)
    const [ann, also, bob] = [
      zeroclawBench(undefined, { security, sender: 'ann' }),
      zeroclawBench(undefined, { security, sender: 'ann' }),
      zeroclawBench(undefined, { security, sender: 'bob' }),
    ]
    expect([await ann.run('ls'), await also.run('ls'), await ann.run('ls'), await bob.run('ls')]).toEqual([
      done(''),
      done(''),
      failed(RATE),
      done(''),
    ])
  })
})

describe('approval of zeroclaw cap:105', () => {
  it('is requested from the approver, whatever the call claims', async () => {
    const asked: ApprovalRequest[] = []
    const answers = [true, false]
    const { run, shell, runtime } = zeroclawBench(undefined, {
      approve: (request) => {
        asked.push(request)
        return answers.shift() ?? false
      },
    })
    expect(await run(MEDIUM)).toEqual(done(''))
    const refused = await run(MEDIUM, { approved: true })
    expect(refused).toMatchObject({ success: false, output: '' })
    expect(refused.error).toMatch(/^Command blocked by security policy: ./)
    expect(asked).toMatchObject([{ tool: 'shell', command: MEDIUM, reason: expect.any(String) }, { command: MEDIUM }])
    expect(shell.ran).toHaveLength(1)
    expect(runtime.getModelManifest().find(({ name }) => name === 'shell')?.inputSchema.properties).not.toHaveProperty('approved')
  })

  it('is denied if the approver throws or returns anything but true', async () => {
    for (const approve of [() => Promise.reject(new Error('away')), () => 'yes' as unknown as boolean]) {
      const { run, shell } = zeroclawBench(undefined, { approve })
      expect((await run(MEDIUM)).error).toMatch(/^Command blocked by security policy: ./)
      expect(shell.ran).toEqual([])
    }
  })

  it('is not awaited after the call ended', async () => {
    const controller = new AbortController()
    const { wire, shell } = zeroclawBench(undefined, { approve: () => new Promise(() => controller.abort()) })
    expect(await wire('shell', { command: MEDIUM }, { signal: controller.signal })).toMatchObject({ success: false })
    expect(shell.ran).toEqual([])
  })

  it('does not allow forbidden commands', async () => {
    const { run, shell } = zeroclawBench(undefined, { approve: () => true })
    expect((await run('rm -rf x', { approved: true })).error).toMatch(/^Command blocked by security policy: ./)
    expect(shell.ran).toEqual([])
  })

  it('can be required for tools by the policy', async () => {
    const security = { alwaysAsk: ['file_read'] }
    const refused = zeroclawBench(undefined, { security }, { files: { a: 'A' } })
    expect(await refused.wire('file_read', { path: 'a' })).toMatchObject({
      success: false,
      error: expect.stringMatching(/^Tool blocked by security policy: ./),
    })
    const asked: ApprovalRequest[] = []
    const approve = (request: ApprovalRequest): boolean => asked.push(request) > 0
    const granted = zeroclawBench(undefined, { security, approve }, { files: { a: 'A' } })
    expect(await granted.wire('file_read', { path: 'a' })).toEqual(done('1: A\n[1 lines total]'))
    expect(asked).toMatchObject([{ tool: 'file_read', input: { path: 'a' } }])
  })
})

describe('autonomy of zeroclaw cap:105', () => {
  it('"readonly" runs no commands, but reads files', async () => {
    const { run, wire, shell, runtime } = zeroclawBench(undefined, { security: { autonomy: 'readonly' } }, { files: { a: 'A' } })
    expect((await run('ls', { approved: true })).error).toMatch(/^Command blocked by security policy: ./)
    expect(await wire('file_read', { path: 'a' })).toEqual(done('1: A\n[1 lines total]'))
    expect(shell.ran).toEqual([])
    expect(runtime.getModelManifest().find(({ name }) => name === 'shell')?.inputSchema.properties).not.toHaveProperty('approved')
  })

  it('"full" allows a medium risk without approval', async () => {
    const { run } = zeroclawBench(undefined, { security: { autonomy: 'full' }, approve: () => false })
    expect(await run(MEDIUM)).toEqual(done(''))
    expect((await run('rm -rf x')).error).toMatch(/^Command blocked by security policy: ./)
  })
})

describe('the security policy of zeroclaw', () => {
  it('can exclude tools cap:105', async () => {
    const { run, runtime } = zeroclawBench(undefined, { security: { excludedTools: ['shell'] } })
    expect(await run('ls')).toEqual(failed('Unknown tool: shell'))
    expect(runtime.getModelManifest().map(({ name }) => name)).toEqual(['file_read'])
    expect(zeroclaw({ security: { allowedTools: [] } }).tools).toEqual([])
    expect(zeroclaw({ security: { allowedTools: ['memory_recall'] } }).tools.map(({ name }) => name)).toEqual(['memory_recall'])
  })

  it('interprets paths relative to the workspace root', async () => {
    const { run, wire } = zeroclawBench(undefined, {}, { root: '/home/me/project', files: { 'a.txt': 'A' } })
    expect(await run('cat /home/me/project/a.txt')).toEqual(done(''))
    expect((await run('cat /home/me/other')).error).toMatch(/^Command blocked/)
    expect(await wire('file_read', { path: '/home/me/project/a.txt' })).toEqual(done('1: A\n[1 lines total]'))
    expect((await wire('file_read', { path: '/home/me/other' })).error).toMatch(/^Path not allowed by security policy: ./)
  })

  it('interprets paths in commands relative to cwd', async () => {
    const { run } = zeroclawBench(undefined, {}, { cwd: '/workspace/sub', files: { 'sub/a.txt': 'A' } })
    expect((await run('cat ../../x')).error).toMatch(/^Command blocked/)
  })

  it('can forbid files inside the workspace, also behind a link', async () => {
    const security = { forbiddenPaths: ['secrets'] }
    const { wire, runtime } = zeroclawBench(undefined, { security }, { files: { 'secrets/key': 'K', 'a.txt': 'A' } })
    await runtime.workspace.symlink('secrets/key', 'innocent')
    for (const path of ['secrets/key', '/workspace/secrets/key', 'innocent']) {
      expect(await wire('file_read', { path })).toMatchObject({
        success: false,
        error: expect.stringMatching(/^Path not allowed by security policy: .*forbidden/),
      })
    }
    expect(await wire('file_read', { path: 'a.txt' })).toEqual(done('1: A\n[1 lines total]'))
  })

  it('can be passed to the runtime too, or used with any other preset cap:105', async () => {
    const security = createSecurityPolicy()
    const { workspace, host } = createTestWorkspace()
    const shell = scriptedShell()
    const policy = security.toRuntimePolicy({ rate: false })
    const { paths: _, readOnly: __, ...runtimePolicy } = policy
    const other = createRuntime({ workspace, host, shell, preset: standard(), policy: runtimePolicy })
    expect(await other.execute({ name: 'bash', input: { command: 'shutdown now' } })).toMatchObject({
      ok: false,
      output: { code: 'command_blocked' },
    })
    expect(await other.execute({ name: 'bash', input: { command: 'ls' } })).toMatchObject({ ok: true })
    const both = createRuntime({
      workspace,
      host,
      shell,
      preset: zeroclaw({ security: { autonomy: 'full', allowedCommands: ['shutdown'] } }),
      policy: runtimePolicy,
    })
    const call = { name: 'shell', input: { command: 'shutdown now' } }
    expect(both.toWire(await both.execute(call), call)).toMatchObject({
      success: false,
      error: expect.stringMatching(/^Command blocked by security policy: (?!Cannot)/),
    })
    expect(shell.ran).toHaveLength(1)
  })

  it('a security policy with invalid values is rejected at once', () => {
    expect(() => zeroclaw({ security: { maxActionsPerHour: -1 } })).toThrow()
  })
})
