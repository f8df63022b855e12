import { readFileSync } from 'node:fs'
import { it } from 'vitest'
import { bombFigures } from './just-bash-bombs-figures.js'
import { figures, idleMemory } from './just-bash-stops-figures.js'
import { shellWorkers } from './node-workers.js'

// Only prints figures: `BENCH=1 npx vitest run --project node test/adapters/just-bash-stops-bench.node.ts`.
const worker = await shellWorkers()

/** CPU time of this thread in milliseconds, where the system (Linux) provides it. */
function busyMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    return performance.now()
  }
}

it('figures of a stopped shell in Node', { timeout: 900_000 }, async () => {
  console.log(await figures('in this thread', false))
  console.log(await figures('in worker threads', worker))
  console.log(await idleMemory(worker, () => process.memoryUsage().rss))
})

it('figures of bombs in Node', { timeout: 3_600_000 }, async () => {
  console.log(await bombFigures('in this thread', false, busyMs))
  console.log(await bombFigures('in worker threads', worker, busyMs))
})
