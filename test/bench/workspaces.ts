import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Bench } from './bench.js'
import { spreadOf } from './measure.js'
import type { Row } from './table.js'

const group = '10,000 workspaces with the standard tools, a new process each time'
const PROCESSES = 5

let measured: Promise<readonly (readonly number[])[]> | undefined

/** One list of figures per process. All rows use the same processes. */
async function runAll(): Promise<readonly (readonly number[])[]> {
  const child = fileURLToPath(new URL('workspaces-child.js', import.meta.url))
  const figures: number[][] = []
  for (let i = 0; i < PROCESSES; i++) {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', child])
    figures.push(JSON.parse(stdout) as number[])
  }
  return figures
}

function bench(name: string, at: number, unit: Row['unit'], target: number): Bench {
  return {
    group,
    name,
    async run() {
      measured ??= runAll()
      return { spread: spreadOf((await measured).map((figures) => figures[at] ?? Number.NaN)), unit, target }
    },
  }
}

export const workspaces: readonly Bench[] = [
  bench('memory for each further workspace', 0, 'KiB', 15),
  bench('time for all', 1, 'ms', 1000),
  bench('resident memory of the process', 2, 'MiB', 300),
]
