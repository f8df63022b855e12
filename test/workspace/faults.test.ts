// @module-tag paths
import '../shims/buffer-if-missing.js'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, inject, it } from 'vitest'
import { atEveryStep, faultCases } from './fault-cases.js'

describe('a fault at any step leaves the old or the new state', () => {
  it.each(Object.entries(faultCases))('%s', (_, one) => atEveryStep(one, createMemoryFs, inject('isDeep') ? 1 : 9))
})
