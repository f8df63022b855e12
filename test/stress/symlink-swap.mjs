// node test/stress/symlink-swap.mjs [--attempts 50000] [--strategy race-safe|by-path|naive|all]
//
// A thread swaps directories and files of a root for symlinks that lead outside, as fast as it can, while reads, writes, listings and other
// calls go through the Node adapter. Fails if a race-safe adapter reads or changes anything outside. Also fails if the control does not
// escape, because the attack would then prove nothing. Needs the built package.
import { parseArgs } from 'node:util'
import { createNaiveFs } from './naive-fs.mjs'
import { createArena } from './swap-arena.mjs'
import { tryToEscape } from './swap-attempts.mjs'

const STRATEGIES = ['race-safe', 'by-path', 'naive']
const { values } = parseArgs({ options: { attempts: { type: 'string', default: '50000' }, strategy: { type: 'string', default: 'all' } } })
const attempts = Number(values.attempts)
if (!Number.isSafeInteger(attempts) || attempts < 1) throw new Error(`--attempts must be a count, got "${values.attempts}"`)
if (values.strategy !== 'all' && !STRATEGIES.includes(values.strategy)) throw new Error(`Unknown strategy "${values.strategy}"`)

/** @type {typeof import('../../adapters/node/index.js')} */
const { createNodeFs } = await import(new URL('../../dist/lib/adapters-node.js', import.meta.url).href)

/** @param {string} strategy */
async function run(strategy) {
  const arena = createArena()
  const raceSafe = strategy === 'race-safe' ? 'auto' : false
  const subject = strategy === 'naive' ? createNaiveFs(arena.root) : createNodeFs({ root: arena.root, raceSafe })
  const fs = /** @type {import('./swap-attempts.mjs').Subject} */ (subject)
  await arena.start()
  const began = performance.now()
  try {
    const tally = await tryToEscape(fs, arena, attempts)
    return { ...tally, raceSafe: fs.can.raceSafe, swaps: arena.swaps, ms: Math.round(performance.now() - began) }
  } finally {
    await fs.close()
    await arena.dispose()
  }
}

const columns = ['strategy', 'attempts', 'served', 'swaps', 'outside reads', 'outside writes', 'ms']
console.log(columns.map((name) => name.padEnd(14)).join(' '))
for (const strategy of values.strategy === 'all' ? STRATEGIES : [values.strategy]) {
  const { raceSafe, odd, ...row } = await run(strategy)
  const cells = [strategy, row.attempts, row.served, row.swaps, row.reads, row.writes, row.ms]
  console.log(cells.map((cell) => String(cell).padEnd(14)).join(' '))
  for (const message of odd) console.log(`  unexpected: ${message}`)
  const leaks = row.reads + row.writes
  if (strategy === 'race-safe' && (!raceSafe || leaks > 0)) process.exitCode = 1
  if (strategy === 'naive' && leaks === 0) process.exitCode = 1
}
console.log(process.exitCode ? 'FAILED' : 'The race-safe adapter never left its root.')
