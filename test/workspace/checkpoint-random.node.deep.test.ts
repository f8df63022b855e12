// @module-tag checkpoints
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { cleanUp, freshRoot, nodeFs, root } from '../adapters/node-fixture.js'
import { randomOutside } from './checkpoint-outside.js'
import { randomCheckpoints } from './checkpoint-random.js'

const TIMEOUT = 600_000

beforeEach(freshRoot)
afterEach(cleanUp)

describe('random checkpoints of a directory, with scans and without', () => {
  it('calls, checkpoints and restores, with reopening in between', { timeout: TIMEOUT }, () =>
    randomCheckpoints(
      () => {
        for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true })
        return nodeFs()
      },
      () => nodeFs(),
      100,
    ),
  )

  it('changes by the workspace and by another program', { timeout: TIMEOUT }, () =>
    randomOutside(
      () => root,
      () => nodeFs(),
      300,
    ),
  )
})
