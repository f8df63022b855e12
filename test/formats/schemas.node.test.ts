// @module-tag formats
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createRuntime, type JsonSchema } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createQuickJs } from 'toolport/adapters/quickjs'
import { toAnthropicTools, toGeminiTools, toMcpTools, toOpenAiChatTools, toOpenAiResponsesTools } from 'toolport/formats'
import { standard } from 'toolport/presets/standard'
import { afterAll, describe, expect, it } from 'vitest'
import fc from '../fast-check.js'
import { BETWEEN_FIELDS } from './between-fields.js'
import { valuesOf } from './from-schema.js'
import { LENIENCIES, NARROWER } from './leniencies.js'
import { ALL_TOOLS, type PresetTool } from './presets.js'
import { compiled, DIALECTS, expectAgrees, readLeniently, STRICT } from './schemas-support.js'
import { strictProblems } from './strict-linter.js'

const ajv = new Ajv2020({ ...STRICT, strictTypes: false })

describe.each(ALL_TOOLS)('$label', ({ entry }) => {
  it.each(DIALECTS)('has a valid schema of %s', (_, dialect) => {
    expect(() => compiled(entry.inputSchema, dialect)).not.toThrow()
  })

  it('has no union at the root, which some providers reject', () => {
    for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', '$ref']) expect(entry.inputSchema).not.toHaveProperty(keyword)
  })

  it('has a schema that is valid in strict mode', () => {
    const [chat] = toOpenAiChatTools([entry])
    const [flat] = toOpenAiResponsesTools([entry])
    expect(flat).toEqual({ type: 'function', ...chat?.function })
    expect(chat?.function.strict).toBe(true)
    expect(strictProblems(chat?.function.parameters as JsonSchema)).toEqual([])
  })

  it('is rendered for every client with an accepted name', () => {
    expect(toAnthropicTools([entry])).toEqual([{ name: entry.alias, description: entry.description, input_schema: entry.inputSchema }])
    const [gemini] = toGeminiTools([entry]).functionDeclarations
    expect(gemini?.name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
    expect(ajv.validateSchema(structuredClone(gemini?.parametersJsonSchema ?? {}))).toBe(true)
    expect(toMcpTools([entry])[0]).toMatchObject({ name: entry.alias, inputSchema: entry.inputSchema })
  })
})

describe.each(ALL_TOOLS)('$label', (tool) => {
  const { inputSchema } = tool.entry

  it('accepts exactly what its schema accepts, except by the listed rules', () => expectAgrees(tool, 30))

  it('counts the characters of long texts like its schema', async () => {
    const check = compiled(inputSchema)
    const required = (inputSchema.required ?? []) as string[]
    const needed = Object.fromEntries(required.map((name) => [name, (inputSchema.properties as Record<string, unknown>)[name]]))
    const [base] = fc.sample(valuesOf({ ...inputSchema, properties: needed }), 1) as [object]
    for (const [name, { maxLength, type }] of Object.entries(inputSchema.properties as Record<string, JsonSchema>)) {
      if (type !== 'string' || typeof maxLength !== 'number') continue
      for (const text of ['a'.repeat(maxLength), 'a'.repeat(maxLength + 1), '😀'.repeat(maxLength), '😀'.repeat(maxLength + 1)]) {
        const input = { ...base, [name]: text }
        expect([name, text.length, (await tool.call(input)).ok]).toEqual([name, text.length, check(input)])
      }
    }
  })
})

const toolOf = (preset: string, name: string): PresetTool => ALL_TOOLS.find(({ label }) => label === `${preset}: ${name}`) as PresetTool

describe('what a preset accepts beyond its schemas', () => {
  const all = Object.entries(LENIENCIES).flatMap(([preset, rules]) => rules.map((leniency) => ({ preset, ...leniency })))

  it.each(all)('$preset: $rule', async ({ preset, rule, example: [name, input] }) => {
    const tool = toolOf(preset, name)
    const check = compiled(tool.entry.inputSchema)
    expect(await tool.call(input)).toMatchObject({ ok: true })
    // The schema rejects the input, also after all other leniencies have been applied.
    const others = LENIENCIES[tool.preset].filter((other) => other.rule !== rule)
    const without = others.reduce((value, { undo }) => undo(value, tool.entry.inputSchema, name), input)
    expect([check(input), check(without), check(readLeniently(tool, input))]).toEqual([false, false, true])
  })
})

describe('what a tool rejects although its schema accepts it', () => {
  const all = Object.entries(NARROWER).flatMap(([preset, rules]) =>
    rules.flatMap(({ tools, ...rule }) => tools.map((name) => ({ preset, name, ...rule }))),
  )

  it.each(all)('$preset, $name: $why', async ({ preset, name, example, says }) => {
    const tool = toolOf(preset, name)
    const known = Object.keys(tool.entry.inputSchema.properties as object)
    const input = { ...(example as Record<string, unknown>) }
    if (preset === 'loom-elixir') for (const field of Object.keys(input)) if (!known.includes(field)) delete input[field]
    expect(compiled(tool.entry.inputSchema)(input)).toBe(true)
    expect(await tool.call(input)).toMatchObject({ ok: false, error: expect.stringMatching(says) })
  })
})

describe('rules between fields, which standard tools report when they are called', () => {
  const runtime = createRuntime({
    fs: createMemoryFs({ files: { a: 'a\n' } }),
    shell: createJustBashShell({ scratch: createMemoryFs() }),
    js: createQuickJs(),
    preset: standard(),
  })
  afterAll(() => runtime.dispose())

  it.each(BETWEEN_FIELDS)('%s: %s (%j)', async (name, _, input, issue) => {
    expect(compiled(toolOf('standard', name).entry.inputSchema)(input)).toBe(true)
    const { output } = await runtime.execute({ name, input })
    expect(output).toMatchObject({ code: 'invalid_input', issues: [{ path: issue }] })
  })
})
