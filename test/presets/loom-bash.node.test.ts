// @module-tag loom
import type { CreateRuntimeOptions } from 'toolport'
import { describe, expect, it } from 'vitest'
import { realShellBenches } from '../tools/real-shell.js'
import { loomBashCases } from './loom-bash-cases.js'
import { loomBench } from './loom-bench.js'

const open = realShellBenches((ports, options: CreateRuntimeOptions = {}) => loomBench({}, { ...options, ...ports }))

describe('bash of loom on the real shell', () => {
  loomBashCases(open)

  it('exits with 128 plus the number of the signal that ended it cap:32', async () => {
    const { ok } = await open()
    expect(await ok('bash', { command: 'echo before; kill -9 $$' })).toEqual({
      exit_code: 137,
      stdout: 'before\n',
      stderr: '',
      timed_out: false,
      truncated: false,
    })
  })

  it('replaces invalid UTF-8 cap:35', async () => {
    const { ok } = await open()
    expect((await ok('bash', { command: String.raw`printf 'a\377b'` })).stdout).toBe('a\ufffdb')
  })
})
