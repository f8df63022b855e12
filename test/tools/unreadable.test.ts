// @module-tag read-file
import { createRuntime, createWorkspace, type FsAdapter, searchTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type FaultOperation, withFaults } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { type Bench, benchOver } from './harness.js'

/** A tree in which one directory or ignore file cannot be read. */
function broken(path: string, code: 'EACCES' | 'ENOENT'): Bench {
  const fs = createMemoryFs({ files: { 'a/hit.ts': 'hit', 'b/hit.ts': 'hit', 'c/hit.ts': 'hit', 'b/.gitignore': '*.ts' } })
  const when = (operation: FaultOperation): boolean => operation.path === path && /^read(?:dir)?$/.test(operation.method)
  return benchOver(createRuntime({ fs: withFaults(fs, { fault: code, when }), tools: searchTools() }))
}

describe.each(['EACCES', 'ENOENT'] as const)('a directory that cannot be listed (%s)', (code) => {
  it('is skipped and counted', async () => {
    const { ok, read } = broken('/b', code)
    const found = ['/workspace/a/hit.ts', '/workspace/c/hit.ts']
    expect(await ok('grep', { pattern: 'hit', output: 'files' })).toMatchObject({ files: found, skipped: { unreadable: 1 } })
    expect(await ok('glob', { pattern: '**/*.ts' })).toMatchObject({ paths: found, skipped: { unreadable: 1 } })
    expect(await ok('glob', { pattern: '**/*.ts', sort: 'newest' })).toMatchObject({ skipped: { unreadable: 1 } })
    expect(await ok('list_files', { recursive: true })).toMatchObject({ total: 5, skipped: { unreadable: 1 } })
    expect(await read('list_files', { recursive: true })).toContain('[Not listed: 1 unreadable directories]')
  })

  it('is an error if it is the named directory', async () => {
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

it('an unreadable .gitignore is ignored', async () => {
  const { ok } = broken('/b/.gitignore', 'EACCES')
  expect((await ok('glob', { pattern: '**/*.ts' })).paths).toHaveLength(3)
})

describe('an entry with an invalid path', () => {
  const open = async (): Promise<Bench> => {
    const fs = createMemoryFs({ files: { 'a.txt': 'hit', 'z.txt': 'hit' }, now: () => 0 })
    for (const path of ['/dir\\f.txt', '/lib\\d']) {
      await (path.endsWith('d') ? fs.mkdir(path) : fs.write(path, new TextEncoder().encode('hit')))
    }
    await fs.write('/lib\\d/x.txt', new TextEncoder().encode('hit'))
    return benchOver(createRuntime({ fs, tools: searchTools() }))
  }
  const found = ['/workspace/a.txt', '/workspace/z.txt']

  it('is skipped and counted', async () => {
    const { ok, read } = await open()
    expect(await ok('grep', { pattern: 'hit', output: 'files' })).toMatchObject({ files: found, skipped: { names: 2 } })
    for (const sort of ['path', 'newest']) {
      expect(await ok('glob', { pattern: '**/*.txt', sort })).toMatchObject({ paths: found, skipped: { names: 2 } })
    }
    expect(await ok('list_files', { recursive: true })).toMatchObject({ total: 2, skipped: { names: 2 } })
    expect(await read('grep', { pattern: 'hit', output: 'files' })).toContain('[Not searched: 2 with names that are not valid paths]')
  })

  it('does not repeat a page forever', async () => {
    const { ok } = await open()
    const { next } = await ok('list_files', { limit: 1 })
    expect((await ok('list_files', { limit: 1, cursor: next })).entries).toMatchObject([{ path: '/workspace/z.txt' }])
  })
})

it('grep skips files that are replaced by outside links, removed or forbidden meanwhile', async () => {
  const memory = createMemoryFs({ files: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${10 + i}`, 'hit'])) })
  const changes = [
    async (at: string) => {
      await memory.unlink(at)
      await memory.symlink?.('/etc/passwd', at)
    },
    (at: string) => memory.unlink(at),
    async (at: string) => {
      await memory.unlink(at)
      await memory.mkdir(at)
    },
  ]
  let reads = 0
  const fs: FsAdapter = {
    ...memory,
    // Makes grep read ahead, as for a slow storage.
    can: { ...memory.can, persistence: 'durable' },
    read: async (at, options) => {
      const i = reads++
      if (i === 0) for (let k = 1; k < 30; k += 2) await changes[k % 3]?.(`/f${10 + k}`)
      return memory.read(at, options)
    },
  }
  const workspace = createWorkspace({ fs, policy: { paths: [{ paths: 'f20', action: 'ask' }] } })
  const { ok } = benchOver(createRuntime({ workspace, tools: searchTools() }))
  const { files, skipped } = await ok('grep', { pattern: 'hit', output: 'files' })
  expect([files.length + skipped.unreadable, files.length > 10, skipped.unreadable > 10]).toEqual([30, true, true])
})

it('an unreadable parent directory contributes no ignore rules', async () => {
  const memory = createMemoryFs({ files: { 'a/b/f.ts': 'hit', '.gitignore': '*.ts' } })
  const fs = withFaults(memory, { fault: 'EACCES', when: ({ method, path }) => method === 'readdir' && path === '/' })
  const { ok } = benchOver(createRuntime({ fs, tools: searchTools() }))
  expect(await ok('grep', { pattern: 'hit', path: 'a/b', output: 'files' })).toMatchObject({ files: ['/workspace/a/b/f.ts'] })
})

it('a search that ends before its read-ahead leaves no unhandled rejection', async () => {
  const memory = createMemoryFs({ files: { 'a/f': 'x', 'b/f': 'x', 'c/f': 'x', one: 'hit\nhit\n', two: 'hit\n' } })
  const stop = new AbortController()
  const later = async (path: string): Promise<never> => {
    await new Promise((done) => setTimeout(done, 5))
    throw new TypeError(`no answer for ${path}`)
  }
  const fs: FsAdapter = {
    ...memory,
    can: { ...memory.can, persistence: 'durable' },
    readdir: (path) => {
      if (path === '/b') stop.abort()
      return path === '/c' ? later(path) : memory.readdir(path)
    },
    read: (path, options) => (path === '/two' ? later(path) : memory.read(path, options)),
  }
  const runtime = createRuntime({ fs, tools: searchTools() })
  // Vitest fails if a rejection is unhandled.
  expect(await runtime.call('grep', { pattern: 'hit', glob: '/workspace/*', limit: 1 })).toMatchObject({ truncated: true })
  expect(await runtime.execute({ name: 'glob', input: { pattern: '*/f' } }, { signal: stop.signal })).toMatchObject({ ok: false })
  await new Promise((done) => setTimeout(done, 20))
})

it('a search aborted while decoding its read-ahead leaves no unhandled rejection', async () => {
  const long = new TextEncoder().encode('é'.repeat(2_000_000))
  const memory = createMemoryFs({ files: { a: long, b: long, c: long } })
  const stop = new AbortController()
  const durable: FsAdapter = { ...memory, can: { ...memory.can, persistence: 'durable' } }
  const fs = withFaults(durable, { fault: () => stop.abort(), when: ({ method }) => method === 'read' })
  const runtime = createRuntime({ fs, tools: searchTools() })
  expect(await runtime.execute({ name: 'grep', input: { pattern: 'hit' } }, { signal: stop.signal })).toMatchObject({ ok: false })
  await new Promise((done) => setTimeout(done, 20))
})
