// @module-tag loaf
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { createLoaf, type Loaf } from 'toolport/presets/loaf'
import { afterEach, describe, expect, it } from 'vitest'

const T = '/workspace/.loaf/tools'
const opened: Loaf[] = []

afterEach(async () => {
  for (const loaf of opened.splice(0)) await loaf.dispose()
})

function open(files: Readonly<Record<string, string>> = {}, fs = createMemoryFs({ files })): Loaf & { readonly fs: typeof fs } {
  const loaf = createLoaf({ fs, root: '/workspace', js: createQuickJs() })
  opened.push(loaf)
  return { ...loaf, fs }
}

const MY_TOOL = `
export const name = "my_tool";
export const description = "Does something useful";
export const inputSchema = { type: "object", properties: { input: { type: "string" } }, required: ["input"] };
export async function run(input, context) {
  context.log("called");
  return { ok: true, output: { result: input.input.toUpperCase(), now: context.now.getTime() } };
}`
const SHOUT = { name: 'shout', description: 'Shouts', handler_code: 'return { ok: true, output: input.text.toUpperCase() }' }

describe('custom tools of loaf cap:88 cap:89 cap:90 cap:91 cap:93 cap:94', () => {
  it('are loaded into the default registry, without replacing built-in tools or earlier names', async () => {
    const { defaultToolRegistry, loadCustomTools, ToolRuntime } = open({
      '.loaf/tools/my-custom-tool.js': MY_TOOL,
      '.loaf/tools/second.js': MY_TOOL,
      '.loaf/tools/api-client/index.mjs': `export default { name: 'list_dir', run: () => 'mine' }`,
      '.loaf/tools/formatters/json.js': `exports.meta = { name: 'json', args: { properties: { v: {} } } }; exports.run = ({ v }) => JSON.stringify(v)`,
    })
    const report = await loadCustomTools()
    expect(report).toEqual({
      searchedDirectories: [T],
      loaded: [
        { name: 'json', sourcePath: `${T}/formatters/json.js` },
        { name: 'my_tool', sourcePath: `${T}/my-custom-tool.js` },
      ],
      errors: [
        `failed registering ${T}/api-client/index.mjs: tool already registered: list_dir`,
        `failed registering ${T}/second.js: tool already registered: my_tool`,
      ],
    })
    expect(await loadCustomTools()).toBe(report)
    const runtime = new ToolRuntime(defaultToolRegistry)
    const logged: string[] = []
    const context = { now: new Date(5), log: (line: string) => logged.push(line) }
    expect(await runtime.execute({ name: 'my_tool', input: { input: 'abc' } }, context)).toEqual({
      ok: true,
      output: { result: 'ABC', now: 5 },
    })
    expect(logged).toEqual(['called'])
    expect(await runtime.execute({ name: 'json', input: { v: [1] } })).toEqual({ ok: true, output: '[1]' })
    expect(defaultToolRegistry.getModelManifest().find(({ name }) => name === 'my_tool')).toMatchObject({
      description: 'Does something useful',
      inputSchema: { type: 'object', required: ['input'] },
    })
  })

  it('have failures in the documented format', async () => {
    const { defaultToolRegistry, loadCustomTools, ToolRuntime } = open({
      '.loaf/tools/a.mjs': `export const name = 'a'; export const run = () => ({ ok: false, output: { why: 1 }, error: 'no' })`,
      '.loaf/tools/b.mjs': `export const name = 'b'; export const run = () => { throw new Error('boom') }`,
      '.loaf/tools/c.mjs': `export const name = 'c'; export const run = () => 10n`,
    })
    await loadCustomTools()
    const runtime = new ToolRuntime(defaultToolRegistry)
    expect(await runtime.execute({ name: 'a' })).toEqual({ ok: false, output: { why: 1 }, error: 'no' })
    expect(await runtime.execute({ id: 'i', name: 'b' })).toEqual({
      ok: false,
      output: { callId: 'i', tool: 'b', status: 'error' },
      error: 'boom',
    })
    expect(await runtime.execute({ name: 'c' })).toEqual({ ok: true, output: '10' })
  })

  it('are created by create_persistent_tool in its own registry', async () => {
    const first = open()
    const { createPersistentToolTool, createToolRegistry, builtinToolNames, ToolRuntime } = first
    const registry = createToolRegistry()
    const made = createPersistentToolTool({ registry, isBuiltinToolName: (name) => builtinToolNames.has(name) })
    const runtime = new ToolRuntime(registry.register(made))
    const create = (input: object) => runtime.execute({ name: 'create_persistent_tool', input })
    expect(await create(SHOUT)).toEqual({
      ok: true,
      output: {
        status: 'ok',
        message: 'persistent tool created and loaded: shout',
        tool_name: 'shout',
        path: `${T}/shout.mjs`,
        overwritten: false,
      },
    })
    expect(registry.getModelManifest().map(({ name }) => name)).toEqual(['create_persistent_tool', 'shout'])
    expect(await runtime.execute({ name: 'shout', input: { text: 'hi' } })).toEqual({ ok: true, output: 'HI' })
    const message = `tool file already exists: ${T}/shout.mjs. set overwrite=true to replace.`
    expect(await create(SHOUT)).toEqual({ ok: false, output: { status: 'invalid_input', message }, error: message })
    expect(await create({ ...SHOUT, overwrite: 'true' })).toMatchObject({ error: message })
    expect(await create({ ...SHOUT, name: 'bash', overwrite: true })).toMatchObject({ error: 'cannot overwrite built-in tool: bash' })
    const broken = await create({ ...SHOUT, handler_code: 'return {{', overwrite: true })
    expect(broken).toMatchObject({ ok: false, output: { status: 'error' } })
    expect(await runtime.execute({ name: 'shout', input: { text: 'hi' } })).toEqual({ ok: true, output: 'HI' })
    expect(await create({ ...SHOUT, handler_code: 'return 1', overwrite: true })).toMatchObject({
      output: { message: 'persistent tool updated and reloaded: shout', overwritten: true },
    })

    const second = open({}, first.fs)
    await second.loadCustomTools()
    const restarted = new second.ToolRuntime(second.defaultToolRegistry)
    expect(await restarted.execute({ name: 'shout', input: {} })).toEqual({ ok: true, output: 1 })
    expect(second.defaultToolRegistry.has('create_persistent_tool')).toBe(true)
  })
})
