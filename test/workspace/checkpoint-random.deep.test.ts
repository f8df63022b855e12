// @module-tag checkpoints
import type { FsAdapter } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, it } from 'vitest'
import { randomCheckpoints } from './checkpoint-random.js'
import { withoutMethods } from './slow-fs.js'

const TIMEOUT = 240_000
const anew = (fs: FsAdapter): FsAdapter => ({ ...fs })

describe('random calls, checkpoints and restores', () => {
  it('checkpoints that the storage makes', { timeout: TIMEOUT }, () => randomCheckpoints(createMemoryFs, (fs) => fs, 150))

  it('checkpoints in a journal that is reopened in between', { timeout: TIMEOUT }, () =>
    randomCheckpoints(() => withoutMethods(createMemoryFs(), 'checkpoint'), anew, 150),
  )

  it('checkpoints in a journal on a storage with only the required methods', { timeout: TIMEOUT }, () => {
    const least = (): FsAdapter => {
      const fs = withoutMethods(createMemoryFs(), 'checkpoint', 'append', 'copy', 'rmTree', 'usage', 'symlink', 'readlink', 'setMeta')
      return { ...fs, can: { ...fs.can, mode: false, atomicReplace: false, durableOnAck: false } }
    }
    return randomCheckpoints(least, anew, 100)
  })
})
