import { realpathSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ToolRuntime } from 'toolport'
import { createNodeRuntime } from 'toolport/node'
import type { Bench } from './bench.js'
import { spreadOf } from './measure.js'
import { memoryRuntime } from './memory-tools.js'
import { base, save } from './node-tools.js'
import { ROOT, source, sources, tree, type World } from './worlds.js'

const TARGET_MS = 20
const ROUNDS = 5
const MIB = 1024 ** 2

interface Call {
  readonly name: string
  readonly world: () => World
  readonly tool: string
  readonly input: Record<string, unknown>
}

const text = (bytes: number): string => source(1).repeat(Math.floor(bytes / source(1).length))
const large = (): World => new Map([[`${ROOT}/large.ts`, text(15 * MIB)]])
const many = (): World =>
  new Map(
    Array.from({ length: 10 }, (_, i) => [...sources()].map(([path, of]) => [path.replace('/pkg', `/copy${i}/pkg`), of] as const)).flat(),
  )

const hunks = (): string =>
  Array.from({ length: 100 }, (_, i) => `@@\n-  const value${i} = compute(1, ${i}) // step ${i}\n+  const value${i} = ${i}`).join('\n')

const calls: readonly Call[] = [
  { name: 'read_file, the head of 15 MiB', world: large, tool: 'read_file', input: { path: 'large.ts' } },
  { name: 'write_file, 15 MiB', world: large, tool: 'write_file', input: { path: 'large.ts', content: text(15 * MIB - 1000) } },
  {
    name: 'edit_file, 15 MiB',
    world: () => new Map([[`${ROOT}/large.ts`, `first line\n${text(15 * MIB)}`]]),
    tool: 'edit_file',
    input: { path: 'large.ts', edits: [{ old_string: 'first line', new_string: 'the first line' }] },
  },
  {
    name: 'apply_patch, 100 hunks',
    world: () => new Map([[`${ROOT}/a.ts`, source(1)]]),
    tool: 'apply_patch',
    input: { patch: `*** Begin Patch\n*** Update File: a.ts\n${hunks()}\n*** End Patch` },
  },
  { name: 'grep, 10,000 files, 41 MB', world: many, tool: 'grep', input: { pattern: 'value\\d+ = absent' } },
  { name: 'grep, one file of 15 MiB', world: large, tool: 'grep', input: { pattern: 'value\\d+ = absent' } },
  { name: 'glob, 20,000 files', world: () => tree(20_000), tool: 'glob', input: { pattern: '**/*.md', limit: 1000 } },
  { name: 'list_files, 20,000 files', world: () => tree(20_000), tool: 'list_files', input: { recursive: true, limit: 10_000 } },
]

/** The first round is not counted, because it loads and compiles code. */
async function turnsOf(open: () => Promise<ToolRuntime>, { tool, input }: Call): Promise<number[]> {
  const turns: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const runtime = await open()
    const longest = await longestTurn(async () => {
      const result = await runtime.execute({ name: tool, input })
      if (!result.ok) throw new Error(result.error)
    })
    await runtime.dispose()
    if (round > 0) turns.push(longest)
  }
  return turns
}

/** The longest time in milliseconds that the call blocked the event loop. */
async function longestTurn(call: () => Promise<void>): Promise<number> {
  let longest = 0
  let last = 0
  let ends = false
  const look = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!ends) setImmediate(look)
  }
  last = performance.now()
  setImmediate(look)
  await call()
  ends = true
  look()
  return longest
}

const bench = (group: string, call: Call, open: (world: World) => Promise<ToolRuntime>): Bench => ({
  group,
  name: call.name,
  async run() {
    const world = call.world()
    return { spread: spreadOf(await turnsOf(() => open(world), call)), unit: 'ms', target: TARGET_MS, bound: 'max' }
  },
})

async function inDirectory(world: World, roots: string[]): Promise<ToolRuntime> {
  const root = realpathSync(await mkdtemp(join(base, 'toolport-turns-')))
  roots.push(root)
  save(root, world)
  return createNodeRuntime({ root })
}

const onDirectory = (call: Call): Bench => {
  const roots: string[] = []
  const { run, ...row } = bench(`longest turn of the event loop in ms, during a call in ${base}`, call, (world) =>
    inDirectory(world, roots),
  )
  return {
    ...row,
    async run(plan) {
      try {
        return await run(plan)
      } finally {
        for (const root of roots) await rm(root, { recursive: true })
      }
    },
  }
}

export const turns: readonly Bench[] = [
  ...calls.map((call) =>
    bench('longest turn of the event loop in ms, during a call in memory', call, async (world) => memoryRuntime(world)),
  ),
  ...calls.map(onDirectory),
]
