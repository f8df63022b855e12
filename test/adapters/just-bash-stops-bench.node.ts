import { it } from 'vitest'
import { figures, idleMemory } from './just-bash-stops-figures.js'
import { shellWorkers } from './node-workers.js'

// Prints figures and proves nothing: `BENCH=1 npx vitest run --project node test/adapters/just-bash-stops-bench.node.ts`.
const worker = await shellWorkers()

it('figures of a stopped shell in Node', { timeout: 900_000 }, async () => {
  console.log(await figures('in this thread', false))
  console.log(await figures('in worker threads', worker))
  console.log(await idleMemory(worker, () => process.memoryUsage().rss))
})
