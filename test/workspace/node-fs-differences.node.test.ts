// @module-tag facades
import { createWorkspace, toNodeFs } from 'toolport'
import { createNodeFs } from 'toolport/adapters/node'
import { expect, it } from 'vitest'
import { differences, type Promises, page } from './node-fs-differences.js'

it('toNodeFs differs from fs.promises only as docs/node-fs.md says', async () => {
  const found = await differences((root) => toNodeFs(createWorkspace({ fs: createNodeFs({ root }), root })).promises as unknown as Promises)
  expect(found.filter(({ why }) => why === undefined)).toEqual([])
  // Some answers differ between versions of Node.
  if (process.versions.node.startsWith('20.')) await expect(page(found)).toMatchFileSnapshot('../../docs/node-fs.md')
})
