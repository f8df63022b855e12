import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createNodeRuntime } from 'toolport/node'
import { temporaryFolder } from '../../scripts/temporary-folder.mjs'
import type { Bench } from './bench.js'
import * as floor from './floor-node.js'
import { caller, FILE, inTurn, type Job, jobs, NEW, OLD } from './jobs.js'
import { compare, type Plan, type Task, wall } from './measure.js'
import { directories, NEEDLE, ROOT, source, type World } from './worlds.js'

/** Fewer rounds than elsewhere, because calls take up to half a second here and these figures have no target. */
const MOST_ROUNDS = 7

export const base: string = temporaryFolder()
const group = `tools, Node adapter in ${base}, against node:fs/promises alone`

function nodeBench(job: Job, prepare: (root: string) => Task): Bench {
  return {
    group,
    name: job.name,
    async run(plan) {
      const root = await realpath(await mkdtemp(join(base, 'toolport-bench-')))
      try {
        save(root, job.world())
        const runtime = createNodeRuntime({ root })
        const { ratio, ...times } = await compare(prepare(root), caller(runtime, job.tool, job.inputs), atMost(plan, MOST_ROUNDS), wall)
        await runtime.dispose()
        return { ...times, spread: ratio, unit: 'x' }
      } finally {
        await rm(root, { recursive: true })
      }
    },
  }
}

const atMost = (plan: Plan, rounds: number): Plan => ({ ...plan, rounds: Math.min(plan.rounds, rounds) })

export function save(root: string, world: World): void {
  for (const path of directories(world)) mkdirSync(join(root, path.slice(ROOT.length)))
  for (const [path, text] of world) writeFileSync(join(root, path.slice(ROOT.length)), text)
}

export const nodeTools: readonly Bench[] = [
  nodeBench(jobs.read, (root) => () => floor.read(join(root, FILE))),
  nodeBench(jobs.edit, (root) => {
    const next = inTurn<readonly [string, string]>([
      [OLD, NEW],
      [NEW, OLD],
    ])
    const path = join(root, `${FILE}.floor`)
    writeFileSync(path, source(507))
    return () => floor.edit(path, ...next())
  }),
  nodeBench(jobs.grep, (root) => () => floor.grep(root, new RegExp(NEEDLE))),
  nodeBench(jobs.glob, (root) => () => floor.glob(root, /\.md$/)),
  nodeBench(jobs.list, (root) => () => floor.list(root)),
]
