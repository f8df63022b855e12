// @module-tag paths
import { createRuntime, fileTools, type Preset, type ToolResult, toModelText } from 'toolport'
import { loaf } from 'toolport/presets/loaf'
import { loom } from 'toolport/presets/loom'
import { loomElixir } from 'toolport/presets/loom-elixir'
import { standard } from 'toolport/presets/standard'
import { zeroclaw } from 'toolport/presets/zeroclaw'
import { createTestRuntime, createTestWorkspace } from 'toolport/testing'
import { describe, expect, it } from 'vitest'

const [NFC, NFD] = ['caf\u00e9', 'cafe\u0301']
const OFFER = '"/workspace/cafe\\u0301/x" exists, the same name in another Unicode form (NFC, NFD)'

const files = { [`${NFD}/x`]: 'x\n', other: 'o\n' }
const path = `${NFC}/x`

describe('a path in another Unicode form', () => {
  it.each<[string, unknown]>([
    ['read_file', { path }],
    ['edit_file', { path, edits: [{ old_string: 'x', new_string: 'y' }] }],
    ['move_file', { from: path, to: 'y' }],
    ['delete_file', { path }],
  ])('another Unicode form in %s is answered with the existing spelling', async (name, input) => {
    const { workspace } = createTestWorkspace({ files })
    const result = await createRuntime({ workspace, tools: fileTools() }).execute({ name, input })
    expect(result.ok).toBe(false)
    expect(toModelText(result)).toContain(OFFER)
    expect(await workspace.files()).toEqual(files)
  })

  it.each<[string, string, () => Preset, string, unknown]>([
    ['standard', 'write_file', standard, 'path', { content: 'y' }],
    ['standard, in a new file of the folder', 'write_file', standard, 'path', { content: 'y', path: `${NFC}/new` }],
    ['standard', 'move_file', standard, 'to', { from: 'other' }],
    [
      'standard',
      'apply_patch',
      standard,
      'patch',
      { patch: `*** Begin Patch\n*** Update File: other\n*** Move to: ${path}\n*** End Patch` },
    ],
    ['standard', 'apply_patch', standard, 'patch', { patch: `diff --git a/other b/${path}\nrename from other\nrename to ${path}\n` }],
    ['standard', 'apply_patch', standard, 'patch', { patch: `diff --git a/other b/${path}\ncopy from other\ncopy to ${path}\n` }],
    ['loaf', 'apply_patch', loaf, 'input', { input: `*** Begin Patch\n*** Update File: other\n*** Move to: ${path}\n*** End Patch` }],
    ['standard', 'edit_file', standard, 'path', { edits: [{ old_string: '', new_string: 'y' }] }],
    ['loom', 'edit_file', loom, 'path', { edits: [{ old_str: '', new_str: 'y' }] }],
    ['loom-elixir', 'file_write', loomElixir, 'file_path', { content: 'y' }],
    ['zeroclaw', 'file_write', () => zeroclaw({ fileTools: true }), 'path', { content: 'y' }],
  ])('does not create a look-alike file, in %s: %s', async (_, name, preset, field, input) => {
    const { workspace } = createTestWorkspace({ files })
    const result: ToolResult = await createRuntime({ workspace, preset: preset() }).execute({
      name,
      input: { [field]: path, ...(input as object) },
    })
    expect(result.ok).toBe(false)
    expect(toModelText(result)).toContain('cafe\\u0301')
    expect(toModelText(result)).not.toContain('overwr')
    expect(await workspace.files()).toEqual(files)
  })

  it('can be written if no look-alike exists, and the suggested path works', async () => {
    const { runtime, workspace } = createTestRuntime({ files, tools: fileTools() })
    expect((await runtime.execute({ name: 'write_file', input: { path: `na\u00efve/${NFC}`, content: '' } })).ok).toBe(true)
    expect(
      (await runtime.execute({ name: 'write_file', input: { path: JSON.parse('"/workspace/cafe\\u0301/x"'), content: 'y' } })).ok,
    ).toBe(true)
    expect(await workspace.files()).toEqual({ [`na\u00efve/${NFC}`]: '', [`${NFD}/x`]: 'y', other: 'o\n' })
  })

  it.each([
    ['move_file', { from: NFD, to: NFC }],
    ['apply_patch', { patch: `*** Begin Patch\n*** Update File: ${NFD}\n*** Move to: ${NFC}\n*** End Patch` }],
  ])('can be the target of %s', async (name, input) => {
    const { workspace } = createTestWorkspace({ files: { [NFD]: 'x' } })
    expect((await createRuntime({ workspace, tools: fileTools() }).execute({ name, input })).ok).toBe(true)
    expect(await workspace.files()).toEqual({ [NFC]: 'x' })
  })
})

it('a name as escaped in listings leads to the file and creates no second one', async () => {
  const { runtime, workspace } = createTestRuntime({ files: { 'new\nline/x': 'x\n' }, tools: fileTools() })
  const offer = '"/workspace/new\\u000aline/x" exists, a name that lists show like this'
  for (const [name, input] of [
    ['read_file', {}],
    ['write_file', { content: 'y' }],
    ['edit_file', { edits: [{ old_string: 'x', new_string: 'y' }] }],
  ] as const) {
    const result = await runtime.execute({ name, input: { path: 'new⟨U+000A⟩line/x', ...input } })
    expect(result.ok).toBe(false)
    expect(toModelText(result)).toContain(offer)
  }
  expect(await workspace.files()).toEqual({ 'new\nline/x': 'x\n' })
})

it.each([
  ['workspace/other', '"/workspace/other" exists, and this path repeats the root'],
  ['/workspace/workspace/d/x', '"/workspace/d/x" exists, and this path repeats the root'],
  ['/workspace/workspace/D/x', '"/workspace/d/x" exists, and this path repeats the root, and names are case-sensitive'],
  ['workspace/none', ': no such file or directory'],
])('a path that repeats the root: %s', async (path, message) => {
  const result = await createTestRuntime({ files: { other: 'o\n', 'd/x': 'x\n' }, tools: fileTools() }).runtime.execute({
    name: 'read_file',
    input: { path },
  })
  expect(toModelText(result)).toContain(message)
})

it('a path that repeats the root with a name in another Unicode form', async () => {
  const { workspace } = createTestWorkspace({ files })
  const result = await createRuntime({ workspace, tools: fileTools() }).execute({ name: 'read_file', input: { path: `workspace/${path}` } })
  expect(toModelText(result)).toContain('"/workspace/cafe\\u0301/x" exists, and this path repeats the root')
})

it('a missing path that repeats the root gets a hint', async () => {
  const { workspace } = createTestWorkspace({ files: { other: 'o\n' } })
  const result = await createRuntime({ workspace, preset: standard() }).execute({ name: 'list_files', input: { path: 'workspace' } })
  expect(toModelText(result)).toContain('"/workspace" exists, and this path repeats the root')
})
