// @module-tag directory
import { createNodeFs } from 'toolport/adapters/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createNaiveFs } from '../stress/naive-fs.mjs'
import { createArena } from '../stress/swap-arena.mjs'
import { type Subject, tryToEscape } from '../stress/swap-attempts.mjs'

// The long version, with 50,000 attempts, is `node test/stress/symlink-swap.mjs`.
describe.runIf(process.platform === 'linux')('a thread swaps directories for links that lead outside', () => {
  let arena: ReturnType<typeof createArena>
  beforeEach(async () => {
    arena = createArena()
    await arena.start()
  })
  afterEach(() => arena.dispose())

  it('the race-safe adapter never leaves its root cap:45', async () => {
    const fs = createNodeFs({ root: arena.root })
    const tally = await tryToEscape(fs as Subject, arena, 3000)
    await fs.close()
    expect(fs.can.raceSafe).toBe(true)
    expect(tally).toMatchObject({ attempts: 3000, reads: 0, writes: 0, odd: [] })
    expect(tally.served).toBeGreaterThan(100)
    expect(arena.swaps).toBeGreaterThan(100)
  }, 30_000)

  it('an adapter that only checks paths does leave its root, so the attack works', async () => {
    const tally = await tryToEscape(createNaiveFs(arena.root), arena, 20_000, ({ reads, writes }) => reads > 0 && writes > 0)
    expect(tally.reads).toBeGreaterThan(0)
    expect(tally.writes).toBeGreaterThan(0)
  }, 30_000)
})
