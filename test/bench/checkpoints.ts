import { createWorkspace, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import type { Bench } from './bench.js'
import { compare, type Task } from './measure.js'

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

/** Compares the tree with what it was so many changed files ago; these are spread over all directories. */
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

/** A write after each, so that no two are the same: what the first write after a checkpoint copies is paid here. */
const keepingChanged = async (files: number): Promise<Task> => {
  const workspace = await workspaceOf(files)
  return async () => {
    await workspace.checkpoint()
    await workspace.writeText('package-1/component-1.ts', 'changed')
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
]
