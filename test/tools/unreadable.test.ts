// @module-tag read-file
import { createRuntime, type FsAdapter, FsError, searchTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { type Bench, benchOver } from './harness.js'

/** A tree in which one directory, or file of rules, answers with an error when it is looked into. */
function broken(path: string, code: 'EACCES' | 'ENOENT'): Bench {
  const memory = createMemoryFs({ files: { 'a/hit.ts': 'hit', 'b/hit.ts': 'hit', 'c/hit.ts': 'hit', 'b/.gitignore': '*.ts' } })
  const fail = (at: string, op: string): Promise<never> => Promise.reject(new FsError({ code, op, path: at }))
  const fs: FsAdapter = {
    ...memory,
    readdir: (at) => (at === path ? fail(at, 'list') : memory.readdir(at)),
    read: (at, options) => (at === path ? fail(at, 'read') : memory.read(at, options)),
  }
  return benchOver(createRuntime({ fs, tools: searchTools() }))
}

describe.each(['EACCES', 'ENOENT'] as const)('a directory that cannot be listed (%s)', (code) => {
  it('is left out and counted', async () => {
    const { ok, read } = broken('/b', code)
    const found = ['/workspace/a/hit.ts', '/workspace/c/hit.ts']
    expect(await ok('grep', { pattern: 'hit', output: 'files' })).toMatchObject({ files: found, skipped: { unreadable: 1 } })
    expect(await ok('glob', { pattern: '**/*.ts' })).toMatchObject({ paths: found, skipped: { unreadable: 1 } })
    expect(await ok('glob', { pattern: '**/*.ts', sort: 'newest' })).toMatchObject({ skipped: { unreadable: 1 } })
    expect(await ok('list_files', { recursive: true })).toMatchObject({ total: 5, skipped: { unreadable: 1 } })
    expect(await read('list_files', { recursive: true })).toContain('[Not listed: 1 unreadable directories]')
  })

  it('is an error when it is the one that is asked for', async () => {
    const { fail } = broken('/b', code)
    for (const [tool, input] of [
      ['grep', { pattern: 'hit' }],
      ['glob', { pattern: '*' }],
      ['list_files', {}],
    ] as const) {
      expect((await fail(tool, { ...input, path: 'b' })).output).toMatchObject({ code, path: '/workspace/b' })
    }
  })
})

it('rules that cannot be read are none', async () => {
  const { ok } = broken('/b/.gitignore', 'EACCES')
  expect((await ok('glob', { pattern: '**/*.ts' })).paths).toHaveLength(3)
})
