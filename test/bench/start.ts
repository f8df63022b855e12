import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Bench } from './bench.js'
import { spreadOf } from './measure.js'

const group = 'start in ms, a new process each time'
const PROCESSES = 7

let measured: Promise<readonly (readonly number[])[]> | undefined

/** One list of times for each process; both rows read from the same ones. */
async function startAll(): Promise<readonly (readonly number[])[]> {
  const child = fileURLToPath(new URL('start-child.js', import.meta.url))
  const times: number[][] = []
  for (let i = 0; i < PROCESSES; i++) {
    const { stdout } = await promisify(execFile)(process.execPath, [child])
    times.push(JSON.parse(stdout) as number[])
  }
  return times
}

function startBench(name: string, pick: (times: readonly number[]) => number): Bench {
  return {
    group,
    name,
    async run() {
      measured ??= startAll()
      return { spread: spreadOf((await measured).map(pick)), unit: 'ms' }
    },
  }
}

export const start: readonly Bench[] = [
  startBench('import toolport and the memory adapter', ([imported = Number.NaN]) => imported),
  startBench('createRuntime and the first read_file', ([, called = Number.NaN]) => called),
]
