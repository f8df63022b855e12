// @module-tag test-kit
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, it } from 'vitest'
import { cutCases, expectPromises } from './cut-cases.js'

describe('in memory, a tool that fails at an operation keeps its promise', () => {
  it.each(cutCases)('$tool: $title', (one) => expectPromises(one, () => createMemoryFs(), 3))
})
