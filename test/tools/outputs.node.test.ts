// @module-tag runtime
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import {
  type AnyTool,
  createRuntime,
  createWorkspace,
  customTools,
  type FsAdapter,
  FsError,
  fileTools,
  type JsonSchema,
  jsTools,
  metaTools,
  previewTools,
  searchTools,
  shellTools,
  type ToolCall,
  type ToolResult,
  ToolRuntime,
  webTools,
} from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createNodeJs } from 'toolport/adapters/node'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createBundler } from 'toolport/bundle'
import { createNodeRuntime } from 'toolport/node'
import { createTestHost } from 'toolport/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFetch } from '../../adapters/fetch/index.js'
import { OUTPUTS } from '../../src/tools/outputs/index.js'
import * as previewOutputs from '../../src/tools/outputs/preview.js'
import { madeRegistry, REGISTRY } from '../packages/install-support.js'
import { SCRIPT } from '../storages/differential/differential.js'
import { runScript } from '../storages/differential/run.js'
import { type Bench, benchOver } from './harness.js'
import { realShellBenches } from './real-shell.js'
import { type ShellBenchOptions, shellBenchTools, virtualBench } from './shell-bench.js'

// This test runs in Node only: Ajv generates code from text, which workerd forbids.

type SchemaName = keyof typeof OUTPUTS | keyof typeof previewOutputs
const NAMES = new Map<unknown, SchemaName>(
  Object.entries({ ...OUTPUTS, ...previewOutputs }).map(([name, schema]) => [schema, name as SchemaName]),
)

const record = (value: unknown): JsonSchema | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined

/** The same schema, but additional properties are invalid. */
function closed(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema
  const named = record(properties)
  return {
    ...schema,
    ...(record(items) && { items: closed(record(items) ?? {}) }),
    ...(named && {
      properties: Object.fromEntries(Object.entries(named).map(([name, property]) => [name, closed(record(property) ?? {})])),
      additionalProperties: false,
    }),
  }
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
const checks = new Map<SchemaName, ValidateFunction>(
  [...NAMES].map(([schema, name]) => [name, ajv.compile(closed(structuredClone(schema) as JsonSchema))]),
)

const placesOf = (schema: JsonSchema | undefined, at: string): string[] => {
  if (!schema) return []
  const inner = Object.entries(record(schema.properties) ?? {}).flatMap(([name, property]) => {
    const place = at === '' ? name : `${at}.${name}`
    return [place, ...placesOf(record(property), place)]
  })
  return [...inner, ...placesOf(record(schema.items), `${at}[]`)]
}

const seen = new Map<SchemaName, Set<string>>()

function note(name: SchemaName, value: unknown, at: string): void {
  if (Array.isArray(value)) for (const item of value) note(name, item, `${at}[]`)
  const fields = record(value)
  for (const [field, inner] of Object.entries(fields ?? {})) {
    const place = at === '' ? field : `${at}.${field}`
    seen.get(name)?.add(place)
    note(name, inner, place)
  }
}

/** Validates a tool's output if the tool has one of our output schemas. */
async function look(runtime: ToolRuntime, { name }: ToolCall, result: ToolResult): Promise<void> {
  const load = runtime.registry.find(name)?.tool.outputSchema
  if (!result.ok || typeof load !== 'function') return
  const schema = NAMES.get(await (load as () => Promise<unknown>)())
  if (schema === undefined) return
  const check = checks.get(schema)
  expect({ name, output: result.output, problems: check?.(result.output) ? [] : check?.errors }).toMatchObject({ problems: [] })
  if (!seen.has(schema)) seen.set(schema, new Set())
  note(schema, JSON.parse(JSON.stringify(result.output)), '')
}

const { execute } = ToolRuntime.prototype
beforeAll(() => {
  ToolRuntime.prototype.execute = async function (call, context) {
    const result = await execute.call(this, call, context)
    await look(this, call, result)
    return result
  }
})
afterAll(() => {
  ToolRuntime.prototype.execute = execute
})

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0)

/** The tools for files, search and checkpoints, in memory. */
const open = (files: Readonly<Record<string, string | Uint8Array>>): Bench =>
  benchOver(createRuntime({ fs: createMemoryFs({ files }), tools: [...fileTools(), ...searchTools(), ...metaTools()] }))

/** Field that no call below returns -> reason. */
const UNSEEN: Readonly<Record<string, string>> = {
  'list_checkpoints.checkpoints[].lost': 'needs somebody who removes them: test/tools/checkpoint-tools.everywhere.test.ts',
  ...Object.fromEntries(
    ['events', 'loaded', 'missed', 'next', 'note', 'outline', 'picture', 'text', 'title', 'url'].map((field) => [
      `preview.${field}`,
      'needs a page: test/preview/tools.chromium.test.ts',
    ]),
  ),
  'restore_checkpoint.left': 'needs what .gitignore leaves out of checkpoints: test/workspace/checkpoint.node.test.ts',
  'install_js_packages.package_manager': 'a package manager of the machine: test/adapters/node-package-manager.node.test.ts',
}

const nodeBench = realShellBenches((ports, options: ShellBenchOptions = {}) =>
  benchOver(createRuntime({ ...options, ...ports, tools: shellBenchTools() })),
)

describe('output schemas match the output', () => {
  it('the script that all storages run', async () => {
    const ran = await runScript(createMemoryFs(), SCRIPT)
    expect(ran.flatMap(({ answers }) => answers).length).toBeGreaterThan(500)
  })

  it('the file tools', async () => {
    const { ok, runtime } = open({ 'f.txt': 'one\r\ntwo\r\n', 'mixed.txt': 'a\r\nb\n', 'g.txt': 'g\n', 'pic.png': PNG })
    await ok('read_file', { path: 'pic.png' })
    await ok('write_file', { path: 'mixed.txt', content: 'a\n' })
    await ok('read_file', { path: 'f.txt', limit: 1 })
    await ok('read_file', { path: 'f.txt', byte_offset: 1, max_bytes: 2 })
    await ok('read_file', { path: 'f.txt', byte_offset: 1, encoding: 'base64' })
    await ok('write_file', { path: 'new/n.txt', content: 'n\n' })
    await ok('write_file', { path: 'new/latin.txt', content: '6Q==', encoding: 'base64' })
    await ok('write_file', { path: 'new/latin.txt', content: 'é' })
    await ok('edit_file', { path: 'f.txt', edits: [{ old_string: 'one ', new_string: '1' }], dry_run: true })
    const patch = '*** Begin Patch\n*** Update File: g.txt\n@@\n-g  \n+G\n*** Add File: f.txt\n+f\n*** End Patch\n'
    await ok('apply_patch', { patch, dry_run: true })
    await ok('apply_patch', { patch: 'diff --git a/g.txt b/h.txt\nrename from g.txt\nrename to h.txt\n' })
    await ok('move_file', { from: 'h.txt', to: 'f.txt', overwrite: true })
    await ok('apply_patch', {
      patch: patch.replace('g.txt', 'new/n.txt').replace('-g  \n+G', '-n\n+N').replace('File: f', 'File: workspace/f'),
      dry_run: true,
    })
    for (const [name, input] of [
      ['move_file', { from: 'f.txt', to: 'workspace/f.txt' }],
      ['write_file', { path: 'workspace/f.txt', content: 'f\n' }],
      ['edit_file', { path: 'workspace/f.txt', edits: [{ old_string: '', new_string: 'f\n' }] }],
    ] as const) {
      await ok(name, input)
      await ok('delete_file', { path: 'workspace', recursive: true })
    }
    await ok('delete_file', { path: 'new', recursive: true })
    await ok('list_files', { recursive: true, limit: 1 })
    await ok('glob', { pattern: '*', limit: 1 })
    await runtime.workspace.writeText('many.txt', 'hit\n'.repeat(9))
    await ok('grep', { pattern: 'hit', before: 1, after: 1, limit: 2 })
    await ok('grep', { pattern: 'hit', output: 'files' })
    await ok('grep', { pattern: 'hit', output: 'count' })
  })

  it('searches that leave something out or are aborted', async () => {
    const memory = createMemoryFs({
      files: {
        'bin/x': Uint8Array.of(0, 1),
        'huge.txt': `${'x'.repeat(2_000_000)}\n`.repeat(2),
        'large.txt': 'x'.repeat(9_000_000),
        'shut/f': 'x\n',
        'z.txt': 'x\n',
      },
    })
    const denied = new FsError({ code: 'EACCES', op: 'list', path: '/shut' })
    const stop = new AbortController()
    const fs: FsAdapter = {
      ...memory,
      async readdir(path) {
        if (path === '/shut') throw denied
        return [...(await memory.readdir(path)), ...(path === '/' ? [{ name: 'pipe', kind: 'other' as const }] : [])]
      },
      read: (path, options) => {
        if (path === '/stop') stop.abort()
        return memory.read(path, options)
      },
    }
    const runtime = createRuntime({ fs, tools: searchTools() })
    const { ok } = benchOver(runtime)
    await ok('list_files', { recursive: true, details: true })
    await ok('glob', { pattern: '**/*' })
    await memory.mkdir('/left')
    for (const path of ['/left/.hidden', '/left/out', '/left/a\\b']) await memory.write(path, new Uint8Array())
    await memory.write('/left/.gitignore', new TextEncoder().encode('out'))
    await memory.symlink?.('../bin', '/left/link')
    await memory.symlink?.('nowhere', '/left/dead')
    await ok('list_files', { path: 'left', hidden: false, limit: 1 })
    await ok('glob', { pattern: '*', path: 'left' })
    await ok('grep', { pattern: 'x', path: 'left' })
    await ok('glob', { pattern: 'left' })
    await ok('grep', { pattern: 'x', glob: 'left' })
    await ok('glob', { pattern: '~/x' })
    await ok('grep', { pattern: 'x', glob: '~/x' })
    await memory.unlink('/left/link')
    await memory.unlink('/left/dead')
    await ok('list_files', { path: 'left', hidden: false })
    await ok('grep', { pattern: '(x|y)+z?' })
    await ok('grep', { pattern: '\\Ax+(y|z)', multiline: true, path: 'large.txt' })
    await runtime.workspace.writeText('lines.txt', 'x\n'.repeat(600_000))
    await ok('grep', { pattern: '(x|y)[^z]+(z|w)', multiline: true, path: 'lines.txt' })
    await runtime.workspace.remove('lines.txt')
    for (let i = 0; i < 500; i++) await runtime.workspace.writeText(`t/${i}`, 'x\n')
    await runtime.workspace.writeText('stop', 'x\n')
    await runtime.call('grep', { pattern: 'x' }, { signal: stop.signal })
  })

  it('the bash tool', async () => {
    const { ok } = virtualBench({ 'sub/f.txt': '' })
    await ok('bash', { command: 'cd sub; echo hi' })
    await ok('delete_file', { path: 'sub', recursive: true })
    await ok('bash', { command: 'pwd' })
    const { session_id } = await ok('bash', { command: 'cat', run_in_background: true, session_name: 'a', env: { A: '1' } })
    await ok('bash', { command: 'cat', run_in_background: true, session_name: 'a' })
    await ok('write_background_bash', { session_id, input: 'hi' })
    await ok('list_background_bash', {})
    await ok('read_background_bash', { session_id, wait_ms: 1 })
    await ok('stop_background_bash', { session_id })
  })

  it('JavaScript programs, packages and custom tools', async () => {
    const { fetch } = await madeRegistry([
      { name: 'one', version: '1.0.0', scripts: { postinstall: 'x' }, hasInstallScript: true, files: { 'index.js': '' } },
    ])
    const runtime = createRuntime({
      fs: createMemoryFs({ files: { 'm.mjs': 'export default 1' } }),
      js: createQuickJs({}),
      fetch,
      limits: { deadlineMs: 20_000 },
      tools: [...fileTools(), ...jsTools({ registry: REGISTRY }), ...customTools()],
    })
    const { ok } = benchOver(runtime)
    await ok('run_js', { code: 'export default { n: 1 }', timeout_ms: 60_000 })
    await runtime.call('run_js', { code: 'for (;;) {}', timeout_ms: 60_000 }, { deadlineMs: 2000 })
    await ok('run_js_module', { module: 'm.mjs' })
    await ok('install_js_packages', { packages: ['one'] })
    const forever = { code: 'await new Promise(() => setTimeout(() => {}, 60000))', session_name: 'a' }
    const { session_id } = await ok('start_background_js', forever)
    await ok('start_background_js', forever)
    await ok('list_background_js', {})
    await ok('read_background_js', { session_id })
    await ok('write_background_js', { session_id, input: 'x' })
    await ok('stop_background_js', { session_id, force: true })
    await ok('create_persistent_tool', { name: 'greet', description: 'Greets.', handler_code: 'return 1' })
    await runtime.dispose()
  })

  it('the checkpoint tools', async () => {
    const { ok, runtime } = open({ 'a.txt': 'a\n', 'b.txt': 'b\n', link: 'x' })
    const { workspace } = runtime
    await workspace.checkpoint({ label: 'before' })
    await ok('write_file', { path: 'a.txt', content: 'A\n' })
    await ok('write_file', { path: 'c.txt', content: 'c\n' })
    await workspace.setMeta('b.txt', { mode: 0o755 })
    await ok('delete_file', { path: 'link' })
    await workspace.mkdir('link')
    await workspace.checkpoint()
    const { checkpoints } = await ok('list_checkpoints', { limit: 1 })
    const [{ id }] = (await ok('list_checkpoints', {})).checkpoints.slice(-1)
    expect(checkpoints).toHaveLength(1)
    await ok('diff_checkpoint', { checkpoint: id, limit: 1 })
    await ok('diff_checkpoint', { checkpoint: id })
    await ok('restore_checkpoint', { checkpoint: id, dry_run: true })
    await ok('restore_checkpoint', { checkpoint: id })
  })

  it('a session on a terminal', async () => {
    const { ok } = await nodeBench()
    const { session_id } = await ok('bash', { command: 'sleep 60', run_in_background: true, terminal: {}, session_name: 'a' })
    await ok('resize_background_bash', { session_id, cols: 80, rows: 30 })
    await ok('bash', { command: 'true', run_in_background: true, terminal: {}, session_name: 'a' })
    await ok('list_background_bash', {})
    await ok('stop_background_bash', { session_id, force: true })
  })

  it('a program that does not read its input', async () => {
    const { ok, runtime } = await nodeBench()
    const { session_id } = await ok('bash', { command: 'sleep 60', run_in_background: true })
    const much = { session_id, input: 'x'.repeat(1_000_000) }
    expect(await runtime.call('write_background_bash', much, { deadlineMs: 2000 })).toHaveProperty('note')
    await ok('stop_background_bash', { session_id, force: true })
  })

  it('a program in a Node process', async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'toolport-outputs-')))
    const runtime = createNodeRuntime({ root, js: createNodeJs() })
    try {
      const { ok } = benchOver(runtime)
      const { session_id, pid } = await ok('start_background_js', { code: 'setInterval(() => {}, 1000)' })
      expect(pid).toBeGreaterThan(0)
      await ok('list_background_js', {})
      await ok('stop_background_js', { session_id, force: true })
    } finally {
      await runtime.dispose()
      await rm(root, { recursive: true, force: true })
    }
  })

  it.each(['google', 'serper', 'exa'] as const)('web searches with %s', async (provider) => {
    const row = {
      title: 'T',
      url: 'https://example.com/',
      link: 'https://example.com/',
      snippet: 's',
      rank: 1,
      score: 0.5,
      publishedDate: '2025-01-01',
      text: 't',
    }
    const fetch = createFetch({
      origins: ['https://proxy.test'],
      host: createTestHost(),
      fetch: async () => Response.json({ query: 'q', results: [row] }),
    })
    const runtime = createRuntime({ fs: createMemoryFs(), fetch, tools: webTools({ provider, baseUrl: 'https://proxy.test' }) })
    expect((await benchOver(runtime).ok('web_search', { query: 'q' })).results).toHaveLength(1)
  })

  it('bundle', async () => {
    const files = { 'index.html': '<script type="module" src="a.js"></script>', 'a.js': 'typeof x === "strin"; export {}' }
    const workspace = createWorkspace({ fs: createMemoryFs({ files }) })
    const bundler = createBundler({ workspace })
    const { ok } = benchOver(createRuntime({ workspace, bundler, tools: previewTools() }))
    expect((await ok('bundle')).warnings).toHaveLength(1)
    await workspace.writeText('a.js', 'export const =')
    expect((await ok('bundle')).ok).toBe(false)
    await bundler.dispose()
  })

  it('every field of every schema occurred', () => {
    const missing = [...NAMES].flatMap(([schema, name]) =>
      placesOf(schema as JsonSchema, '')
        .filter((place) => !seen.get(name)?.has(place))
        .map((place) => `${name}.${place}`),
    )
    expect(missing.sort()).toEqual(Object.keys(UNSEEN).sort())
  })
})

describe('output schemas', () => {
  const runtime = (): ToolRuntime =>
    createRuntime({
      fs: createMemoryFs(),
      shell: createJustBashShell({ scratch: createMemoryFs() }),
      tools: [...fileTools(), ...searchTools(), ...shellTools(), ...metaTools()],
    })

  it('are loaded on request and then part of manifests', async () => {
    const { registry } = runtime()
    const before = registry.getModelManifest()
    expect(before.filter((entry) => 'outputSchema' in entry)).toEqual([])
    expect(await registry.loadOutputSchemas()).toBe(registry)
    const after = registry.getModelManifest()
    expect(after.map(({ outputSchema: _, ...entry }) => entry)).toEqual(before)
    expect(after.every(({ outputSchema }) => outputSchema?.type === 'object')).toBe(true)
    expect(after.find(({ name }) => name === 'grep')?.outputSchema).toEqual(OUTPUTS.grep)
  })

  it('output schemas that fail to load or are invalid do not affect others', async () => {
    const { registry } = runtime()
    const tool = (name: string, outputSchema: AnyTool['outputSchema']): AnyTool => ({
      name,
      description: 'd',
      inputSchema: { type: 'object' },
      ...(outputSchema && { outputSchema }),
      run: () => null,
    })
    registry.register(tool('a_broken', () => Promise.reject(new Error('offline'))))
    registry.register(tool('b_none', async () => ({ '~standard': { version: 1, vendor: 'mine', validate: (value) => ({ value }) } })))
    await expect(registry.loadOutputSchemas()).rejects.toThrow('offline')
    const without = registry.getModelManifest().filter(({ outputSchema }) => !outputSchema)
    expect(without.map(({ name }) => name)).toEqual(['a_broken', 'b_none'])
    registry.unregister('a_broken')
    await expect(registry.loadOutputSchemas()).rejects.toMatchObject({ name: 'RegistryError', code: 'unsupported_schema' })
  })

  it('follow a renamed tool, and load for tools that are registered later', async () => {
    const { registry } = runtime()
    registry.rename('grep', 'find_text').unregister('glob')
    await registry.loadOutputSchemas()
    registry.registerMany(searchTools().filter(({ name }) => name === 'glob'))
    registry.disable('glob').enable('glob')
    const schemaOf = (wanted: string) => registry.getModelManifest().find(({ name }) => name === wanted)?.outputSchema
    expect(schemaOf('find_text')).toEqual(OUTPUTS.grep)
    expect(schemaOf('glob')).toBeUndefined()
    await registry.loadOutputSchemas()
    expect(schemaOf('glob')).toEqual(OUTPUTS.glob)
  })
})
