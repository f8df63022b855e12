// @module-tag same-bytes
import { createDurableObjectFs } from 'toolport/adapters/cloudflare'
import { describe } from 'vitest'
import { inside } from '../../adapters/durable-object-support.workerd.js'
import { expectSame } from './differential.js'

describe('one script of calls gives the same bytes on every storage in workerd', () => {
  inside('durable object', (storage) => expectSame(createDurableObjectFs({ storage })), 300_000)
})
