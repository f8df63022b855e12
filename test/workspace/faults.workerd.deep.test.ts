// @module-tag paths
import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { describe } from 'vitest'
import { inside } from '../adapters/durable-object-support.workerd.js'
import { atEveryStep, faultCases } from './fault-cases.js'

describe('in a Durable Object, a fault at any step leaves the old or the new state', () => {
  for (const [title, one] of Object.entries(faultCases)) {
    inside(title, async (storage) => {
      let made = 0
      await atEveryStep(one, () => createDurableObjectFs({ storage, prefix: `run${made++}` }))
    })
  }
})
