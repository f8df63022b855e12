// @module-tag list-glob
import { readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, createWorkspace, fileTools, type Limits, searchTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { afterEach, expect, it } from 'vitest'
import { largeAnswerCases } from './grep-cases.js'
import { type Bench, benchOver } from './harness.js'
import { globCases } from './search-cases.js'

const roots: string[] = []

afterEach(async () => {
  for (const root of roots.splice(0)) await rm(root, { recursive: true, force: true })
})

const open = async (files: Readonly<Record<string, string | Uint8Array>> = {}, limits: Partial<Limits> = {}): Promise<Bench> => {
  const root = await mkdtemp(join(tmpdir(), 'toolport-search-'))
  roots.push(root)
  const workspace = createWorkspace({ fs: createNodeFs({ root }), root: '/workspace' })
  for (const [path, content] of Object.entries(files)) {
    await (typeof content === 'string' ? workspace.writeText(path, content) : workspace.writeBytes(path, content))
  }
  return benchOver(createRuntime({ workspace, tools: searchTools(), limits }))
}

globCases(open)
largeAnswerCases(open)

it.skipIf(process.platform !== 'linux')('names that are not UTF-8 can be searched, distinguished and removed', async () => {
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

const LARGE: Record<string, string> = {
  'huge/none.txt': 'filler é\n'.repeat(300_000),
  'huge/end.txt': `${'filler\n'.repeat(300_000)}needle\n`,
  // The match is at the border between two parts that are searched separately.
  'huge/border.txt': `${'filler.\n'.repeat(131_072).slice(0, -3)}needle\n${'filler\n'.repeat(100_000)}`,
  'huge/nul.txt': `${'filler\n'.repeat(300_000)}\0`,
  'huge/line.txt': `${'x'.repeat(5 * 2 ** 20)}\n`,
}

it.each([
  [100, {}],
  [2 ** 20, LARGE],
  [2 ** 23, LARGE],
] as const)('grep finds in a directory what it finds in memory, with %i bytes at once', async (grepFileBytes, large) => {
  const root = await mkdtemp(join(tmpdir(), 'toolport-search-'))
  roots.push(root)
  const files: Record<string, string | Uint8Array> = {
    ...large,
    'a/bom.txt': '\uFEFFneedle at once\n',
    'a/crlf.txt': 'one\r\nneedle\r\ntwo\r\n',
    'a/late-nul.txt': `${'x'.repeat(5000)}\n needle\n\0`,
    'a/latin.txt': Uint8Array.of(0x63, 0xe9, 0x20, 0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65),
    'b/large.txt': `${'filler\n'.repeat(20_000)}needle\n`,
    'b/none.txt': 'nothing\n',
    'b/long-line.txt': `${'x'.repeat(3000)}\n`,
    'b/needle.txt': 'NEEDLE Needle nEEdle\n',
    'b/c/deep.txt': 'pi: π needle π\n',
    'empty.txt': '',
    'z.txt': 'first\nneedle',
  }
  const onDirectory = createWorkspace({ fs: createNodeFs({ root }), root: '/workspace' })
  for (const [path, content] of Object.entries(files)) {
    await (typeof content === 'string' ? onDirectory.writeText(path, content) : onDirectory.writeBytes(path, content))
  }
  const { ok } = benchOver(createRuntime({ workspace: onDirectory, tools: searchTools(), limits: { grepFileBytes } }))
  const memory = benchOver(createRuntime({ fs: createMemoryFs({ files }), tools: searchTools(), limits: { grepFileBytes } }))
  for (const input of [
    { pattern: 'needle' },
    { pattern: 'needle', output: 'count' },
    { pattern: 'needle', limit: 2 },
    { pattern: 'needle', ignore_case: true, output: 'files' },
    { pattern: 'n\\w+dle$' },
    { pattern: 'needle [a-zπ]' },
    { pattern: '\uFFFD needle' },
    { pattern: 'one\\nneedle\\ntwo', multiline: true },
    { pattern: 'needle\\r', multiline: true },
    { pattern: '^needle', glob: 'a/**' },
    { pattern: 'no such thing' },
    ...Object.keys(large).map((path) => ({ pattern: 'needle', path })),
  ]) {
    const found = await ok('grep', input)
    expect(found, JSON.stringify(input)).toEqual(await memory.ok('grep', input))
    if (!found.next) continue
    const next = { ...input, cursor: found.next }
    expect(await ok('grep', next)).toEqual(await memory.ok('grep', next))
  }
})

it('grep and list_files reveal nothing that path rules deny', async () => {
  const root = await mkdtemp(join(tmpdir(), 'toolport-search-'))
  roots.push(root)
  for (const name of ['open.txt', 'secret.txt']) writeFileSync(join(root, name), 'needle')
  const workspace = createWorkspace({
    fs: createNodeFs({ root }),
    root: '/workspace',
    policy: { paths: [{ paths: '**/secret.txt', action: 'deny' }] },
  })
  const { ok } = benchOver(createRuntime({ workspace, tools: searchTools() }))
  expect(await ok('grep', { pattern: 'needle', output: 'files' })).toMatchObject({
    files: ['/workspace/open.txt'],
    skipped: { unreadable: 1 },
  })
  const { entries } = await ok('list_files')
  expect(entries).toContainEqual({ path: '/workspace/open.txt', kind: 'file', size: 6 })
  expect(entries).not.toContainEqual(expect.objectContaining({ path: '/workspace/secret.txt', size: 6 }))
})
