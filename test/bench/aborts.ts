import { createRuntime, searchTools, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import type { Bench } from './bench.js'
import { spreadOf } from './measure.js'
import { memoryRuntime } from './memory-tools.js'
import { virtualRuntime } from './shells.js'
import { sources, tree, type World } from './worlds.js'

const group = 'abort to return in ms, the worst of 20 (aborted by a timer at 10 to 80 % of the call)'
const TARGET_MS = 50
const SAMPLES = 20

type Run = (signal: AbortSignal) => Promise<unknown>

function abortBench(name: string, prepare: () => Run): Bench {
  return {
    group,
    name,
    async run() {
      const run = prepare()
      const whole = Math.min(await duration(run), await duration(run))
      const late: number[] = []
      for (let i = 0; i < SAMPLES; i++) late.push(await lateness(run, Math.floor(whole * (0.1 + (0.7 * i) / (SAMPLES - 1)))))
      return { ours: whole * 1000, spread: spreadOf(late), unit: 'ms', target: TARGET_MS, bound: 'max' }
    },
  }
}

async function duration(run: Run): Promise<number> {
  const start = performance.now()
  await run(new AbortController().signal)
  return performance.now() - start
}

/**
 * Milliseconds from the time when the abort was due until the call ended. A call that blocks the event loop delays the abort itself, so
 * that delay counts too.
 */
async function lateness(run: Run, delay: number): Promise<number> {
  const controller = new AbortController()
  const start = performance.now()
  const timer = setTimeout(() => controller.abort(), delay)
  await run(controller.signal).catch((error: unknown) => {
    if (!controller.signal.aborted) throw error
  })
  clearTimeout(timer)
  return Math.max(0, performance.now() - start - delay)
}

const call =
  (runtime: ToolRuntime, name: string, input: unknown): Run =>
  (signal) =>
    runtime.execute({ name, input }, { signal })

const bigTree = (): World => tree(200_000)

/** Three copies of each file. */
function manySources(): World {
  const files = [...sources()]
  const copies = [1, 2, 3].flatMap((n) => files.map(([path, text]): [string, string] => [path.replace('/pkg', `/copy${n}/pkg`), text]))
  return new Map(copies)
}

function largeFiles(): ToolRuntime {
  const text = [...sources().values()].join('')
  const files = Array.from({ length: 4 }, (_, i): [string, string] => [`large-${i}.ts`, text])
  return createRuntime({ fs: createMemoryFs({ files: Object.fromEntries(files) }), tools: searchTools() })
}

export const aborts: readonly Bench[] = [
  abortBench('grep, 3,000 files, no hit', () => call(memoryRuntime(manySources()), 'grep', { pattern: 'value\\d+ = absent' })),
  abortBench('grep, nested repetition, 4 files of 5 MB', () => call(largeFiles(), 'grep', { pattern: '(\\w+\\s?)+[0-9]{9}$' })),
  abortBench('glob, 200,000 files, no hit', () => call(memoryRuntime(bigTree()), 'glob', { pattern: '**/*.absent' })),
  abortBench('list_files, 10,000 of 200,000', () => call(memoryRuntime(bigTree()), 'list_files', { recursive: true, limit: 10_000 })),
  abortBench('workspace.walk, 200,000 entries', () => {
    const { workspace } = memoryRuntime(bigTree())
    return async (signal) => {
      for await (const _ of workspace.walk('.', { signal }));
    }
  }),
  abortBench('bash, virtual shell, a loop of 20,000 turns', () =>
    call(virtualRuntime(), 'bash', { command: 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done' }),
  ),
]
