// @module-tag bash
import { createRuntime, type ShellAdapter, shellTools, type Workspace } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { standard } from 'toolport/presets/standard'
import { describe, expect, it } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import { bashCases, bashStateCases } from './bash-cases.js'
import { benchOver } from './harness.js'
import { virtualBench } from './shell-bench.js'

describe('bash on the virtual shell', () => {
  bashCases(virtualBench)
  bashStateCases(virtualBench)
})

describe('bash', () => {
  it.each([
    ['no command', {}, ['command']],
    ['an empty command', { command: '' }, ['command']],
    ['a blank command', { command: ' \n\t' }, ['command']],
    ['a command of more than 1 MiB', { command: 'x'.repeat(1024 * 1024 + 1) }, ['command']],
    ['a command with a NUL', { command: 'echo a\0b' }, ['command']],
    ['a command as an array', { command: ['echo', 'a'] }, ['command']],
    ['an unknown field', { command: 'true', timeout: 5 }, ['timeout']],
    ['a timeout of 0', { command: 'true', timeout_ms: 0 }, ['timeout_ms']],
    ['a timeout that is too long', { command: 'true', timeout_ms: 1_200_001 }, ['timeout_ms']],
    ['a number as the value of a variable', { command: 'true', env: { A: 1 } }, ['env.A']],
    ['an invalid variable name', { command: 'true', env: { 'A-B': '1' } }, ['env.A-B']],
    ['a variable value with a NUL', { command: 'true', env: { A: 'a\0b' } }, ['env.A']],
  ])('rejects %s', async (_, input, places) => {
    const { fail } = virtualBench()
    const { output } = await fail('bash', input)
    expect(output.code).toBe('invalid_input')
    expect(output.issues?.map(({ path }) => path)).toEqual(places)
  })

  it('asks for a command if it is empty', async () => {
    expect((await virtualBench().fail('bash', { command: ' ' })).error).toBe(
      'Cannot call "bash": command is empty: pass the command to run',
    )
  })

  it('starts in the cwd of the workspace', async () => {
    const { ok, read, fail } = virtualBench({ 'sub/f.txt': 'one\n' }, { cwd: '/workspace/sub' })
    expect(await read('bash', { command: 'pwd; cat f.txt' })).toBe('/workspace/sub\none')
    expect(await ok('bash', { command: 'pwd', cwd: '..' })).toMatchObject({ stdout: '/workspace\n' })
    expect(await read('bash', { command: 'true' })).toBe('(no output)\n[now in /workspace]')
    await ok('delete_file', { path: '/workspace/sub', recursive: true })
    expect((await fail('bash', { command: 'true', reset_session: true })).output).toMatchObject({ code: 'ENOENT', path: '/workspace/sub' })
  })

  it('reports a timeout if only the deadline of the call ends the command', async () => {
    const virtual = createJustBashShell({ scratch: createMemoryFs() })
    const shell = (workspace: Workspace): ShellAdapter => {
      const { name, can, exec } = virtual(workspace)
      return { name, can, exec: (command, options) => exec(command, { ...options, timeoutMs: undefined }) }
    }
    const runtime = createRuntime({ fs: createMemoryFs(), shell, tools: shellTools(), limits: { graceMs: 30_000 } })
    const call = { name: 'bash', input: { command: 'echo before; sleep 60' } }
    const { result, deadlineMs } = await withGrowingTime(
      async (deadlineMs) => ({ result: await runtime.execute(call, { deadlineMs }), deadlineMs }),
      ({ result }) => JSON.stringify(result.output).includes('"stdout":"before'),
    )
    expect(result).toMatchObject({
      ok: true,
      output: {
        stdout: 'before\n',
        timed_out: true,
        aborted: false,
        note: `the deadline of the call (${deadlineMs} ms) passed before timeout_ms`,
      },
    })
  })

  it('rejects an env variable named __proto__, with and without input repair', async () => {
    const input = JSON.parse('{"command": "true", "env": {"__proto__": "x", "B": "1"}}')
    const shell = createJustBashShell({ scratch: createMemoryFs() })
    for (const { fail } of [virtualBench(), benchOver(createRuntime({ fs: createMemoryFs(), shell, preset: standard() }))]) {
      const { output } = await fail('bash', input)
      expect(output).toMatchObject({ code: 'invalid_input', issues: [{ path: 'env.__proto__' }] })
    }
  })

  it('is in the standard preset, and offered if there is a shell cap:106', () => {
    const offered = (bench: { readonly runtime: { getModelManifest(): { readonly name: string }[] } }): string[] =>
      bench.runtime.getModelManifest().map(({ name }) => name)
    expect(offered(virtualBench())).toContain('bash')
    expect(standard().tools.map(({ name }) => name)).toContain('bash')
    expect(offered(benchOver(createRuntime({ fs: createMemoryFs(), preset: standard() })))).not.toContain('bash')
  })

  it('names the missing shell adapter', async () => {
    const { fail } = benchOver(createRuntime({ fs: createMemoryFs(), preset: standard() }))
    expect(await fail('bash', { command: 'true' })).toMatchObject({
      output: { status: 'unsupported', code: 'unsupported', capability: 'shell' },
      error: 'Cannot run "bash": this runtime has no shell adapter',
    })
  })

  it('has annotations: not read-only, destructive, open world', () => {
    const entry = virtualBench()
      .runtime.getModelManifest()
      .find(({ name }) => name === 'bash')
    expect(entry?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: true })
  })
})
