import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, shellTools } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeRuntime } from 'toolport/node'
import type { Bench } from './bench.js'
import { bareBash, bareProcess } from './floor-shell.js'
import { caller } from './jobs.js'
import { compare, cpu, type Plan, wall } from './measure.js'
import { asFiles, bigText, ROOT, sources, tree, type World } from './worlds.js'

/** Minimum budget. A shell is much code: with less time, the compiler would still be busy during the measurement. */
const LEAST_BUDGET_MS = 100
const virtual = 'bash tool, virtual shell, against a bare just-bash exec'
const real = 'bash tool, node shell, against a bare process of bash'

export function virtualRuntime(files: Record<string, string> = {}) {
  return createRuntime({
    fs: createMemoryFs({ files }),
    shell: createJustBashShell({ scratch: createMemoryFs() }),
    tools: shellTools(),
  })
}

function virtualBench(name: string, command: string, target?: number, world: () => World = sources): Bench {
  return {
    group: virtual,
    name,
    async run(plan) {
      const floor = bareBash(Object.fromEntries(world()))
      const runtime = virtualRuntime(asFiles(world()))
      const { ratio, ...times } = await compare(() => floor.exec(command), caller(runtime, 'bash', [{ command }]), enough(plan), cpu)
      await runtime.dispose()
      return { ...times, spread: ratio, unit: 'x', target }
    },
  }
}

const enough = (plan: Plan): Plan => ({ ...plan, budgetMs: Math.max(plan.budgetMs, LEAST_BUDGET_MS) })

const nodeBench: Bench = {
  group: real,
  name: 'echo hi',
  async run(plan) {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-bench-')))
    try {
      const runtime = createNodeRuntime({ root, shell: true })
      const ours = caller(runtime, 'bash', [{ command: 'echo hi' }])
      const { ratio, ...times } = await compare(() => bareProcess('echo hi', root), ours, plan, wall)
      await runtime.dispose()
      return { ...times, spread: ratio, unit: 'x' }
    } finally {
      await rm(root, { recursive: true })
    }
  },
}

/**
 * Commands on a text of 2 MB. Commands that mostly read and write the whole text have no target, because just-bash stores text, while a
 * storage stores bytes.
 */
const TEXT_COMMANDS: readonly (readonly [name: string, command: string, target?: number])[] = [
  ['grep, few lines', 'grep 39999 big.txt'],
  ['grep, many lines', 'grep alpha big.txt > out', 1],
  ['grep, an expression', "grep 'val[a-z]*=4[0-9];' big.txt > out", 1],
  ['sort', 'sort big.txt > out', 1.2],
  ['sort -n', 'sort -n big.txt > out', 1],
  ['uniq', "cut -d';' -f2 big.txt | uniq -c", 1],
  ['sed', 'sed s/alpha/ALPHA/g big.txt > out', 1],
  ['awk', "awk '{s+=$1} END{print s}' big.txt", 1],
  ['wc', 'wc big.txt'],
  ['cut', "cut -d' ' -f2 big.txt > out", 1],
  ['tr', 'tr a-z A-Z < big.txt > out', 1],
  ['head', 'head big.txt'],
  ['tail', 'tail big.txt'],
  ['cat', 'cat big.txt > out'],
]
const textBenches = TEXT_COMMANDS.map(([name, command, target]) => virtualBench(`${name}, 2 MB`, command, target, bigText))

export const shells: readonly Bench[] = [
  virtualBench('echo hi', 'echo hi', 2.5),
  virtualBench('cat | grep | wc', `cat ${ROOT}/pkg07/module-0507.ts | grep value1 | wc -l`),
  virtualBench('loop of 200 turns', 'i=0; while [ $i -lt 200 ]; do i=$((i+1)); done; echo $i'),
  virtualBench('grep -rl, 1,000 files', `grep -rl createNeedle ${ROOT}`),
  virtualBench('find, 10,000 files', `find ${ROOT} -name '*7.ts'`, 1, () => tree(10_000)),
  ...textBenches,
  nodeBench,
]
