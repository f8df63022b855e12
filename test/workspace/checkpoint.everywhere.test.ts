// @module-tag checkpoints
import type { FsAdapter } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, it } from 'vitest'
import { checkpointCases, lastingCases } from './checkpoint-cases.js'
import { withoutMethods } from './slow-fs.js'

describe('checkpoints that the storage makes', () => {
  for (const [title, run] of Object.entries(checkpointCases)) it(title, () => run({ fs: createMemoryFs() }))
})

describe('checkpoints in a journal', () => {
  const journaled = (): FsAdapter => withoutMethods(createMemoryFs(), 'checkpoint')
  for (const [title, run] of Object.entries(checkpointCases)) it(title, () => run({ fs: journaled() }))
  // A new adapter object counts as opening the storage again.
  for (const [title, run] of Object.entries(lastingCases)) {
    it(title, () => {
      const fs = withoutMethods(createMemoryFs(), 'checkpoint')
      return run({ fs: { ...fs, close: async () => undefined }, reopen: () => ({ ...fs, close: async () => undefined }) })
    })
  }
  for (const [title, run] of Object.entries(checkpointCases)) {
    it(`on a storage with only the required methods: ${title}`, () =>
      run({ fs: withoutMethods(createMemoryFs(), 'checkpoint', 'append', 'copy', 'rmTree', 'usage', 'symlink', 'readlink', 'setMeta') }))
  }
})
