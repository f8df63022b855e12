// @module-tag test-kit
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { cleanUp, freshRoot, root } from '../adapters/node-fixture.js'
import { cutCases, expectPromises } from './cut-cases.js'

beforeEach(freshRoot)
afterEach(cleanUp)

let made = 0
function directory(): ReturnType<typeof createNodeFs> {
  const folder = join(root, `${made++}`)
  mkdirSync(folder)
  return createNodeFs({ root: folder })
}

describe('a tool that fails at any operation keeps its promise', () => {
  it.each(cutCases)('in memory, $tool: $title', (one) => expectPromises(one, () => createMemoryFs()))
  it.each(cutCases)('in a directory, $tool: $title', (one) => expectPromises(one, directory))
})
