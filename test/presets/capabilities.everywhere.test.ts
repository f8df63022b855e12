// @module-tag standard
import { createRuntime, type Preset, toModelText } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { loaf } from 'toolport/presets/loaf'
import { loom } from 'toolport/presets/loom'
import { loomElixir } from 'toolport/presets/loom-elixir'
import { standard } from 'toolport/presets/standard'
import { zeroclaw } from 'toolport/presets/zeroclaw'
import { describe, expect, it } from 'vitest'

const BASE = 'http://127.0.0.1:8787'

/** Every preset with the names of all its tools. The names must not change, because prompts and transcripts contain them. */
const PRESETS: readonly (readonly [string, () => Preset, string])[] = [
  [
    'standard',
    () => standard({ webSearch: { provider: 'exa', baseUrl: BASE } }),
    'apply_patch bash bundle create_persistent_tool delete_file diff_checkpoint edit_file glob grep install_js_packages list_background_bash list_background_js list_checkpoints list_files move_file open_preview read_background_bash read_background_js read_file read_preview resize_background_bash restore_checkpoint run_js run_js_module start_background_js stop_background_bash stop_background_js web_search write_background_bash write_background_js write_file',
  ],
  ['loom', () => loom({ webSearch: { baseUrl: BASE } }), 'bash edit_file list_files oracle read_file web_search web_search_serper'],
  [
    'loaf',
    () => loaf({ exa: { url: `${BASE}/proxy/exa`, headers: {} } }),
    'apply_patch bash grep_files install_js_packages list_background_bash list_background_js list_dir read_background_bash read_background_js read_file resize_background_bash run_js run_js_module search_web start_background_js stop_background_bash stop_background_js write_background_bash write_background_js',
  ],
  ['loom-elixir', loomElixir, 'file_edit file_read file_write'],
  ['zeroclaw', () => zeroclaw(), 'file_read memory_recall shell'],
]

/** Preset, file tool, and the tool's input for a path. */
const FILE_TOOLS: readonly (readonly [() => Preset, string, (path: string) => Record<string, unknown>])[] = [
  [loom, 'read_file', (path) => ({ path })],
  [loom, 'list_files', (path) => ({ path })],
  [loom, 'edit_file', (path) => ({ path, edits: [{ old_str: '', new_str: 'x' }] })],
  [loaf, 'read_file', (file_path) => ({ file_path })],
  [loaf, 'list_dir', (dir_path) => ({ dir_path })],
  [loaf, 'grep_files', (path) => ({ path, pattern: 'x' })],
  [loaf, 'apply_patch', (path) => ({ input: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch` })],
  [loomElixir, 'file_read', (file_path) => ({ file_path })],
  [loomElixir, 'file_write', (file_path) => ({ file_path, content: 'x' })],
  [loomElixir, 'file_edit', (file_path) => ({ file_path, old_string: 'x', new_string: 'y' })],
  [zeroclaw, 'file_read', (path) => ({ path })],
]

describe('every preset', () => {
  it.each(PRESETS)('%s has these tools, with lower-case names that every provider accepts cap:112 cap:17', (name, make, names) => {
    const preset = make()
    expect(preset.name).toBe(name)
    expect(preset.tools.map((tool) => tool.name).sort()).toEqual(names.split(' '))
    for (const tool of preset.tools) expect(tool.name).toMatch(/^[a-z][a-z0-9_]{0,63}$/)
    const runtime = createRuntime({ fs: createMemoryFs(), preset })
    for (const entry of runtime.getModelManifest()) expect(entry.alias).toBe(entry.name)
  })

  it.each(PRESETS)('%s marks each tool that changes something as destructive, except resizing a terminal', (_, make) => {
    for (const { name, annotations } of make().tools) {
      if (!annotations?.readOnlyHint) expect(annotations?.destructiveHint, name).toBe(!name.startsWith('resize_'))
    }
  })

  it.each(PRESETS)('%s describes each tool and its input for a model cap:2', (_, make) => {
    for (const { description, inputSchema } of createRuntime({ fs: createMemoryFs(), preset: make() }).getModelManifest()) {
      expect(description.length).toBeGreaterThan(10)
      expect(inputSchema.type).toBe('object')
      expect(Object.keys(inputSchema.properties as object).length).toBeGreaterThan(0)
    }
  })

  it.each(PRESETS)('%s answers any call, and its result format is JSON cap:110 cap:20', async (_, make) => {
    const runtime = createRuntime({ fs: createMemoryFs(), preset: make() })
    const inputs = [undefined, null, 5, 'text', [], {}, { path: 5 }, { file_path: null }, { command: '' }, { __proto__: null }]
    for (const name of ['', 'nope', 'constructor', ...make().tools.map((tool) => tool.name)]) {
      for (const input of inputs) {
        const call = { name, input }
        const result = await runtime.execute(call)
        const wire = runtime.toWire(result, call)
        expect(JSON.parse(JSON.stringify(wire))).toEqual(wire)
        if (!result.ok) expect(toModelText(result)).toMatch(/^Error: ./)
      }
    }
  })
})

it.each(FILE_TOOLS)('file tools of presets reject paths outside the workspace cap:43 cap:44 cap:103 (%#)', async (make, name, input) => {
  const fs = createMemoryFs({ files: { a: 'x' } })
  const runtime = createRuntime({ fs, root: '/workspace', preset: make() })
  for (const path of ['../a', '/etc/passwd', '/workspace/../a', 'b/../../a', '/workspace2/a', 'a\0', '..\\a', 'C:\\a', 'file:///a']) {
    const result = await runtime.execute({ name, input: input(path) })
    expect(result.ok, path).toBe(false)
  }
  expect(await runtime.workspace.files()).toEqual({ a: 'x' })
})
