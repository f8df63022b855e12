// @module-tag test-kit
import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { describe } from 'vitest'
import { inside } from '../adapters/durable-object-support.workerd.js'
import { cutCases, expectPromises } from './cut-cases.js'

describe('in a Durable Object, a tool that fails at any operation keeps its promise', () => {
  for (const one of cutCases) {
    inside(`${one.tool}: ${one.title}`, async (storage) => {
      let made = 0
      await expectPromises(one, () => createDurableObjectFs({ storage, prefix: `run${made++}` }))
    })
  }
})
