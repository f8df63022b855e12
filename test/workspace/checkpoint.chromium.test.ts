// @module-tag checkpoints
import type { FsAdapter } from 'toolport'
import { describe, it } from 'vitest'
import { indexedDbFs, newName } from '../adapters/indexeddb-support.js'
import { checkpointCases, lastingCases } from './checkpoint-cases.js'
import { randomCheckpoints } from './checkpoint-random.js'

describe('checkpoints in IndexedDB', () => {
  for (const [title, run] of Object.entries({ ...checkpointCases, ...lastingCases })) {
    it(title, () => {
      const name = newName()
      return run({ fs: indexedDbFs({ name }), reopen: () => indexedDbFs({ name }) })
    })
  }

  it('random calls, checkpoints and restores with reopening in between', { timeout: 600_000 }, async () => {
    const names = new Map<FsAdapter, string>()
    const opened = (name: string): FsAdapter => {
      const fs = indexedDbFs({ name })
      names.set(fs, name)
      return fs
    }
    const reopen = async (fs: FsAdapter): Promise<FsAdapter> => {
      await fs.close()
      return opened(names.get(fs) as string)
    }
    await randomCheckpoints(() => opened(newName()), reopen, 12)
  })
})
