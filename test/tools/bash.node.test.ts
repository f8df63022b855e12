import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createRuntime } from 'toolport'
import { createNodeFs, createNodeShell } from 'toolport/adapters/node'
import { afterEach, describe } from 'vitest'
import { bashCases } from './bash-cases.js'
import { type Bench, benchOver } from './harness.js'
import { type ShellBenchOptions, shellBenchTools } from './shell-bench.js'

const opened: { readonly root: string; readonly bench: Bench }[] = []

/** The standard tools and a real shell in a directory of its own. */
async function nodeBench(files: Readonly<Record<string, string>> = {}, options: ShellBenchOptions = {}): Promise<Bench> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-bash-')))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), content)
  }
  const bench = benchOver(createRuntime({ ...options, fs: createNodeFs({ root }), shell: createNodeShell(), tools: shellBenchTools() }))
  opened.push({ root, bench })
  return bench
}

afterEach(async () => {
  for (const { root, bench } of opened.splice(0)) {
    await bench.runtime.dispose()
    await rm(root, { recursive: true, force: true })
  }
})

describe('bash on the real shell', () => bashCases(nodeBench))
