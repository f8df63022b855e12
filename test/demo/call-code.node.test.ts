// @module-tag playground
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as toolport from 'toolport'
import { createRuntime, defineTool, type JsonSchema, type ManifestEntry, type Preset, type ToolRuntime, toModelText } from 'toolport'
import * as justBash from 'toolport/adapters/just-bash'
import * as memory from 'toolport/adapters/memory'
import { createMemoryFs } from 'toolport/adapters/memory'
import * as quickjs from 'toolport/adapters/quickjs'
import * as workspaceMemory from 'toolport/adapters/workspace-memory'
import { runToolCalls, toAiSdkTools, toStrict } from 'toolport/formats'
import * as loaf from 'toolport/presets/loaf'
import * as loom from 'toolport/presets/loom'
import * as loomElixir from 'toolport/presets/loom-elixir'
import * as standard from 'toolport/presets/standard'
import * as zeroclaw from 'toolport/presets/zeroclaw'
import { describe, expect, test } from 'vitest'
import type { CodeBlock, CodeCall } from '../../demo/src/code/code-call.js'
import { jsonText, stringLiteral } from '../../demo/src/code/escapes.js'
import { literal } from '../../demo/src/code/literal.js'
import { providerFormats } from '../../demo/src/code/provider-code.js'
import { strictInput } from '../../demo/src/code/strict-input.js'
import { toolportFormat } from '../../demo/src/code/toolport-code.js'
import { presetChoices } from '../../demo/src/presets/choices.js'
import { connectInMemory } from '../entries/mcp-support.js'
import fc from '../fast-check.js'
import { valuesOf } from '../formats/from-schema.js'
import { ALL_TOOLS } from '../formats/presets.js'
import { runProgram } from './run-program.js'

const HOSTILE = [
  `a \`tick\` and \${globalThis.hacked = 1}`,
  '</script><script>globalThis.hacked = 1</script>',
  '<!-- <script> -->',
  'one\ntwo\r\nthree\rfour\tfive\n',
  'line \u2028 and paragraph \u2029 separators\nand a line',
  `back \\ slash \\n \\\` \\\${x} \\u0041`,
  'it\'s "quoted"',
  'seen \u202e sdrawkcab \u2066 x \u2069 \u200b \ufeff \u00ad',
  'half \ud83d of a letter, the other \udc4b, and whole \ud83d\udc4b\ncontinued \udc00',
  '\u0000\u0001\u001b[31m\u007f\u0085\u009b',
  '\u{e0001}\u{e0020} tags',
  '$ $$ ${ $\\{ \n $',
  '*/ // # %',
  '',
  '\n',
] as const

const hostileText = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
const key = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'a-b', 'a b', 'class', '1', '', 'new\nline', ...HOSTILE), fc.string())
const { value: hostileValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    hostileText,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.parse(JSON.stringify(number)) as number),
    fc.constantFrom(null, true, false),
    fc.array(tie('value')),
    fc.array(fc.tuple(key, tie('value'))).map((entries) => Object.fromEntries(entries)),
  ),
}))

/** What nobody sees, or sees in another place, and what ends a script. */
const HIDDEN = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?![\n\t])\p{Cc}|<\/?script|<!--/iu

const evaluated = (code: string): unknown => new Function(`'use strict'; return (${code})`)()

describe('a value', () => {
  test('as TypeScript is that value, and shows all that is in it', () => {
    fc.assert(
      fc.property(hostileValue, (value) => {
        const code = literal(value)
        expect(code).not.toMatch(HIDDEN)
        const back = evaluated(code)
        expect(back).toEqual(value)
        expect(JSON.stringify(back)).toBe(JSON.stringify(value))
      }),
      { numRuns: 500 },
    )
    expect('hacked' in globalThis).toBe(false)
  })

  test('as JSON is that value too', () => {
    fc.assert(
      fc.property(hostileValue, (value) => {
        const text = jsonText(value)
        expect(text).not.toMatch(HIDDEN)
        expect(JSON.parse(text)).toEqual(value)
      }),
      { numRuns: 500 },
    )
  })

  test('is readable: short things on one line, texts of several lines as they are', () => {
    expect(literal({ path: 'a.ts', edits: [{ old_string: 'a', new_string: "it's" }] })).toBe(
      `{ path: 'a.ts', edits: [{ old_string: 'a', new_string: "it's" }] }`,
    )
    expect(literal({ path: 'a.ts', content: `one\ntwo \`x\` \${y}\n` })).toBe(
      `{\n  path: 'a.ts',\n  content: \`one\ntwo \\\`x\\\` \\\${y}\n\`,\n}`,
    )
    expect(stringLiteral('one line\n')).toBe("'one line\\n'")
    expect(literal({ __proto__: 1 })).toBe('{}')
    expect(literal(JSON.parse('{"__proto__":1,"a-b":2}'))).toBe("{ ['__proto__']: 1, 'a-b': 2 }")
  })
})

describe('an input in strict mode', () => {
  test.each(ALL_TOOLS)('is said as the schema of $label wants it, and comes back', ({ entry: { inputSchema } }) => {
    const strict = toStrict(inputSchema)
    const fits = new Ajv2020({ strict: false }).compile(structuredClone(strict?.schema ?? {}) as JsonSchema)
    fc.assert(
      fc.property(valuesOf(inputSchema), (input) => {
        const said = strictInput(input, inputSchema)
        expect({ said, fits: fits(said) }).toEqual({ said, fits: true })
        expect(strict?.restore(said)).toEqual(input)
      }),
      { numRuns: 40 },
    )
  })

  test('is not said where it cannot be', () => {
    const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
    expect(strictInput({ path: 'a' }, schema)).toEqual({ path: 'a' })
    expect(strictInput({ path: 'a', more: 1 }, schema)).toBeUndefined()
    expect(strictInput({}, schema)).toBeUndefined()
    expect(strictInput({ a: 1 }, { type: 'object', allOf: [schema] })).toBeUndefined()
  })
})

interface Caught {
  readonly name: string
  readonly input: unknown
}

/** A runtime whose tools say what they were called with. */
function catching(preset: Preset): { runtime: ToolRuntime; caught: Caught[] } {
  const caught: Caught[] = []
  const tools = preset.tools.map(({ name, description, inputSchema }) =>
    defineTool({
      name,
      description,
      inputSchema,
      run: (input: unknown) => {
        caught.push({ name, input })
        return 'caught'
      },
    }),
  )
  return { runtime: createRuntime({ fs: createMemoryFs(), tools }), caught }
}

const any = { type: 'object', properties: {}, additionalProperties: true }
const pathTool = (name: string): Preset['tools'][number] =>
  defineTool({
    name,
    description: `Takes "a path", \`that\` \${is} given </script>.`,
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, env: { type: 'object', additionalProperties: { type: 'string' } }, more: {} },
      required: ['path'],
    },
    run: () => '',
  })
/** Names that have to be changed for a provider, and a tool that strict mode cannot say. */
const ODD: Preset = {
  name: 'odd',
  validation: 'strict',
  tools: [
    pathTool('plain'),
    pathTool('a.dotted:name'),
    pathTool('1st'),
    defineTool({ name: 'open', description: 'Takes anything.', inputSchema: { ...any, allOf: [any] }, run: () => '' }),
  ],
}

const callOf = (entry: ManifestEntry, input: CodeCall['input'], more: Partial<CodeCall> = {}): CodeCall => ({
  entry,
  input,
  preset: 'standard',
  requires: [],
  isOwn: false,
  files: {},
  ...more,
})
const blocksOf = (name: string, call: CodeCall): readonly CodeBlock[] =>
  providerFormats.find((one) => one.name === name)?.blocks(call) ?? []
const jsonOf = (blocks: readonly CodeBlock[]): unknown[] =>
  blocks.flatMap(({ language, text }) => (language === 'json' ? [JSON.parse(text)] : []))
const INPUTS: readonly CodeCall['input'][] = [
  { path: 'a.ts' },
  ...HOSTILE.map((path) => ({ path })),
  { path: 'a', env: { A: '1', B: HOSTILE[0] } },
  { path: 'a', more: { deep: [1, { x: null }] } },
]

describe.each(ODD.tools)('a call of $name', ({ name }) => {
  const { runtime, caught } = catching(ODD)
  const entry = runtime.getModelManifest().find((one) => one.name === name) as ManifestEntry

  test.each(['OpenAI Chat', 'OpenAI Responses', 'Anthropic', 'Gemini'])('for %s is the same call when it comes back', async (format) => {
    for (const input of INPUTS) {
      caught.length = 0
      const blocks = blocksOf(format, callOf(entry, input))
      const [tool, response] = jsonOf(blocks)
      // The program beside it says whether the strict mode is left out.
      const strict = !blocks.at(-1)?.text.includes('strict: false')
      expect(JSON.stringify(tool)).toContain(`"strict":${strict}`.repeat(format.startsWith('OpenAI') ? 1 : 0))
      const ran = await runToolCalls(runtime, response, { strict })
      expect(ran.calls.map((call) => call.result)).toEqual([{ ok: true, output: 'caught' }])
      expect(caught).toEqual([{ name, input }])
    }
  })

  test('for AI SDK and for MCP is the same call too', async () => {
    const { client, mcp } = await connectInMemory(runtime)
    for (const input of INPUTS) {
      caught.length = 0
      const [tools, call] = jsonOf(blocksOf('AI SDK', callOf(entry, input))) as [object, { toolName: string; input: unknown }]
      expect(Object.keys(tools)).toEqual([call.toolName])
      const output = toAiSdkTools(runtime)[call.toolName]?.execute(call.input, { toolCallId: 'call_1' })
      for await (const _ of output as AsyncIterable<unknown>);
      const [tool, request] = jsonOf(blocksOf('MCP', callOf(entry, input))) as [object, { method: string; params: { name: string } }]
      expect(tool).toMatchObject({ name: request.params.name, inputSchema: { type: 'object' } })
      expect(request).toMatchObject({ jsonrpc: '2.0', method: 'tools/call' })
      await client.callTool(request.params)
      expect(caught).toEqual([
        { name, input },
        { name, input },
      ])
    }
    await mcp.close()
    await client.close()
  })

  test('as JSON is its name and its input', () => {
    for (const input of INPUTS) expect(jsonOf(blocksOf('JSON', callOf(entry, input)))).toEqual([{ name, input }])
  })
})

const MODULES = {
  toolport,
  'toolport/adapters/just-bash': justBash,
  'toolport/adapters/memory': memory,
  'toolport/adapters/quickjs': quickjs,
  'toolport/adapters/workspace-memory': workspaceMemory,
  'toolport/presets/standard': standard,
  'toolport/presets/loom': loom,
  'toolport/presets/loaf': loaf,
  'toolport/presets/loom-elixir': loomElixir,
  'toolport/presets/zeroclaw': zeroclaw,
}
const makers = {
  standard: standard.standard,
  loom: loom.loom,
  loaf: loaf.loaf,
  'loom-elixir': loomElixir.loomElixir,
  zeroclaw: zeroclaw.zeroclaw,
}

const HOSTILE_FILE = `${HOSTILE.slice(0, 8).join('\n')}\n`
const DOUBLE = `export default { name: 'double', description: 'Doubles.', inputSchema: { type: 'object', properties: { n: { type: 'number' } } }, run: ({ n }) => 2 * n }\n`

/** Preset, tool, input, files, what the program prints. */
const PROGRAMS: readonly [
  preset: keyof typeof makers,
  tool: string,
  input: CodeCall['input'],
  files: Record<string, string>,
  says: string,
][] = [
  ['standard', 'write_file', { path: 'a.txt', content: HOSTILE_FILE }, {}, 'a.txt'],
  ['standard', 'read_file', { path: 'a.txt', numbered: false }, { 'a.txt': HOSTILE_FILE }, HOSTILE[1]],
  [
    'standard',
    'edit_file',
    { path: 'a.txt', edits: [{ old_string: 'one', new_string: `\`\${two}\`` }] },
    { 'a.txt': 'one\n' },
    `+\`\${two}\``,
  ],
  ['standard', 'bash', { command: 'cat a.txt | tr a-z A-Z', env: { X: '1' } }, { 'a.txt': 'one\n' }, 'ONE'],
  ['standard', 'run_js', { code: `console.log(\`\${6 * 7}\`)` }, {}, '42'],
  ['standard', 'list_checkpoints', {}, {}, 'checkpoints'],
  ['loom', 'read_file', { path: 'a.txt' }, { 'a.txt': 'one\n' }, 'one'],
  ['loaf', 'bash', { command: 'echo hello' }, {}, 'hello'],
  ['loom-elixir', 'file_read', { file_path: 'a.txt' }, { 'a.txt': 'one\n' }, 'one'],
  ['zeroclaw', 'shell', { command: 'cat a.txt' }, { 'a.txt': 'one\n' }, 'one'],
  ['zeroclaw', 'memory_recall', {}, {}, ''],
]

const PROXY = { address: 'http://127.0.0.1:8787', services: ['exa'] } as const

const programOf = (call: CodeCall): string => toolportFormat.blocks(call)[0]?.text ?? ''

function entryOf(preset: keyof typeof makers, tool: string): Pick<CodeCall, 'entry' | 'requires' | 'preset'> {
  const { tools } = makers[preset]()
  const found = tools.filter(({ name }) => name === tool)
  const requires = found[0]?.requires ?? []
  // In the manifest whatever it needs.
  const runtime = createRuntime({ fs: createMemoryFs(), tools: found.map(({ requires: _, ...rest }) => rest) })
  return { entry: runtime.getModelManifest()[0] as ManifestEntry, requires, preset }
}

describe('a program of Toolport', () => {
  test.each(PROGRAMS)('of %s for %s runs, and prints what a model reads', async (preset, tool, input, files, says) => {
    const { entry, requires } = entryOf(preset, tool)
    const printed = await runProgram(programOf(callOf(entry, input, { preset, requires, files })), MODULES)
    expect(printed).toHaveLength(1)
    expect(printed[0]).not.toMatch(/^Error/)
    expect(printed[0]).toContain(says)
    expect('hacked' in globalThis).toBe(false)
  })

  test('brings the files of a tool of one’s own', async () => {
    const own = defineTool({ name: 'double', description: 'Doubles.', inputSchema: { type: 'object' }, run: () => 0 })
    const entry = createRuntime({ fs: createMemoryFs(), tools: [own] }).getModelManifest()[0] as ManifestEntry
    const call = callOf(entry, { n: 21 }, { isOwn: true, requires: ['js'], files: { '.toolport/tools/double.mjs': DOUBLE } })
    expect(await runProgram(programOf(call), MODULES)).toEqual(['42'])
  })

  test('of a preset that is not Toolport’s own is not made up', () => {
    const { entry } = entryOf('standard', 'glob')
    expect(() => programOf(callOf(entry, {}, { preset: 'mine' }))).toThrow('mine is not one of Toolport’s own')
  })
})

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What the loops of the providers take for granted. */
const GIVEN = `import type { ToolRuntime } from 'toolport'
declare const runtime: ToolRuntime
declare const client: any, model: any, max_tokens: number, prompt: string
declare const messages: unknown[], input: unknown[], contents: unknown[]
`

test('all of it is TypeScript that the compiler takes, in strict mode', () => {
  const sources = new Map<string, string>()
  for (const [index, [preset, tool, input, files]] of PROGRAMS.entries()) {
    const { entry, requires } = entryOf(preset, tool)
    sources.set(`program-${index}.ts`, programOf(callOf(entry, input, { preset, requires, files })))
  }
  const { entry, requires } = entryOf('standard', 'install_js_packages')
  sources.set('install.ts', programOf(callOf(entry, { packages: ['left-pad'] }, { requires })))
  const own = callOf(entry, {}, { requires: ['js'], isOwn: true, files: { '.toolport/tools/double.mjs': DOUBLE } })
  sources.set('own.ts', programOf(own))
  for (const { name, searches } of presetChoices)
    for (const token of searches ? ['', 'YOUR_TOKEN'] : []) {
      const search = { origin: 'http://127.0.0.1:8787', options: searches?.options({ ...PROXY, token }) ?? {} }
      sources.set(`search-${name}-${token}.ts`, programOf(callOf(entry, { query: 'a' }, { preset: name, search })))
    }
  const odd = catching(ODD).runtime.getModelManifest()
  for (const { name } of providerFormats)
    for (const one of odd) {
      const code = blocksOf(name, callOf(one, INPUTS[1] ?? {})).filter(({ language }) => language === 'ts')
      for (const [index, { text }] of code.entries())
        sources.set(`${name.replace(' ', '-')}-${one.alias}-${index}.ts`, `${text}\n${GIVEN}export {}\n`)
    }
  expect(sources.size).toBeGreaterThan(30)
  expect(problemsOf(sources)).toEqual([])
})

/** Diagnostics of the compiler for these programs, in the settings of the tests. */
function problemsOf(sources: ReadonlyMap<string, string>): string[] {
  const folder = `${ROOT}.cache/call-code/`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of sources) writeFileSync(`${folder}${name}`, text)
  const settings = { extends: '../../test/tsconfig.json', include: ['.'], exclude: [], references: [] }
  // Not tsconfig.json: Vite watches that name, and would reload the pages of the tests.
  const project = `${folder}programs.json`
  writeFileSync(project, JSON.stringify(settings))
  const tsc = [`${ROOT}node_modules/typescript/bin/tsc`, '-p', project, '--pretty', 'false']
  const { status, stdout, stderr } = spawnSync(process.execPath, tsc, { cwd: folder, encoding: 'utf8' })
  expect({ status: status ?? 'killed', stderr }).toEqual({ status: expect.any(Number), stderr: '' })
  // The library is checked in settings of its own: lines about files outside the folder, and continuation lines, do not count.
  return stdout.split('\n').filter((line) => /^[^\s.]/.test(line))
}

test('what a model reads is what a program prints', async () => {
  const { entry, requires } = entryOf('standard', 'read_file')
  const runtime = createRuntime({ fs: createMemoryFs({ files: { 'a.txt': 'one\n' } }), preset: standard.standard() })
  const result = await runtime.execute({ name: 'read_file', input: { path: 'a.txt' } })
  const call = callOf(entry, { path: 'a.txt' }, { requires, files: { 'a.txt': 'one\n' } })
  expect(await runProgram(programOf(call), MODULES)).toEqual([toModelText(result)])
})
