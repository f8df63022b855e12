import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CreateRuntimeOptions } from 'toolport'
import { createNodeFs, createNodeShell } from 'toolport/adapters/node'
import { afterEach, describe, expect, it } from 'vitest'
import { loomBashCases } from './loom-bash-cases.js'
import { type LoomBench, loomBench } from './loom-bench.js'

const opened: { readonly root: string; readonly bench: LoomBench }[] = []

/** A real shell in a directory of its own, which the tools call by its real path. */
async function open(files: Readonly<Record<string, string>> = {}, options: CreateRuntimeOptions = {}): Promise<LoomBench> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-loom-')))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), content)
  }
  const bench = loomBench({}, { ...options, fs: createNodeFs({ root }), shell: createNodeShell() })
  opened.push({ root, bench })
  return bench
}

afterEach(async () => {
  for (const { root, bench } of opened.splice(0)) {
    await bench.runtime.dispose()
    await rm(root, { recursive: true, force: true })
  }
})

describe('bash of loom on the real shell', () => {
  loomBashCases(open)

  it('ends with 128 and the number of the signal that ended it cap:32', async () => {
    const { ok } = await open()
    expect(await ok('bash', { command: 'echo before; kill -9 $$' })).toEqual({
      exit_code: 137,
      stdout: 'before\n',
      stderr: '',
      timed_out: false,
      truncated: false,
    })
  })

  it('replaces bytes that are no UTF-8 cap:35', async () => {
    const { ok } = await open()
    expect((await ok('bash', { command: String.raw`printf 'a\377b'` })).stdout).toBe('a\ufffdb')
  })
})
