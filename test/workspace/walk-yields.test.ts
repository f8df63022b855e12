// @module-tag list-glob
import { createWorkspace, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createTestHost } from 'toolport/testing'
import { describe, expect, it } from 'vitest'

const ENTRIES = 50_000

function large(shape: 'flat' | 'deep' | 'wide', below = ''): Workspace {
  const path = (i: number): string => below + (shape === 'flat' ? `f${i}` : shape === 'wide' ? `d${i}/f` : `d${i % 50}/e${i % 500}/f${i}`)
  const count = shape === 'wide' ? ENTRIES / 2 : ENTRIES
  return createWorkspace({ fs: createMemoryFs({ files: Object.fromEntries(Array.from({ length: count }, (_, i) => [path(i), ''])) }) })
}

/** Counts the timers that fire while `body` runs. Does not count messages, because in workerd a loop of messages blocks everything else. */
async function countTurns(body: () => Promise<void>): Promise<number> {
  let turns = 0
  let timer = setTimeout(tick, 0)
  function tick(): void {
    turns++
    timer = setTimeout(tick, 0)
  }
  try {
    await body()
  } finally {
    clearTimeout(timer)
  }
  return turns
}

for (const shape of ['flat', 'deep', 'wide'] as const) {
  describe(`a walk of ${ENTRIES} entries, ${shape}`, () => {
    const workspace = large(shape)

    it('yields to the event loop', async () => {
      let seen = 0
      const turns = await countTurns(async () => {
        for await (const run of workspace.walk('.')) {
          expect(run.length).toBeLessThanOrEqual(2048)
          seen += run.length
        }
      })
      expect(seen).toBeGreaterThanOrEqual(ENTRIES)
      expect(turns).toBeGreaterThanOrEqual(1)
    })

    it('rejects with the abort reason in the middle', async () => {
      const controller = new AbortController()
      let seen = 0
      const walk = async (): Promise<void> => {
        for await (const run of workspace.walk('.', { signal: controller.signal })) {
          seen += run.length
          if (seen > 1000) controller.abort(new Error('enough'))
        }
      }
      await expect(walk()).rejects.toThrow('enough')
      expect(seen).toBeLessThan(ENTRIES / 2)
    })

    it('can be aborted by a timer', async () => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(new Error('in time')), 0)
      const walk = async (): Promise<void> => {
        for (;;) for await (const run of workspace.walk('.', { signal: controller.signal })) expect(run.length).toBeGreaterThan(0)
      }
      await expect(walk()).rejects.toThrow('in time')
    })

    it('rejects at once if it is already aborted', async () => {
      const walk = async (): Promise<void> => {
        for await (const run of workspace.walk('.', { signal: AbortSignal.abort(new Error('too late')) })) expect(run).toEqual([])
      }
      await expect(walk()).rejects.toThrow('too late')
    })
  })
}

it('a copy of a large tree yields to the event loop', async () => {
  // A single call has to yield by itself, according to the amount of its work.
  const workspace = large('deep', 'all/')
  const turns = await countTurns(async () => {
    await workspace.copy('all', 'copy')
  })
  expect(turns).toBeGreaterThanOrEqual(1)
})

it('a walk yields according to the cost of its filter', async () => {
  let pauses = 0
  // The clock stands still, as in runtimes that freeze it.
  const host = { ...createTestHost(), now: () => 0, yield: async () => void pauses++ }
  const fs = createMemoryFs({ files: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, ''])) })
  const workspace = createWorkspace({ fs, host })
  const filter = { start: 0, enter: () => 0, accept: () => true }
  for await (const run of workspace.walk('.', { filter })) expect(run).toHaveLength(100)
  expect(pauses).toBe(0)
  for await (const run of workspace.walk('.', { filter: { ...filter, cost: 20_000 } })) expect(run).toHaveLength(1)
  expect(pauses).toBeGreaterThanOrEqual(100)
})
