// @module-tag paths
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, createWorkspace, type FsAdapter, fileTools, searchTools, toModelText } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolport-spelling-'))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

const storages: [string, () => FsAdapter][] = [
  ['memory', () => createMemoryFs()],
  ['a directory', () => createNodeFs({ root })],
]

it.each(storages)('hints and listings contain no unusable names, in %s', async (_, make) => {
  const fs = make()
  await fs.write('/dir\\f.txt', new TextEncoder().encode('x'))
  const runtime = createRuntime({ workspace: createWorkspace({ fs }), tools: [...fileTools(), ...searchTools()] })
  for (const [name, path] of [
    ['read_file', 'dir⟨U+005C⟩f.txt'],
    ['list_files', 'DIR⟨U+005C⟩F.txt'],
  ] as const) {
    const text = toModelText(await runtime.execute({ name, input: { path } }))
    expect(text).toContain('no such file or directory')
    expect(text).not.toContain('is there')
  }
  expect(await runtime.execute({ name: 'write_file', input: { path: 'dir⟨U+005C⟩f.txt', content: 'y' } })).toMatchObject({ ok: true })
})

const added = ['*** Add File: workspace/a.ts', '+x']
const patch = ['*** Begin Patch', ...added, '*** Delete File: other', '*** End Patch'].join('\n')
const SAID = 'The path repeats the root, which creates the folder "/workspace/workspace": omit "workspace/" to write into "/workspace"'

describe.each(storages)('a path that repeats the root, in %s', (_, make) => {
  it.each<[string, unknown]>([
    ['write_file', { path: 'workspace/a.ts', content: 'x\n' }],
    ['move_file', { from: 'other', to: '/workspace/workspace/a.ts' }],
    ['edit_file', { path: 'workspace/a.ts', edits: [{ old_string: '', new_string: 'x' }] }],
    ['edit_file', { path: 'workspace/a.ts', edits: [{ old_string: '', new_string: 'x' }], dry_run: true }],
    ['apply_patch', { patch }],
    ['apply_patch', { patch, dry_run: true }],
    ['apply_patch', { patch, atomic: false }],
  ])('%s gives a hint when it creates a folder with the root’s name, and only then %#', async (name, input) => {
    const fs = make()
    await fs.write('/other', new TextEncoder().encode('x\n'))
    const run = () => createRuntime({ workspace: createWorkspace({ fs, root: '/workspace' }), tools: fileTools() }).execute({ name, input })
    const first = await run()
    expect(first).toMatchObject({ ok: true, output: { hint: SAID } })
    expect(toModelText(first).split('\n')).toContain(SAID)
    await fs.mkdir('/workspace').catch(() => undefined)
    await fs.unlink('/workspace/a.ts').catch(() => undefined)
    await fs.write('/other', new TextEncoder().encode('x\n'))
    const second = await run()
    expect(second.ok).toBe(true)
    expect(toModelText(second)).not.toContain('repeats the root')
  })

  it('move_file gives this hint for a directory that gets the root’s name, not for a file', async () => {
    const fs = make()
    await fs.mkdir('/src')
    await fs.write('/other', new TextEncoder().encode('x\n'))
    const runtime = createRuntime({ workspace: createWorkspace({ fs, root: '/workspace' }), tools: fileTools() })
    const move = (from: string, to: string) => runtime.execute({ name: 'move_file', input: { from, to } })
    expect(await move('src', 'workspace')).toMatchObject({ ok: true, output: { hint: SAID } })
    expect(await move('workspace', 'src')).toMatchObject({ ok: true })
    expect(await move('other', 'workspace')).toMatchObject({ ok: true, output: expect.not.objectContaining({ hint: expect.anything() }) })
  })

  it('gives no hint for a file of that name, nor for the root /', async () => {
    for (const [path, options] of [
      ['workspace', { root: '/workspace' }],
      ['workspace/a.ts', { root: '/' }],
    ] as const) {
      const runtime = createRuntime({ workspace: createWorkspace({ fs: make(), ...options }), tools: fileTools() })
      const result = await runtime.execute({ name: 'write_file', input: { path, content: '', mode: 'create' } })
      expect(result).toMatchObject({ ok: true, output: expect.not.objectContaining({ hint: expect.anything() }) })
      await runtime.execute({ name: 'delete_file', input: { path } })
    }
  })
})
