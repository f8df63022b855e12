// @module-tag checkpoints
import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { describe } from 'vitest'
import { inside } from '../adapters/durable-object-support.workerd.js'
import { checkpointCases, lastingCases } from './checkpoint-cases.js'
import { randomCheckpoints } from './checkpoint-random.js'

describe('checkpoints in a Durable Object', () => {
  for (const [title, run] of Object.entries({ ...checkpointCases, ...lastingCases })) {
    inside(title, (storage) => run({ fs: createDurableObjectFs({ storage }), reopen: () => createDurableObjectFs({ storage }) }))
  }

  inside(
    'random calls, checkpoints and restores, opened again in between',
    async (storage) => {
      // Each run in tables of its own.
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
