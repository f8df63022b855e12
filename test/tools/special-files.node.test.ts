// @module-tag list-glob
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, createWorkspace, fileTools, searchTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { archiveEntries, collectBytes, exportWorkspace, importArchive } from 'toolport/archive'
import { loaf } from 'toolport/presets/loaf'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, benchOver } from './harness.js'

let root: string
let real: Bench

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolport-special-'))
  mkdirSync(join(root, 'd/sub'), { recursive: true })
  writeFileSync(join(root, 'd/a.txt'), 'hit\n')
  for (const name of ['d/p.txt', 'd/sub/.q', 'pipe']) execFileSync('mkfifo', [join(root, name)])
  const workspace = createWorkspace({ fs: createNodeFs({ root }), root: '/workspace' })
  real = benchOver(createRuntime({ workspace, tools: [...fileTools(), ...searchTools()] }))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

describe.skipIf(process.platform === 'win32')('FIFOs, sockets and devices', () => {
  it('are counted by listings and searches that match their name', async () => {
    const { ok, read } = real
    expect(await ok('list_files', { recursive: true, hidden: true })).toMatchObject({ total: 3, skipped: { special: 3 } })
    expect(await ok('list_files', { path: 'd' })).toMatchObject({ total: 2, skipped: { special: 1 } })
    expect(await ok('list_files', { path: 'd/sub', hidden: true })).toMatchObject({ entries: [], total: 0, skipped: { special: 1 } })
    expect(await read('list_files', { path: 'd' })).toContain('[Not listed: 1 FIFOs, sockets or devices]')
    expect(await ok('glob', { pattern: '**/*.txt' })).toMatchObject({ total: 1, skipped: { special: 1 } })
    expect(await ok('glob', { pattern: '**/*.txt', sort: 'newest' })).toMatchObject({ total: 1, skipped: { special: 1 } })
    expect((await ok('glob', { pattern: '**/*.ts' })).skipped).toBeUndefined()
    expect(await ok('glob', { pattern: 'pipe' })).toMatchObject({ paths: [], skipped: { special: 1 } })
    expect(await ok('grep', { pattern: 'hit', output: 'files' })).toMatchObject({
      files: ['/workspace/d/a.txt'],
      skipped: { special: 2 },
    })
    expect(await ok('grep', { pattern: 'hit', glob: '*.txt', output: 'files' })).toMatchObject({ skipped: { special: 1 } })
  })

  it('sockets are counted too', async () => {
    const server = createServer().listen(join(root, 'socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    expect(await real.ok('list_files')).toMatchObject({ total: 1, skipped: { special: 2 } })
    await new Promise((resolve) => server.close(resolve))
  })

  it.each([
    ['read_file', { path: 'pipe' }],
    ['read_file', { path: 'l' }],
    ['write_file', { path: 'pipe', content: 'x' }],
    ['write_file', { path: 'pipe', content: 'x', mode: 'append' }],
    ['edit_file', { path: 'pipe', edits: [{ old_string: 'a', new_string: 'b' }] }],
    ['grep', { path: 'pipe', pattern: 'x' }],
    ['list_files', { path: 'pipe' }],
    ['glob', { path: 'pipe', pattern: '*' }],
    ['apply_patch', { patch: '*** Begin Patch\n*** Update File: pipe\n@@\n-a\n+b\n*** End Patch' }],
    ['apply_patch', { patch: '*** Begin Patch\n*** Add File: pipe\n+b\n*** End Patch' }],
    ['apply_patch', { patch: '*** Begin Patch\n*** Update File: d/a.txt\n*** Move to: pipe\n*** End Patch' }],
    ['move_file', { from: 'd/a.txt', to: 'pipe', overwrite: true }],
    ['move_file', { from: 'pipe', to: 'x' }],
    ['delete_file', { path: 'pipe' }],
  ])('%s rejects one: %j', async (tool, input) => {
    await real.runtime.workspace.symlink('pipe', 'l')
    const { output, error } = await real.fail(tool, input)
    expect(output.code).toBe('ENOTSUP')
    expect(error).toMatch(/"\/workspace\/pipe"(?: to "[^"]*")?: it is a FIFO, a socket or a device/)
    expect(error).not.toMatch(/Cannot (?:stat|resolve) /)
    expect(existsSync(join(root, 'pipe'))).toBe(true)
  })

  it('are moved and removed with their directory', async () => {
    await real.ok('move_file', { from: 'd', to: 'e' })
    expect(existsSync(join(root, 'e/sub/.q'))).toBe(true)
    await real.ok('delete_file', { path: 'e', recursive: true })
    expect(existsSync(join(root, 'e'))).toBe(false)
  })

  it('prevent moving their directory to another storage and copying it', async () => {
    const workspace = createWorkspace({ fs: createNodeFs({ root }), root: '/workspace', mounts: { other: createMemoryFs() } })
    for (const work of [() => workspace.move('d', 'other/d'), () => workspace.copy('d', 'other/d'), () => workspace.copy('d', 'copy')])
      await expect(work()).rejects.toMatchObject({ code: 'ENOTSUP', detail: expect.stringContaining('it is a FIFO') })
    expect(existsSync(join(root, 'd/p.txt')) && existsSync(join(root, 'd/a.txt'))).toBe(true)
    expect(await workspace.exists('other/d')).toBe(false)
    expect(await workspace.exists('copy')).toBe(false)
  })

  it('are reported by an export and ignored by a checkpoint', async () => {
    const { workspace } = real.runtime
    const left: string[] = []
    const names: string[] = []
    for await (const { path } of archiveEntries(workspace, { onLeftOut: (path) => left.push(path) })) names.push(path)
    expect(names).toEqual(['d', 'd/a.txt', 'd/sub'])
    expect(left).toEqual(['/workspace/d/p.txt', '/workspace/d/sub/.q', '/workspace/pipe'])
    const { id } = await workspace.checkpoint()
    await workspace.move('d', 'e')
    await workspace.remove('e', { recursive: true })
    await workspace.restore(id)
    expect(await workspace.files()).toEqual({ 'd/a.txt': 'hit\n' })
    expect(existsSync(join(root, 'pipe'))).toBe(true)
  })

  it('an export omits them and names with a backslash', async () => {
    for (const path of ['d\\e/sub', 'd']) mkdirSync(join(root, path), { recursive: true })
    for (const path of ['d\\e/in', 'd\\e/sub/x\\y', 'd/a\\b']) writeFileSync(join(root, path), '')
    const { workspace } = real.runtime
    const left: string[] = []
    const onLeftOut = (path: string): unknown => left.push(path)
    for (const format of ['tar', 'snapshot'] as const) {
      const bytes = await collectBytes(exportWorkspace(workspace, { format, onLeftOut }))
      const copy = createWorkspace({ fs: createMemoryFs() })
      await importArchive(copy, bytes)
      expect(await copy.files()).toEqual({ 'd/a.txt': 'hit\n' })
    }
    const once = ['/workspace/d/a\\b', '/workspace/d/p.txt', '/workspace/d/sub/.q', '/workspace/d\\e', '/workspace/pipe']
    expect(left.sort()).toEqual([...once, ...once].sort())
  })

  it('are marked in list_files of loaf', async () => {
    writeFileSync(join(root, 'dir\\f.txt'), '')
    const { read } = benchOver(createRuntime({ workspace: real.runtime.workspace, preset: loaf() }))
    expect((await read('list_dir', { dir_path: '/workspace', depth: 3 })).split('\n').slice(1)).toEqual([
      'd/',
      '  a.txt',
      '  p.txt?',
      '  sub/',
      '    .q?',
      'dir\\f.txt?',
      'pipe?',
    ])
  })
})
