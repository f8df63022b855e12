// @module-tag paths
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createNodeFs } from 'toolport/adapters/node'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { cleanUp, freshRoot, root } from '../adapters/node-fixture.js'
import { atEveryStep, faultCases } from './fault-cases.js'

beforeEach(freshRoot)
afterEach(cleanUp)

let made = 0
function directory(): ReturnType<typeof createNodeFs> {
  const folder = join(root, `${made++}`)
  mkdirSync(folder)
  return createNodeFs({ root: folder })
}

describe('in a directory, a fault at any step leaves the old or the new state', () => {
  it.each(Object.entries(faultCases))('%s', (_, one) => atEveryStep(one, directory))
})
