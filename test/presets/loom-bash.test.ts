// @module-tag loom
import type { ShellAdapter, ShellExecOptions, Workspace } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { loomBashCases } from './loom-bash-cases.js'
import { loomBench } from './loom-bench.js'

const shell = createJustBashShell({ scratch: createMemoryFs() })

describe('bash of loom on the virtual shell', () => {
  loomBashCases(async (files, options) => loomBench(files, { shell, ...options }))

  it('has a timeout of 60 s, at most 300 s, which the runtime allows cap:34 cap:46', async () => {
    const asked: (number | undefined)[] = []
    const recording = (workspace: Workspace): ShellAdapter => {
      const { name, can, exec } = shell(workspace)
      const noted = (command: string, options?: ShellExecOptions) => {
        asked.push(options?.timeoutMs)
        return exec(command, options)
      }
      return { name, can, exec: noted }
    }
    const { ok } = loomBench({}, { shell: recording })
    for (const timeout_secs of [undefined, null, 1, 300, 301, 1e9]) await ok('bash', { command: 'true', timeout_secs })
    expect(asked).toEqual([60_000, 60_000, 1000, 300_000, 300_000, 300_000])
  })

  it('ends at once with a timeout of 0 cap:34', async () => {
    const { ok } = loomBench({}, { shell })
    expect(await ok('bash', { command: 'sleep 60; echo never', timeout_secs: 0 })).toMatchObject({ exit_code: null, timed_out: true })
  })

  it('reaches neither a network nor files outside the workspace cap:47', async () => {
    const { ok } = loomBench({}, { shell })
    expect(await ok('bash', { command: 'curl -s http://127.0.0.1:9/' })).toMatchObject({ exit_code: 127, stdout: '' })
    expect(await ok('bash', { command: 'cat /etc/passwd ../../etc/passwd' })).toMatchObject({ exit_code: 1, stdout: '' })
  })

  it('is not offered without a shell, and a call fails with the missing adapter cap:32', async () => {
    const { runtime, fail } = loomBench()
    expect(runtime.getModelManifest().map(({ name }) => name)).not.toContain('bash')
    expect(await fail('bash', { command: 'true' })).toBe('Error: Internal error: Cannot run "bash": this runtime has no shell adapter')
  })
})
