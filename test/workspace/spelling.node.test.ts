// @module-tag paths
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, createWorkspace, type FsAdapter, fileTools, searchTools, toModelText } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeFs } from 'toolport/adapters/node'
import { afterEach, beforeEach, expect, it } from 'vitest'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolport-spelling-'))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

it.each<[string, () => FsAdapter]>([
  ['memory', () => createMemoryFs()],
  ['a directory', () => createNodeFs({ root })],
])('offers no name that no path can hold, in %s', async (_, make) => {
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
