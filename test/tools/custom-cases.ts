import {
  type CustomToolMakerOptions,
  createRuntime,
  createWorkspace,
  customTools,
  type FsAdapter,
  fileTools,
  loadCustomTools,
  type ToolRuntime,
} from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs, type QuickJsOptions } from 'toolport/adapters/quickjs'
import { loaf } from 'toolport/presets/loaf'
import { loom } from 'toolport/presets/loom'
import { loomElixir } from 'toolport/presets/loom-elixir'
import { standard } from 'toolport/presets/standard'
import { zeroclaw } from 'toolport/presets/zeroclaw'
import { afterEach, describe, expect, it } from 'vitest'
import { withGrowingTime } from '../contract/shell/case.js'
import { type Bench, benchOver } from './harness.js'

const T = '/workspace/.toolport/tools'
/** The end of each description. */
const from = (file: string): string => `\n\nThis tool comes from ${T}/${file} in the workspace.`
const OBJECT = `inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }`

/** One file for each way to export a tool. */
const PATTERNS: Readonly<Record<string, string>> = {
  'a-named.mjs': `export const name = 'named'; export const description = 'd'; export const inputSchema = { type: 'object', properties: { n: { type: 'number' } } }
export async function run(input, context) { return { ok: true, output: { got: input.n } } }`,
  'b-default.mjs': `export default { name: 'by_default', description: 'd', ${OBJECT}, run(input) { return { got: input.n, self: this.name } } }`,
  'c-tool.mjs': `export const tool = { name: 'as_tool', description: 'd', args: { properties: { n: {} } }, run: (input) => input.n }`,
  'd-meta.mjs': `export const meta = { name: 'with_meta', description: 'd' }; export const run = (input) => [input.n]`,
  'e-meta-default.mjs': `export const meta = { name: 'meta_default' }; export default (input) => input.n + 1`,
  'f-common.cjs': `module.exports = { name: 'common', run: (input) => ({ ok: true, output: input.n }) }`,
  'g-typed.ts': `export const name: string = 'typed'; export const run = (input: { n: number }): number => input.n * 10`,
  'nested/deep/index.mjs': `import { twice } from './lib/twice.mjs'; export const name = 'nested'; export const run = ({ n }) => twice(n)`,
}
const LIBRARY = { 'nested/deep/lib/twice.mjs': 'export const twice = (n) => n * 2' }

interface Opened extends Bench {
  readonly fs: FsAdapter
}

const within = (files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`.toolport/tools/${name}`, text]))

/** Cases for custom tools with QuickJS and a workspace in memory. */
export function customToolCases(options: QuickJsOptions = {}): void {
  const opened: ToolRuntime[] = []

  afterEach(async () => {
    for (const runtime of opened.splice(0)) await runtime.dispose()
  })

  const open = (
    files: Readonly<Record<string, string>> = {},
    custom: CustomToolMakerOptions = {},
    given?: FsAdapter,
    bytes?: number,
  ): Opened => {
    const fs = given ?? createMemoryFs({ files: within(files) })
    const workspace = createWorkspace({ fs, root: '/workspace', ...(bytes !== undefined && { quotas: { bytes } }) })
    const runtime = createRuntime({ workspace, js: createQuickJs(options), preset: standard({ customTools: custom }) })
    opened.push(runtime)
    return { ...benchOver(runtime), fs }
  }
  const names = ({ runtime }: Opened): string[] => runtime.getModelManifest().map(({ name }) => name)
  const ADD = { name: 'add', description: 'Adds', handler_code: 'return { sum: input.a + input.b }' }
  const SCHEMA = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] }

  describe('loadCustomTools', () => {
    it('loads and registers tools exported in every supported way', async () => {
      const { runtime, ok } = open({
        ...PATTERNS,
        ...LIBRARY,
        'node_modules/x/index.js': 'export default 1',
        'types.d.ts': '',
        'notes.md': '',
      })
      const report = await loadCustomTools(runtime)
      expect(report).toEqual({
        searchedDirectories: [T],
        loaded: ['named', 'by_default', 'as_tool', 'with_meta', 'meta_default', 'common', 'typed', 'nested'].map((name, index) => ({
          name,
          sourcePath: `${T}/${Object.keys(PATTERNS)[index]}`,
        })),
        errors: [`skipped ${T}/nested/deep/lib/twice.mjs: no valid tool export found`],
      })
      const answers = []
      for (const { name } of report.loaded) answers.push(await ok(name, { n: 2 }))
      expect(answers).toEqual([{ got: 2 }, { got: 2, self: 'by_default' }, 2, [2], 3, 2, 20, 4])
      expect(runtime.registry.get('common')?.description).toBe(`custom tool from f-common.cjs${from('f-common.cjs')}`)
      expect(runtime.getModelManifest().find(({ name }) => name === 'by_default')?.inputSchema).toEqual({
        type: 'object',
        properties: { n: { type: 'number' } },
        required: ['n'],
      })
    })

    it('keeps a tool of the host with the same name', async () => {
      const { runtime, ok } = open({ 'one.mjs': `export const name = 'one'; export const run = () => 'of the file'` })
      await loadCustomTools(runtime)
      expect(await ok('one')).toBe('of the file')
      runtime.registry.unregister('one')
      runtime.registry.register({ name: 'one', description: 'd', inputSchema: { type: 'object' }, run: () => 'of the host' })
      const { loaded, errors } = await loadCustomTools(runtime)
      expect([loaded, errors]).toEqual([[], [`failed registering ${T}/one.mjs: tool already registered: one`]])
      expect(await ok('one')).toBe('of the host')
    })

    it('reports why a file has no tool, and loads the others', async () => {
      const { runtime, ok } = open({
        'b-name.mjs': `export const name = 'a b'; export const run = () => 1`,
        'c-builtin.mjs': `export const name = 'read_file'; export const run = () => 'mine'`,
        'd-broken.mjs': 'export const = 3',
        'e-throws.mjs': `throw new Error('not today')`,
        'f-none.mjs': 'export const x = 1',
        'g-one.mjs': `export const name = 'one'; export const run = () => 1`,
        'h-two.mjs': `export const name = 'one'; export const run = () => 2`,
        'i-schema.mjs': `export const name = 's'; export const inputSchema = { type: 'object', properties: { a: { type: 'txt' } } }; export const run = () => 2`,
        'j-missing.mjs': `import 'nowhere'`,
        'k-exit.mjs': 'process.exit(0)',
        'l-pattern.mjs': `export const name = 'p'; export const inputSchema = { type: 'object', properties: { a: { pattern: '(' } } }; export const run = () => 2`,
      })
      const { loaded, errors } = await loadCustomTools(runtime)
      expect(loaded).toEqual([{ name: 'one', sourcePath: `${T}/g-one.mjs` }])
      expect(await ok('one')).toBe(1)
      expect(errors).toEqual([
        `failed loading ${T}/b-name.mjs: invalid tool name "a b" (allowed: letters, numbers, _ . : -)`,
        `failed registering ${T}/c-builtin.mjs: tool already registered: read_file`,
        expect.stringMatching(/^failed loading .*d-broken\.mjs: ./),
        expect.stringMatching(/^failed loading .*e-throws\.mjs: not today \(.*e-throws\.mjs:1:\d+\)$/),
        `skipped ${T}/f-none.mjs: no valid tool export found`,
        `failed registering ${T}/h-two.mjs: tool already registered: one`,
        `failed loading ${T}/i-schema.mjs: inputSchema.properties.a.type is not a type: "txt"`,
        expect.stringMatching(/^failed loading .*j-missing\.mjs: Cannot find package 'nowhere'/),
        `failed loading ${T}/k-exit.mjs: it ended without a result`,
        expect.stringMatching(/^failed loading .*l-pattern\.mjs: .*"\(" is not a valid regular expression/),
      ])
    })

    it('reports a file that does not end, and loads the next one', async () => {
      const { runtime } = open({ 'a.mjs': 'for (;;) {}', 'b.mjs': `export const name = 'b'; export const run = () => 1` })
      const report = await withGrowingTime(
        (timeoutMs) => loadCustomTools(runtime, { timeoutMs }),
        ({ loaded }) => loaded.length === 1,
      )
      const errors = [expect.stringMatching(/^failed loading .*\/a\.mjs: it did not end within \d+ ms/)]
      expect(report).toMatchObject({ loaded: [{ name: 'b' }], errors })
    })

    it('marks characters in descriptions that control a terminal or reorder the text, and keeps values', async () => {
      const sly = 'red \\u001b[31m\\u0007\\n\\tnext\\u202e\\u2066'
      const { runtime } = open({
        'a\u202e.mjs': `export const name = 'a'; export const description = '${sly}'; export const run = () => 1
const prose = { title: '${sly}', description: '${sly}', $comment: '${sly}' }
export const inputSchema = { ...prose, properties: {
  description: { ...prose, enum: ['\\r\\n', '\\u202e'] },
  list: { items: { anyOf: [{ ...prose, type: 'string' }] } },
} }`,
      })
      await loadCustomTools(runtime)
      const shown = 'red ⟨U+001B⟩[31m⟨U+0007⟩\n\tnext⟨U+202E⟩⟨U+2066⟩'
      const prose = { title: shown, description: shown, $comment: shown }
      const [{ description, inputSchema } = {}] = runtime.getModelManifest().filter(({ name }) => name === 'a')
      expect(description).toBe(`${shown}${from('a⟨U+202E⟩.mjs')}`)
      expect(inputSchema).toMatchObject({
        ...prose,
        properties: {
          description: { ...prose, enum: ['\r\n', '\u202e'] },
          list: { items: { anyOf: [{ ...prose, type: 'string' }] } },
        },
      })
    })

    it('returns nothing for a missing directory, and rejects one outside', async () => {
      const { runtime } = open()
      expect(await loadCustomTools(runtime, { directories: ['x', 'y/z'] })).toEqual({
        searchedDirectories: ['/workspace/x', '/workspace/y/z'],
        loaded: [],
        errors: [],
      })
      await expect(loadCustomTools(runtime, { directories: ['../x'] })).rejects.toMatchObject({ code: 'path_outside_workspace' })
    })

    it('loads files again on each call', async () => {
      const { runtime, ok } = open({ 'a.mjs': `export const name = 'a'; export const run = () => 1` })
      await loadCustomTools(runtime)
      await runtime.workspace.writeText(
        `${T}/a.mjs`,
        `export const name = 'a'; export const description = 'new'; export const run = () => 2`,
      )
      expect(await loadCustomTools(runtime)).toMatchObject({ loaded: [{ name: 'a' }], errors: [] })
      expect(await ok('a')).toBe(2)
      expect(runtime.registry.get('a')?.description).toBe(`new${from('a.mjs')}`)
    })
  })

  describe('a custom tool', () => {
    const one = async (run: string, more = '', ...times: readonly number[]): Promise<Opened> => {
      const [timeoutMs, ...longer] = times
      const bench = open({ 'x.mjs': `export const name = 'x'; ${more}\nexport ${run}` })
      const { errors } = await loadCustomTools(bench.runtime, timeoutMs === undefined ? {} : { timeoutMs })
      // On a busy machine, loading the file may take longer than the first timeout, so try the next one.
      if (errors.length > 0 && longer.length > 0) return one(run, more, ...longer)
      expect(errors).toEqual([])
      return bench
    }

    it.each([
      ['throws', `const run = () => { throw new Error('boom') }`, 'tool_threw', 'boom'],
      ['returns a failure', `const run = () => ({ ok: false, output: { why: 1 }, error: 'no luck' })`, 'tool_threw', 'no luck'],
      [
        'returns a cyclic value',
        'const run = () => { const a = {}; a.a = a; return a }',
        'tool_threw',
        /^Cannot use the result of "x": .*circular/i,
      ],
      ['returns a function', 'const run = () => () => 1', 'tool_threw', 'Cannot use the result of "x": a function is not JSON'],
      ['returns too large a result', `const run = () => 'x'.repeat(9e6)`, 'tool_threw', /longer than 8388608 characters/],
      ['ends its program', 'const run = () => process.exit(3)', 'tool_threw', 'Cannot finish "x": it ended without a result (exit code 3)'],
      ['loops', 'const run = () => { for (;;) {} }', 'timeout', /^Cannot finish "x": it did not end within \d+ ms/],
    ])('a tool that %s does not affect others', async (_, run, code, error) => {
      const { fail, ok, runtime } = await one(run, '', ...(code === 'timeout' ? [200, 1000, 20_000] : [20_000]))
      const failed = await fail('x')
      expect(failed.output).toMatchObject({ code, tool: 'x' })
      expect(failed.error).toMatch(error)
      expect(await ok('list_files', {})).toBeDefined()
      expect(runtime.registry.has('x')).toBe(true)
    })

    it('gets its input, the time, a signal and a log, and its output goes to the host', async () => {
      const { runtime, ok } = await one(
        `async function run(input, { now, log, signal }) { log('one'); console.error('two'); return [input, now instanceof Date, signal.aborted] }`,
      )
      const told: string[] = []
      runtime.on((event) => void (event.type === 'log' && told.push(event.message)))
      expect(await ok('x', { a: 'ä "quoted" \u2028', __proto__: null })).toEqual([{ a: 'ä "quoted" \u2028' }, true, false])
      expect(told).toEqual(['one', 'two'])
    })

    it('gets only input that matches its schema, and slow patterns are not checked', async () => {
      const { fail, ok } = await one(
        'const run = ({ a }) => a.length',
        `export const inputSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } }, required: ['a'] }`,
      )
      expect(await fail('x', {})).toMatchObject({ output: { status: 'invalid_input', code: 'invalid_input', issues: [{ path: 'a' }] } })
      expect(await ok('x', { a: `${'a'.repeat(60)}!` })).toBe(61)
    })

    it('has only the granted files and tools', async () => {
      const code = `import { readFileSync, writeFileSync } from 'node:fs'
export const name = 'x'
export const run = () => { const has = [typeof fetch, typeof invokeTool]; try { writeFileSync('out.txt', 'x') } catch (error) { has.push(error.code) } return has }`
      const bench = open({ 'x.mjs': code })
      await loadCustomTools(bench.runtime, { grants: { fs: 'read' } })
      expect(await bench.ok('x')).toEqual(['undefined', 'undefined', 'EROFS'])
      await loadCustomTools(bench.runtime, { grants: { tools: ['list_files'] } })
      expect(await bench.ok('x')).toEqual(['undefined', 'function'])
      expect(await bench.runtime.workspace.exists('out.txt')).toBe(true)
    })
  })

  describe('create_persistent_tool', () => {
    it('creates a tool that works at once, is in the manifest, and survives a restart', async () => {
      const first = open()
      expect(await first.ok('create_persistent_tool', { ...ADD, args_schema: SCHEMA })).toEqual({
        status: 'ok',
        message: 'persistent tool created and loaded: add',
        tool_name: 'add',
        path: `${T}/add.mjs`,
        overwritten: false,
      })
      expect(names(first)).toContain('add')
      expect(await first.ok('add', { a: 1, b: 2 })).toEqual({ sum: 3 })
      expect(await first.fail('add', { a: 1 })).toMatchObject({ output: { code: 'invalid_input' } })
      const second = open({}, {}, first.fs)
      expect(names(second)).not.toContain('add')
      expect(await loadCustomTools(second.runtime)).toMatchObject({ loaded: [{ name: 'add' }], errors: [] })
      expect(await second.ok('add', { a: 2, b: 2 })).toEqual({ sum: 4 })
    })

    it('replaces its own tools and removes their old files', async () => {
      const bench = open()
      await bench.ok('create_persistent_tool', ADD)
      const again = { ...ADD, handler_code: 'return 7', filename: 'plus.cjs', overwrite: true }
      expect(await bench.ok('create_persistent_tool', again)).toMatchObject({
        message: 'persistent tool updated and reloaded: add',
        overwritten: true,
      })
      expect(await bench.ok('add', {})).toBe(7)
      expect(Object.keys(await bench.files())).toEqual(['.toolport/tools/plus.cjs'])
    })

    it('rejects invalid input in the documented order', async () => {
      const { fail, ok } = open()
      await ok('create_persistent_tool', ADD)
      await ok('create_persistent_tool', { ...ADD, name: 'other' })
      const all = { name: 'a b', description: ' ', handler_code: ' ', args_schema: { type: 'array' }, filename: '../x.mjs' }
      const refused = async (input: object): Promise<string> => {
        const { output, error } = await fail('create_persistent_tool', input)
        expect(output.status).toBe('invalid_input')
        return error
      }
      expect(await refused(all)).toBe('invalid tool name "a b" (allowed: letters, numbers, _ . : -)')
      expect(await refused({ ...all, name: 'read_file' })).toBe('description must not be empty')
      expect(await refused({ ...all, name: 'read_file', description: 'd' })).toMatch(/^handler_code must not be empty/)
      const named = { ...all, name: 'read_file', description: 'd', handler_code: 'return 1' }
      expect(await refused(named)).toMatch(/^args_schema must be a JSON Schema/)
      expect(await refused({ ...named, args_schema: SCHEMA })).toMatch(/^filename must be a file name/)
      const filed = { ...named, args_schema: SCHEMA, filename: 'add.mjs' }
      expect(await refused(filed)).toBe(`tool file already exists: ${T}/add.mjs. set overwrite=true to replace.`)
      expect(await refused({ ...filed, overwrite: true })).toBe('cannot overwrite built-in tool: read_file')
      expect(await refused({ ...filed, name: 'add', filename: 'new.mjs' })).toBe(
        'tool already registered: add. set overwrite=true to replace.',
      )
      expect(await refused({ ...filed, name: 'add', filename: 'other.mjs', overwrite: true })).toBe(
        `${T}/other.mjs holds the tool other: choose another filename`,
      )
      expect(await refused({ ...ADD, name: 'create_persistent_tool', overwrite: true })).toMatch(/^cannot overwrite built-in/)
    })

    it.each([
      ['does not parse', 'return {{', /^the tool does not load, so nothing was saved: (?!it did not end)/],
      ['exports another name', `}\nexports.name = 'y'\n{`, 'tool export name mismatch: expected add, got y'],
      ['exports nothing', '}\nmodule.exports = {}\n{', 'written file does not export a valid tool object.'],
    ])('discards a tool that %s, and keeps the one it would replace', async (_, handler_code, error) => {
      const bench = open()
      const bad = { ...ADD, handler_code, filename: handler_code.startsWith('return') ? 'add.mjs' : 'add.cjs' }
      expect((await bench.fail('create_persistent_tool', bad)).error).toMatch(error)
      expect(await bench.runtime.workspace.exists('.toolport')).toBe(false)
      expect(names(bench)).not.toContain('add')
      await bench.ok('create_persistent_tool', ADD)
      const kept = await bench.files()
      expect((await bench.fail('create_persistent_tool', { ...bad, overwrite: true })).error).toMatch(error)
      expect(
        (await bench.fail('create_persistent_tool', { ...bad, filename: 'add.mjs', handler_code: 'return {{', overwrite: true })).output
          .code,
      ).toBe('tool_threw')
      expect(await bench.files()).toEqual(kept)
      expect(await bench.ok('add', { a: 1, b: 1 })).toEqual({ sum: 2 })
    })

    it('discards a tool that loops while loading', async () => {
      const bench = open({}, { timeoutMs: 200 })
      expect((await bench.fail('create_persistent_tool', { ...ADD, handler_code: '}\nfor (;;) {}\n{' })).error).toMatch(
        /did not end within/,
      )
      expect(await bench.runtime.workspace.exists('.toolport')).toBe(false)
    })

    it('changes nothing on a full storage', async () => {
      const bench = open({}, {}, undefined, 100)
      expect(await bench.fail('create_persistent_tool', ADD)).toMatchObject({ output: { code: 'ENOSPC' } })
      expect(await bench.files()).toEqual({})
      expect(await bench.runtime.workspace.exists('.toolport')).toBe(false)
      expect(names(bench)).not.toContain('add')
    })

    it.each([loaf(), loom(), loomElixir(), zeroclaw()])('creates tools for $name, and they are in its manifest', async (preset) => {
      const { ok, fs } = open()
      await ok('create_persistent_tool', { ...ADD, args_schema: SCHEMA })
      const workspace = createWorkspace({ fs, root: '/workspace' })
      const runtime = createRuntime({ workspace, js: createQuickJs(options), preset })
      opened.push(runtime)
      await loadCustomTools(runtime)
      expect(runtime.getModelManifest().find(({ name }) => name === 'add')?.inputSchema).toEqual(SCHEMA)
      expect(await runtime.execute({ name: 'add', input: { a: 1, b: 2 } })).toMatchObject({ ok: true, output: { sum: 3 } })
      runtime.registry.registerMany(customTools())
      expect(await runtime.execute({ name: 'create_persistent_tool', input: { ...ADD, name: 'more' } })).toMatchObject({ ok: true })
      expect(await runtime.execute({ name: 'more', input: { a: 1, b: 2 } })).toMatchObject({ ok: true, output: { sum: 3 } })
    })

    it('runs concurrent calls one after the other', async () => {
      const bench = open()
      const made = await Promise.all([1, 2].map((n) => bench.run('create_persistent_tool', { ...ADD, handler_code: `return ${n}` })))
      expect(made.map(({ ok }) => ok)).toEqual([true, false])
      expect(await bench.ok('add', {})).toBe(1)
    })

    it('can be left out of the preset', () => {
      const list = (custom: CustomToolMakerOptions | false): string[] => standard({ customTools: custom }).tools.map(({ name }) => name)
      expect(list({})).toContain('create_persistent_tool')
      expect(list(false)).not.toContain('create_persistent_tool')
      expect(() => standard({ customTools: { timeoutMs: 0 } })).toThrow(TypeError)
      expect(fileTools().map(({ name }) => name)).not.toContain('create_persistent_tool')
    })
  })
}
