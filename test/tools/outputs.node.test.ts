import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import {
  type AnyTool,
  createRuntime,
  fileTools,
  type JsonSchema,
  metaTools,
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
import { createNodeRuntime } from 'toolport/node'
import { createTestHost } from 'toolport/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFetch } from '../../adapters/fetch/index.js'
import { OUTPUTS } from '../../src/tools/outputs/index.js'
import { SCRIPT } from '../storages/differential/differential.js'
import { runScript } from '../storages/differential/run.js'
import { backgroundCases } from './background-cases.js'
import { bashCases } from './bash-cases.js'
import { customToolCases } from './custom-cases.js'
import { benchOver } from './harness.js'
import { quickJsToolCases } from './js-quickjs-cases.js'
import { realShellBenches } from './real-shell.js'
import { type ShellBenchOptions, shellBenchTools, virtualBench } from './shell-bench.js'

// The tools' own tests: they run here once more, and what the tools return in them is looked at.
import './apply-patch.test.js'
import './background.test.js'
import './checkpoint-tools.test.js'
import './edit-file.test.js'
import './grep.test.js'
import './js-install.test.js'
import './read-file.test.js'
import './unreadable.test.js'
import './web-search.test.js'

// Ajv makes functions of text, which workerd does not allow.

type SchemaName = keyof typeof OUTPUTS
const NAMES = new Map<unknown, SchemaName>(Object.entries(OUTPUTS).map(([name, schema]) => [schema, name as SchemaName]))

const record = (value: unknown): JsonSchema | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined

/** Without room for what it does not name. */
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

/** Looks at every output of the tools that have a schema of ours. */
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

/** What no call below gives, and why. */
const UNSEEN: Readonly<Record<string, string>> = {
  'install_js_packages.package_manager': 'a package manager of the machine: test/adapters/node-package-manager.node.test.ts',
}

const nodeBench = realShellBenches((ports, options: ShellBenchOptions = {}) =>
  benchOver(createRuntime({ ...options, ...ports, tools: shellBenchTools() })),
)

describe('what the tools return is as their output schemas say', () => {
  it('in the script of the storages', async () => {
    const ran = await runScript(createMemoryFs(), SCRIPT)
    expect(ran.flatMap(({ answers }) => answers).length).toBeGreaterThan(500)
  })

  describe('on the virtual shell', () => {
    bashCases(virtualBench)
    backgroundCases(virtualBench)
  })
  describe('on a real shell', () => bashCases(nodeBench))
  quickJsToolCases()
  customToolCases()

  it('of a terminal', async () => {
    const { ok } = await nodeBench()
    const { session_id } = await ok('bash', { command: 'sleep 60', run_in_background: true, terminal: {}, session_name: 'a' })
    await ok('resize_background_bash', { session_id, cols: 80, rows: 30 })
    await ok('bash', { command: 'true', run_in_background: true, terminal: {}, session_name: 'a' })
    await ok('list_background_bash', {})
    await ok('stop_background_bash', { session_id, force: true })
  })

  it('of a program in a process of its own', async () => {
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

  it.each(['google', 'serper', 'exa'] as const)('of searches with %s', async (provider) => {
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

  it('and every field of every schema was there', () => {
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

  it('load when they are asked for, and are in manifests from then on', async () => {
    const { registry } = runtime()
    const before = registry.getModelManifest()
    expect(before.filter((entry) => 'outputSchema' in entry)).toEqual([])
    expect(await registry.loadOutputSchemas()).toBe(registry)
    const after = registry.getModelManifest()
    expect(after.map(({ outputSchema: _, ...entry }) => entry)).toEqual(before)
    expect(after.every(({ outputSchema }) => outputSchema?.type === 'object')).toBe(true)
    expect(after.find(({ name }) => name === 'grep')?.outputSchema).toEqual(OUTPUTS.grep)
  })

  it('that do not load, or are none, take no others with them', async () => {
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

  it('stay with a tool of another name, and load for tools that come later', async () => {
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
