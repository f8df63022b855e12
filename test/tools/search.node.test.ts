// @module-tag list-glob
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, createWorkspace, searchTools } from 'toolport'
import { createNodeFs } from 'toolport/adapters/node'
import { afterEach } from 'vitest'
import { benchOver } from './harness.js'
import { globCases } from './search-cases.js'

const roots: string[] = []

afterEach(async () => {
  for (const root of roots.splice(0)) await rm(root, { recursive: true, force: true })
})

globCases(async (files = {}) => {
  const root = await mkdtemp(join(tmpdir(), 'toolport-search-'))
  roots.push(root)
  const workspace = createWorkspace({ fs: createNodeFs({ root }), root: '/workspace' })
  for (const [path, content] of Object.entries(files)) {
    await (typeof content === 'string' ? workspace.writeText(path, content) : workspace.writeBytes(path, content))
  }
  return benchOver(createRuntime({ workspace, tools: searchTools() }))
})
