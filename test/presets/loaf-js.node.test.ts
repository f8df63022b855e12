// @module-tag loaf
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createNodeFs } from 'toolport/adapters/node'
import { createLoaf } from 'toolport/presets/loaf'
import { afterEach } from 'vitest'
import { processJs } from '../tools/js-process.js'
import { loafJsCases } from './loaf-js-cases.js'

const roots: string[] = []

afterEach(async () => {
  for (const root of roots.splice(0)) await rm(root, { recursive: true, force: true })
})

loafJsCases('over processes of Node', async (files = {}, jsTools = {}) => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-js-')))
  roots.push(root)
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), content)
  }
  return createLoaf({ fs: createNodeFs({ root }), js: processJs(root), jsTools })
})
