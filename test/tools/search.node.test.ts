// @module-tag list-glob
import { readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, createWorkspace, fileTools, searchTools } from 'toolport'
import { createNodeFs } from 'toolport/adapters/node'
import { afterEach, expect, it } from 'vitest'
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

it.skipIf(process.platform !== 'linux')('names that are not UTF-8 are searched, told apart and removed', async () => {
  const root = await mkdtemp(join(tmpdir(), 'toolport-search-'))
  roots.push(root)
  for (const byte of [0xe9, 0xe8]) writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.of(byte), Buffer.from('.txt')]), 'hit')
  writeFileSync(`${root}/dir\\f.txt`, 'hit')
  const workspace = createWorkspace({ fs: createNodeFs({ root }), root: '/workspace' })
  const { ok } = benchOver(createRuntime({ workspace, tools: [...searchTools(), ...fileTools()] }))
  const found = ['/workspace/caf\uFFFDE8.txt', '/workspace/caf\uFFFDE9.txt']
  expect(await ok('grep', { pattern: 'hit', output: 'files' })).toMatchObject({ files: found, skipped: { names: 1 } })
  expect(await ok('glob', { pattern: '*.txt', sort: 'newest' })).toMatchObject({ total: 2, skipped: { names: 1 } })
  expect((await ok('list_files')).entries.map(({ path }: { path: string }) => path)).toEqual(found)
  for (const path of found) await ok('delete_file', { path })
  expect(readdirSync(root)).toEqual(['dir\\f.txt'])
})
