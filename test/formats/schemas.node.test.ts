import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonSchema } from 'toolport'
import { toAnthropicTools, toGeminiTools, toMcpTools, toOpenAiChatTools, toOpenAiResponsesTools, toStrict } from 'toolport/formats'
import { describe, expect, it } from 'vitest'
import fc from '../fast-check.js'
import { inputsOf } from './from-schema.js'
import { ALL_TOOLS, type PresetTool } from './presets.js'
import { strictProblems } from './strict-linter.js'

// Ajv makes functions of text, which workerd does not allow.

const RUNS = 100
const STRICT = { strict: true, strictTypes: true, strictRequired: false, allErrors: true, allowUnionTypes: true } as const
/** `standard` says all that it takes; the other presets take more than they say, as their documents have it. */
const OWN = ALL_TOOLS.filter(({ label }) => label.startsWith('standard: '))

const takes = async ({ registry, entry }: PresetTool, input: unknown): Promise<boolean> =>
  (await registry.find(entry.name)?.validator.validate(input))?.ok === true

const compiled = (schema: JsonSchema) => new Ajv2020(STRICT).compile(structuredClone(schema))

describe.each(ALL_TOOLS)('$label', ({ entry }) => {
  it.each([
    ['2020-12', () => new Ajv2020(STRICT)],
    ['draft-07', () => new Ajv(STRICT)],
  ])('has a schema of %s', (_, make) => {
    expect(() => make().compile(structuredClone(entry.inputSchema))).not.toThrow()
  })

  it('has a schema that strict mode takes, or says that it has none', () => {
    const [chat] = toOpenAiChatTools([entry])
    const [flat] = toOpenAiResponsesTools([entry])
    expect(flat).toEqual({ type: 'function', ...chat?.function })
    expect(chat?.function.strict).toBe(true)
    expect(strictProblems(chat?.function.parameters as JsonSchema)).toEqual([])
  })

  it('is rendered for every client by a name that each of them takes', () => {
    expect(toAnthropicTools([entry])).toEqual([{ name: entry.alias, description: entry.description, input_schema: entry.inputSchema }])
    const [gemini] = toGeminiTools([entry]).functionDeclarations
    expect(gemini?.name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
    expect(new Ajv2020({ ...STRICT, strictTypes: false }).validateSchema(structuredClone(gemini?.parametersJsonSchema ?? {}))).toBe(true)
    expect(toMcpTools([entry])[0]).toMatchObject({ name: entry.alias, inputSchema: entry.inputSchema })
  })
})

describe.each(OWN)('$label', (tool) => {
  const { inputSchema } = tool.entry

  it.each([
    ['2020-12', () => new Ajv2020(STRICT)],
    ['draft-07', () => new Ajv(STRICT)],
  ])('has a schema of %s that refuses nothing that the tool takes', async (_, make) => {
    const check = make().compile(structuredClone(inputSchema))
    let taken = 0
    const property = fc.asyncProperty(inputsOf(inputSchema), async (input) => {
      if (!(await takes(tool, input))) return
      taken++
      expect({ input, ok: check(input) }).toEqual({ input, ok: true })
    })
    await fc.assert(property, { numRuns: RUNS })
    expect(taken).toBeGreaterThan(0)
  })

  it('can be told, in strict mode, all that it can be told without', async () => {
    const strict = toStrict(inputSchema)
    const said = compiled(strict?.schema ?? {})
    const property = fc.asyncProperty(inputsOf(inputSchema), async (input) => {
      if (!(await takes(tool, input))) return
      const spelled = spell(input, inputSchema)
      expect({ spelled, ok: said(spelled) }).toEqual({ spelled, ok: true })
      expect(strict?.restore(spelled)).toEqual(input)
    })
    await fc.assert(property, { numRuns: RUNS })
  })
})

const record = (value: unknown): JsonSchema | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined

/** As a model in strict mode has to say it. */
function spell(value: unknown, schema: JsonSchema): unknown {
  const branches = [schema.anyOf, schema.oneOf]
    .flat()
    .flatMap((branch): JsonSchema[] => [record(branch) ?? {}])
    .filter((branch) => Object.keys(branch).length > 0)
  if (branches.length > 0) {
    const fitting = branches.find((branch) => new Ajv2020({ strict: false }).validate(structuredClone(branch), value))
    return fitting ? spell(value, fitting) : value
  }
  const [properties, others] = [record(schema.properties), record(schema.additionalProperties)]
  const isAny = !properties && (schema.type === undefined || (schema.type === 'object' && Object.keys(others ?? {}).length === 0))
  if (isAny && !schema.enum) return JSON.stringify(value)
  if (Array.isArray(value)) return value.map((item) => spell(item, record(schema.items) ?? {}))
  const object = record(value)
  if (!object) return value
  if (!properties) return Object.entries(object).map(([name, item]) => ({ name, value: spell(item, others ?? {}) }))
  const all = Object.entries(properties).map(([name, property]) => [
    name,
    Object.hasOwn(object, name) ? spell(object[name], record(property) ?? {}) : null,
  ])
  return { ...object, ...Object.fromEntries(all) }
}
