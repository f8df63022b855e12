import { deepEqual } from 'node:assert/strict'
import { createRuntime, fileTools, searchTools, type ToolRuntime } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import type { Bench } from './bench.js'
import * as floor from './floor.js'
import { absolute, caller, inTurn, type Job, jobs, mapOf } from './jobs.js'
import { compare, type Task } from './measure.js'
import { asFiles, tree, type World } from './worlds.js'

const group = 'tools, memory adapter (full execute calls)'

export function memoryRuntime(world: World): ToolRuntime {
  return createRuntime({ fs: createMemoryFs({ files: asFiles(world) }), tools: [...fileTools(), ...searchTools()] })
}

type Files = Map<string, string>

/** `part`: extracts from our output what must equal the floor's result, to check that both did the same work. */
function toolBench(
  job: Job,
  target: number | undefined,
  work: (files: Files, input: unknown) => unknown,
  part?: (output: never) => unknown,
): Bench {
  return {
    group,
    name: job.name,
    async run(plan) {
      const runtime = memoryRuntime(job.world())
      const files = mapOf(job)
      const next = inTurn(job.inputs.map(absolute))
      const theirs: Task = () => work(files, next())
      const ours = caller(runtime, job.tool, job.inputs)
      if (part) deepEqual(part((await ours()) as never), theirs())
      const { ratio, ...times } = await compare(theirs, ours, plan)
      return { ...times, spread: ratio, unit: 'x', ...(target !== undefined && { target }) }
    },
  }
}

interface Matches {
  readonly matches: readonly floor.Hit[]
}

const hitsOf = ({ matches }: Matches): floor.Hit[] => matches.map(({ path, line, text }) => ({ path, line, text }))

const executeAll: Bench = {
  group,
  name: 'executeAll, 8 reads of 100 lines',
  async run(plan) {
    const { inputs, tool } = jobs.read
    const files = mapOf(jobs.read)
    const runtime = memoryRuntime(jobs.read.world())
    const calls = Array.from({ length: 8 }, () => ({ name: tool, input: inputs[0] }))
    const input = absolute(inputs[0])
    const theirs: Task = () => calls.map(() => floor.read(files, input))
    const { ratio, ...times } = await compare(theirs, () => runtime.executeAll(calls), plan)
    return { ...times, spread: ratio, unit: 'x' }
  },
}

const walk: Bench = {
  group,
  name: 'workspace.walk, 100,000 entries (no tool)',
  async run(plan) {
    const world = (): World => tree(99_900)
    const files = mapOf({ name: '', tool: '', inputs: [], world, listed: true })
    const { workspace } = memoryRuntime(world())
    const ours = async (): Promise<number> => {
      let count = 0
      for await (const run of workspace.walk('.')) count += run.length
      return count
    }
    deepEqual(await ours(), floor.entries(files).length)
    const { ratio, ...times } = await compare(() => floor.entries(files), ours, plan)
    return { ...times, spread: ratio, unit: 'x' }
  },
}

export const memoryTools: readonly Bench[] = [
  toolBench(jobs.read, 3, floor.read, ({ text }: { text: string }) => text),
  toolBench(jobs.edit, 8, floor.edit),
  toolBench(jobs.grep, 8, floor.grep, hitsOf),
  toolBench(jobs.rare, 8, floor.grep, hitsOf),
  toolBench(
    jobs.glob,
    8,
    (files, input) => floor.glob(files, input, /\.md$/),
    ({ paths }: { paths: string[] }) => paths,
  ),
  toolBench(jobs.list, 12, floor.list, ({ entries }: { entries: floor.Listed[] }) => entries),
  toolBench(jobs.write, undefined, floor.write),
  executeAll,
  walk,
]
