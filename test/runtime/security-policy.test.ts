// @module-tag runtime
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { standard } from 'toolport/presets/standard'
import { expect, test } from 'vitest'
import { createSecurityPolicy } from '../../src/core/security/index.js'
import type { JsAdapter } from '../../src/types/js.js'
import type { RuntimePolicy } from '../../src/types/runtime.js'
import type { ShellAdapter } from '../../src/types/shell.js'
import type { ToolResult } from '../../src/types/tool.js'
import type { WorkspacePolicy } from '../../src/types/workspace.js'
import { type TestRuntime, testRuntime } from './support.js'

interface Watched extends TestRuntime {
  /** The commands that reached the shell. */
  readonly ran: readonly string[]
  bash(command: string, more?: object): Promise<ToolResult>
}

/** The `standard` preset with a virtual shell that records its commands. */
function watched(policy: RuntimePolicy & WorkspacePolicy): Watched {
  const ran: string[] = []
  const make = createJustBashShell({ scratch: createMemoryFs() })
  const world = testRuntime([], {
    preset: standard(),
    policy,
    shell: (workspace): ShellAdapter => {
      const shell = make(workspace)
      return {
        name: shell.name,
        can: shell.can,
        exec: (command, options) => {
          ran.push(command)
          return shell.exec(command, options)
        },
        close: () => shell.close?.() ?? Promise.resolve(),
      }
    },
  })
  return { ...world, ran, bash: (command, more) => world.runtime.execute({ name: 'bash', input: { command, ...more } }) }
}

test('a blocked command never reaches the shell, and the model gets the reason cap:105', async () => {
  const { ran, bash, files } = watched(createSecurityPolicy().toRuntimePolicy())
  expect(await bash('echo hi 2>/dev/null')).toMatchObject({ ok: true, output: { stdout: 'hi\n' } })
  expect(await bash('echo hi; rm -rf .')).toMatchObject({
    ok: false,
    output: { status: 'denied', code: 'command_blocked', reason: expect.stringContaining('"rm" is not an allowed command') },
    error: expect.stringContaining('(in command 2 of 2)'),
  })
  for (const command of ['echo x > f', 'cat /etc/passwd', 'echo $(ls)', 'find . -exec ls {} +']) {
    expect(await bash(command)).toMatchObject({ ok: false, output: { code: 'command_blocked' } })
  }
  expect(ran).toEqual(['echo hi 2>/dev/null'])
  expect(await files()).toEqual({})
})

test('variables and directory of the session are not treated as injection', async () => {
  const policy = createSecurityPolicy({ allowedCommands: ['cd', 'pwd', 'echo', 'mkdir'], autonomy: 'full' }).toRuntimePolicy()
  const { bash } = watched(policy)
  expect(await bash('mkdir d && cd d')).toMatchObject({ ok: true })
  expect(await bash('pwd')).toMatchObject({ ok: true, output: { stdout: '/workspace/d\n' } })
  expect(await bash('pwd', { env: { PATH: '.' } })).toMatchObject({ output: { reason: expect.stringContaining('the variable "PATH"') } })
  expect(await bash('pwd', { env: { FOO: '1' } })).toMatchObject({ ok: true })
})

test('a command that needs approval runs after it cap:105', async () => {
  const asked: unknown[] = []
  const security = createSecurityPolicy({ allowedCommands: ['touch', 'rm', 'ls'] })
  const policy: RuntimePolicy = {
    ...security.toRuntimePolicy(),
    approve: ({ command, reason }) => {
      asked.push([command, reason])
      return command === 'touch a'
    },
  }
  const { ran, bash, files } = watched(policy)
  expect(await bash('touch a')).toMatchObject({ ok: true })
  expect(await bash('rm a')).toMatchObject({ ok: false, output: { code: 'approval_required' } })
  expect(await bash('ls')).toMatchObject({ ok: true })
  expect(asked).toEqual([
    ['touch a', 'the command has medium risk and needs approval'],
    ['rm a', 'the command has high risk and needs approval'],
  ])
  expect(ran).toEqual(['touch a', 'ls'])
  expect(await files()).toEqual({ a: '' })
  expect(await watched(security.toRuntimePolicy()).bash('touch a')).toMatchObject({ output: { code: 'approval_required' } })
})

test('tools are allowed, excluded or need approval cap:105', async () => {
  const run = async (options: Parameters<typeof createSecurityPolicy>[0], name: string): Promise<unknown> => {
    const { runtime } = watched(createSecurityPolicy(options).toRuntimePolicy())
    const result = await runtime.execute({ name, input: name === 'bash' ? { command: 'pwd' } : { path: '.' } })
    return result.ok ? 'ok' : (result.output as { readonly code?: string }).code
  }
  expect(await run({}, 'list_files')).toBe('ok')
  expect(await run({ allowedTools: ['bash'] }, 'list_files')).toBe('tool_excluded')
  expect(await run({ allowedTools: [] }, 'bash')).toBe('tool_excluded')
  expect(await run({ excludedTools: ['bash'] }, 'bash')).toBe('tool_excluded')
  expect(await run({ alwaysAsk: ['bash'] }, 'bash')).toBe('approval_required')
  expect(await run({ autoApprove: ['list_files'] }, 'list_files')).toBe('ok')
  expect(await run({ autoApprove: ['list_files'] }, 'bash')).toBe('approval_required')
  expect(await run({ autonomy: 'full', autoApprove: [] }, 'bash')).toBe('ok')
})

test('JavaScript needs approval unless the adapter is isolated', async () => {
  const run = async (options: Parameters<typeof createSecurityPolicy>[0], isolatedJs?: boolean): Promise<unknown> => {
    let ran = 0
    const js: JsAdapter = {
      name: 'counted',
      can: { hardKill: true, memoryCap: true, nodeApi: false, isolated: isolatedJs === true },
      run: async () => {
        ran++
        return { exitCode: 0, stdout: '', stderr: '', timedOut: false, aborted: false, truncated: false }
      },
    }
    const policy = createSecurityPolicy(options).toRuntimePolicy({ ...(isolatedJs !== undefined && { isolatedJs }) })
    const { runtime } = testRuntime([], { preset: standard(), policy, js })
    const result = await runtime.execute({ name: 'run_js', input: { code: '1' } })
    return [result.ok ? 'ok' : result.output.code, ran]
  }
  expect(await run({})).toEqual(['approval_required', 0])
  expect(await run({ autonomy: 'full' })).toEqual(['approval_required', 0])
  expect(await run({}, true)).toEqual(['ok', 1])
  expect(await run({ autoApprove: ['run_js'] })).toEqual(['ok', 1])
  expect(await run({ autoApprove: [] }, true)).toEqual(['approval_required', 0])
  expect(await run({ autonomy: 'readonly' }, true)).toEqual(['tool_excluded', 0])
})

test('readonly autonomy writes nothing and runs nothing', async () => {
  const { runtime, bash, files, ran } = watched(createSecurityPolicy({ autonomy: 'readonly' }).toRuntimePolicy())
  expect(await runtime.execute({ name: 'write_file', input: { path: 'a', content: 'x' } })).toMatchObject({
    ok: false,
    output: { code: 'EROFS' },
  })
  expect(await bash('ls')).toMatchObject({ output: { reason: expect.stringContaining('the policy is read-only') } })
  expect([ran, await files()]).toEqual([[], {}])
})

test('forbidden paths in the workspace apply to every tool cap:43', async () => {
  const policy = createSecurityPolicy({
    forbiddenPaths: ['/etc', 'secret', '[odd]*'],
    allowedRoots: [{ path: '/workspace/vendor', access: 'read-only' }],
  }).toRuntimePolicy()
  expect(policy.paths).toEqual([
    { paths: 'secret', action: 'deny', reason: '"secret" is forbidden by the policy' },
    { paths: '\\[odd\\]\\*', action: 'deny', reason: '"[odd]*" is forbidden by the policy' },
    { paths: 'vendor', access: 'write', action: 'deny', reason: '"/workspace/vendor" may only be read' },
  ])
  const { runtime } = watched(policy)
  const write = (path: string): Promise<ToolResult> => runtime.execute({ name: 'write_file', input: { path, content: 'x' } })
  expect(await write('secret/a')).toMatchObject({ output: { code: 'EACCES' } })
  expect(await write('[odd]*')).toMatchObject({ output: { code: 'EACCES' } })
  expect(await write('vendor/a')).toMatchObject({ output: { code: 'EACCES' } })
  expect(await write('o')).toMatchObject({ ok: true })
})

test('the runtime applies the rate limit if configured cap:46', async () => {
  const limited = createSecurityPolicy({ maxActionsPerHour: 1 })
  const { bash } = watched(limited.toRuntimePolicy())
  expect(await bash('ls')).toMatchObject({ ok: true })
  expect(await bash('ls')).toMatchObject({ output: { code: 'rate_limited' } })
  expect(limited.toRuntimePolicy({ rate: false }).rate).toBeUndefined()
  expect(createSecurityPolicy({ maxActionsPerHour: null }).toRuntimePolicy().rate).toBeUndefined()
  expect(createSecurityPolicy({ maxActionsPerHour: 0 }).toRuntimePolicy().rate).toEqual({ calls: 0, perMs: 3_600_000 })
})

test('variables that the host set for the shell are accepted', () => {
  const security = createSecurityPolicy()
  const request = { callId: 'c', tool: 'bash', command: 'ls', env: { NODE_OPTIONS: '--a' }, signal: new AbortController().signal }
  expect(security.toRuntimePolicy().commands?.(request)).toMatchObject({ action: 'deny' })
  expect(security.toRuntimePolicy({ trustedEnv: { NODE_OPTIONS: '--a' } }).commands?.(request)).toBe('allow')
  expect(security.toRuntimePolicy({ trustedEnv: { NODE_OPTIONS: '--b' } }).commands?.(request)).toMatchObject({ action: 'deny' })
})

test('the workspace root of the runtime applies to the policy', () => {
  const { commands } = createSecurityPolicy().toRuntimePolicy({ workspaceRoot: '/data/work' })
  const verdict = (command: string): unknown =>
    commands?.({ callId: 'c', tool: 'bash', command, cwd: '/data/work/sub', signal: new AbortController().signal })
  expect(verdict('cat /data/work/a')).toBe('allow')
  expect(verdict('cat /workspace/a')).toMatchObject({ action: 'deny' })
  expect(() => createSecurityPolicy().toRuntimePolicy({ workspaceRoot: 'x' })).toThrow('"workspaceRoot" is "x"')
})
