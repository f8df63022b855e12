import { writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createWorkspace, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeRuntime } from 'toolport/node'
import type { Bench } from './bench.js'
import { caller, FILE, jobs } from './jobs.js'
import { compare, type Plan, spreadOf, type Task, wall } from './measure.js'
import { base, save } from './node-tools.js'
import { source, tree, type World } from './worlds.js'

const group = 'checkpoints on memory'
const PER_FOLDER = 100

async function workspaceOf(files: number): Promise<Workspace> {
  const fs = createMemoryFs()
  for (let folder = 0; folder < files / PER_FOLDER; folder++) {
    await fs.mkdir(`/package-${folder}`)
    for (let i = 0; i < PER_FOLDER; i++) await fs.write(`/package-${folder}/component-${i}.ts`, new Uint8Array(16))
  }
  return createWorkspace({ fs })
}

/** Diffs the tree against a checkpoint that precedes `changes` changed files, which are spread over all directories. */
async function differing(files: number, changes: number): Promise<Task> {
  const workspace = await workspaceOf(files)
  const { id } = await workspace.checkpoint()
  const folders = files / PER_FOLDER
  for (let i = 0; i < changes; i++) {
    const path = `package-${Math.floor((i * folders) / changes)}/component-${i % PER_FOLDER}.ts`
    await workspace.writeText(path, `changed ${i}`)
  }
  return async () => {
    const found = (await workspace.diff(id)).changes.length
    if (found !== changes) throw new Error(`The difference has ${found} changes, not ${changes}`)
  }
}

function bench(name: string, floor: () => Promise<Task>, ours: () => Promise<Task>, target: number): Bench {
  return {
    group,
    name,
    async run(plan) {
      const { ratio, ...times } = await compare(await floor(), await ours(), plan)
      return { ...times, spread: ratio, unit: 'x', target }
    },
  }
}

const keeping = async (files: number): Promise<Task> => {
  const workspace = await workspaceOf(files)
  return () => workspace.checkpoint()
}

/** Writes after each checkpoint, so that no two checkpoints are equal and the copy that the first write makes is measured too. */
const keepingChanged = async (files: number): Promise<Task> => {
  const workspace = await workspaceOf(files)
  return async () => {
    await workspace.checkpoint()
    await workspace.writeText('package-1/component-1.ts', 'changed')
  }
}

const RESTORED = 100_000

/** Restores after every file has changed. */
const restoring: Bench = {
  group,
  name: 'restore of 100,000 files, each changed, in ms',
  async run({ rounds }) {
    const workspace = await workspaceOf(RESTORED)
    const { id } = await workspace.checkpoint()
    const times: number[] = []
    for (let round = 0; round < Math.min(rounds, 5); round++) {
      for (let i = 0; i < RESTORED; i++) {
        const path = `/package-${Math.floor(i / PER_FOLDER)}/component-${i % PER_FOLDER}.ts`
        await workspace.fs.write(path, Uint8Array.of(round, i, i >> 8))
      }
      const start = performance.now()
      const { changes } = await workspace.restore(id)
      times.push(performance.now() - start)
      if (changes.length !== RESTORED) throw new Error(`${changes.length} files were restored, not ${RESTORED}`)
    }
    const spread = spreadOf(times)
    return { ours: spread.median * 1000, spread, unit: 'ms', target: 1000 }
  },
}

/** The floor is the same edit in the same directory without checkpoints. */
function automatic(files: number): Bench {
  return {
    group: `automatic checkpoints in ${base}, against none`,
    name: `edit among ${files.toLocaleString('en')} files`,
    async run(plan: Plan) {
      const root = await realpath(await mkdtemp(join(base, 'toolport-bench-')))
      try {
        const world: World = new Map([...tree(files), ...jobs.edit.world()])
        save(root, world)
        // Each runtime edits a file of its own.
        const other = `${FILE}.kept`
        writeFileSync(join(root, other), source(507))
        const plain = createNodeRuntime({ root })
        const keeping = createNodeRuntime({ root, checkpoints: { automatic: true } })
        const { tool, inputs } = jobs.edit
        const others = inputs.map((input) => ({ ...input, path: other }))
        const { ratio, ...times } = await compare(caller(plain, tool, inputs), caller(keeping, tool, others), plan, wall)
        await plain.dispose()
        await keeping.dispose()
        return { ...times, spread: ratio, unit: 'x', target: 2 }
      } finally {
        await rm(root, { recursive: true })
      }
    },
  }
}

export const checkpoints: readonly Bench[] = [
  bench(
    'checkpoint of 100,000 files, against 1,000',
    () => keeping(1000),
    () => keeping(100_000),
    1.5,
  ),
  bench(
    'checkpoint and a write, 100,000 files against 10,000',
    () => keepingChanged(10_000),
    () => keepingChanged(100_000),
    10,
  ),
  bench(
    'diff of 100 changes in 100,000 files, against 10,000',
    () => differing(10_000, 100),
    () => differing(100_000, 100),
    2,
  ),
  bench(
    'diff of 1,000 changes, against 100 of 100,000',
    () => differing(100_000, 100),
    () => differing(100_000, 1000),
    12,
  ),
  restoring,
  automatic(1000),
  automatic(10_000),
]
