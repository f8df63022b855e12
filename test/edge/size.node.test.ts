// @module-tag edge
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { bundleEdge } from '../../scripts/edge.mjs'

it('the compressed worker with its engine is smaller than 3 MB', async () => {
  const modules = await bundleEdge()
  expect(modules.map(({ type }) => type)).toEqual(['ESModule', 'CompiledWasm'])
  const bytes = modules.reduce((sum, { contents = '' }) => sum + gzipSync(contents).length, 0)
  console.log(`edge worker: ${(bytes / 1e6).toFixed(2)} MB compressed`)
  expect(bytes).toBeLessThan(3e6)
})
