// @module-tag checkpoints
import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { describe, expect } from 'vitest'
import { inside } from '../adapters/durable-object-support.workerd.js'
import { checkpointCases, lastingCases, open } from './checkpoint-cases.js'
import { randomCheckpoints } from './checkpoint-random.js'

describe('checkpoints in a Durable Object', () => {
  for (const [title, run] of Object.entries({ ...checkpointCases, ...lastingCases })) {
    inside(title, (storage) => run({ fs: createDurableObjectFs({ storage }), reopen: () => createDurableObjectFs({ storage }) }))
  }

  inside('the workspace continues after deleteAll()', async (storage) => {
    const workspace = open(createDurableObjectFs({ storage }))
    await workspace.writeText('a', '1')
    await workspace.checkpoint()
    await storage.deleteAll()
    await workspace.writeText('b', '2')
    expect(await workspace.checkpoints()).toEqual([])
    expect(await workspace.checkpoint({ reuse: true })).toMatchObject({ id: 'c2', lost: ['c1'] })
    expect(await workspace.files()).toEqual({ b: '2' })
  })

  inside(
    'random calls, checkpoints, restores and reopenings give the expected files',
    async (storage) => {
      // Each run has its own tables.
      let runs = 0
      const opened = (): ReturnType<typeof createDurableObjectFs> => createDurableObjectFs({ storage, prefix: `run${runs}` })
      await randomCheckpoints(
        () => {
          runs++
          return opened()
        },
        opened,
        25,
      )
    },
    600_000,
  )
})
