// @module-tag test-kit
import { createIndexedDbFs } from 'toolport/adapters/indexeddb'
import { describe, it } from 'vitest'
import { cutCases, expectPromises } from './cut-cases.js'

describe('on IndexedDB, a tool that fails at any operation keeps its promise', () => {
  it.each(cutCases)('$tool: $title', (one) => expectPromises(one, () => createIndexedDbFs({ name: `cut-${crypto.randomUUID()}` })))
})
