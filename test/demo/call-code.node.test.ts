// @module-tag playground
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as toolport from 'toolport'
import { createRuntime, defineTool, type JsonSchema, type ManifestEntry, toModelText } from 'toolport'
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
import type { CodeBlock } from '../../demo/src/code/code-call.js'
import { jsonText, stringLiteral } from '../../demo/src/code/escapes.js'
import { literal } from '../../demo/src/code/literal.js'
import { strictInput } from '../../demo/src/code/strict-input.js'
import { connectInMemory } from '../entries/mcp-support.js'
import fc from '../fast-check.js'
import { valuesOf } from '../formats/from-schema.js'
import { ALL_TOOLS } from '../formats/presets.js'
import { blocksOf, callOf, catching, DOUBLE, entryOf, HOSTILE, INPUTS, ODD, PROGRAMS, programOf } from './call-code-parts.js'
import { runProgram } from './run-program.js'

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

/** Characters that are invisible or move other text, and markup that ends a script or starts a comment. */
const HIDDEN = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?![\n\t])\p{Cc}|<\/?script|<!--/iu

const evaluated = (code: string): unknown => new Function(`'use strict'; return (${code})`)()

describe('a value in generated code', () => {
  test('is the same value as TypeScript, with visible characters only', () => {
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

  test('is the same value as JSON', () => {
    fc.assert(
      fc.property(hostileValue, (value) => {
        const text = jsonText(value)
        expect(text).not.toMatch(HIDDEN)
        expect(JSON.parse(text)).toEqual(value)
      }),
      { numRuns: 500 },
    )
  })

  test('is readable: short values on one line, and multi-line texts as such', () => {
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

const ajv = new Ajv2020({ strict: false })

describe('an input in OpenAI strict mode', () => {
  test.each(ALL_TOOLS)('matches the schema of $label and is restored', ({ entry: { inputSchema } }) => {
    const strict = toStrict(inputSchema)
    const fits = ajv.compile(structuredClone(strict?.schema ?? {}) as JsonSchema)
    fc.assert(
      fc.property(valuesOf(inputSchema), (input) => {
        const said = strictInput(input, inputSchema)
        expect({ said, fits: fits(said) }).toEqual({ said, fits: true })
        expect(strict?.restore(said)).toEqual(input)
      }),
      { numRuns: 40 },
    )
  })

  test('is omitted if strict mode cannot express it', () => {
    const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
    expect(strictInput({ path: 'a' }, schema)).toEqual({ path: 'a' })
    expect(strictInput({ path: 'a', more: 1 }, schema)).toBeUndefined()
    expect(strictInput({}, schema)).toBeUndefined()
    expect(strictInput({ a: 1 }, { type: 'object', allOf: [schema] })).toBeUndefined()
  })
})

const jsonOf = (blocks: readonly CodeBlock[]): unknown[] =>
  blocks.flatMap(({ language, text }) => (language === 'json' ? [JSON.parse(text)] : []))

describe.each(ODD.tools)('a call of $name', ({ name }) => {
  const { runtime, caught } = catching(ODD)
  const entry = runtime.getModelManifest().find((one) => one.name === name) as ManifestEntry

  test.each(['OpenAI Chat', 'OpenAI Responses', 'Anthropic', 'Gemini'])('a call as %s is parsed as the same call', async (format) => {
    for (const input of INPUTS) {
      caught.length = 0
      const blocks = blocksOf(format, callOf(entry, input))
      const [tool, response] = jsonOf(blocks)
      // The program beside the tool says whether strict mode is off.
      const strict = !blocks.at(-1)?.text.includes('strict: false')
      expect(JSON.stringify(tool)).toContain(`"strict":${strict}`.repeat(format.startsWith('OpenAI') ? 1 : 0))
      const ran = await runToolCalls(runtime, response, { strict })
      expect(ran.calls.map((call) => call.result)).toEqual([{ ok: true, output: 'caught' }])
      expect(caught).toEqual([{ name, input }])
    }
  })

  test('the code for AI SDK and MCP makes the same call', async () => {
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

  test('a call as JSON is its name and input', () => {
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

describe('a generated Toolport program', () => {
  test.each(PROGRAMS)('a program of %s for %s runs and prints the model text', async (preset, tool, input, files, says) => {
    const { entry, requires } = entryOf(preset, tool)
    const printed = await runProgram(programOf(callOf(entry, input, { preset, requires, files })), MODULES)
    expect(printed).toHaveLength(1)
    expect(printed[0]).not.toMatch(/^Error/)
    expect(printed[0]).toContain(says)
    expect('hacked' in globalThis).toBe(false)
  })

  test('contains the files of a custom tool', async () => {
    const own = defineTool({ name: 'double', description: 'Doubles.', inputSchema: { type: 'object' }, run: () => 0 })
    const entry = createRuntime({ fs: createMemoryFs(), tools: [own] }).getModelManifest()[0] as ManifestEntry
    const call = callOf(entry, { n: 21 }, { isOwn: true, requires: ['js'], files: { '.toolport/tools/double.mjs': DOUBLE } })
    expect(await runProgram(programOf(call), MODULES)).toEqual(['42'])
  })

  test('is not available for a custom preset', () => {
    const { entry } = entryOf('standard', 'glob')
    expect(() => programOf(callOf(entry, {}, { preset: 'mine' }))).toThrow('mine is not one of Toolport’s own')
  })
})

test('prints the same as the model text', async () => {
  const { entry, requires } = entryOf('standard', 'read_file')
  const runtime = createRuntime({ fs: createMemoryFs({ files: { 'a.txt': 'one\n' } }), preset: standard.standard() })
  const result = await runtime.execute({ name: 'read_file', input: { path: 'a.txt' } })
  const call = callOf(entry, { path: 'a.txt' }, { requires, files: { 'a.txt': 'one\n' } })
  expect(await runProgram(programOf(call), MODULES)).toEqual([toModelText(result)])
})
