import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, type ShellAdapter, shellTools, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeRuntime } from 'toolport/node'
import type { Bench } from './bench.js'
import { bareStart, idleSpawn } from './floor-sessions.js'
import { caller } from './jobs.js'
import { compare, cpu, spreadOf } from './measure.js'
import { virtualRuntime } from './shells.js'

const group = 'background start, until control is back'
const SAMPLES = 20
const TARGET_MS = 5

const start = (command: string): Record<string, unknown> => ({ command, run_in_background: true })

const idleShell: ShellAdapter = {
  name: 'idle',
  can: { pty: false, separateStderr: true, hardKill: true, dialect: 'none' },
  exec: () => Promise.reject(new Error('nothing is run')),
  spawn: idleSpawn,
}

const toolBench: Bench = {
  group,
  name: 'the tool, over a spawn that does nothing',
  async run(plan) {
    const sessions = { keepEnded: 0 }
    const runtime = createRuntime({ fs: createMemoryFs(), shell: idleShell, tools: shellTools(), sessions })
    const input = start('idle')
    const { ratio, ...times } = await compare(() => bareStart(input), caller(runtime, 'bash', [input]), plan, cpu)
    await runtime.dispose()
    return { ...times, spread: ratio, unit: 'x' }
  },
}

/** Wall time of single starts. Each session is stopped before the next starts. */
async function startTimes(runtime: ToolRuntime): Promise<readonly number[]> {
  const times: number[] = []
  for (let i = -1; i < SAMPLES; i++) {
    const begin = performance.now()
    const result = await runtime.execute({ name: 'bash', input: start('sleep 60') })
    const time = performance.now() - begin
    if (!result.ok) throw new Error(result.error)
    // The first start loads the shell.
    if (i >= 0) times.push(time)
    await Promise.all(runtime.sessions.list().map((session) => session.stop({ force: true })))
  }
  return times
}

const virtualBench: Bench = {
  group,
  name: 'sleep 60, virtual shell',
  async run() {
    const runtime = virtualRuntime()
    const spread = spreadOf(await startTimes(runtime))
    await runtime.dispose()
    return { spread, unit: 'ms', target: TARGET_MS }
  },
}

const nodeBench: Bench = {
  group,
  name: 'sleep 60, node shell',
  async run() {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-bench-')))
    try {
      const runtime = createNodeRuntime({ root, shell: true })
      const spread = spreadOf(await startTimes(runtime))
      await runtime.dispose()
      return { spread, unit: 'ms' }
    } finally {
      await rm(root, { recursive: true })
    }
  },
}

export const sessions: readonly Bench[] = [toolBench, virtualBench, nodeBench]
