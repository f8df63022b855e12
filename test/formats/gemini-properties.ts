import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonSchema } from 'toolport'
import { toGeminiTools } from 'toolport/formats'
import { expect, it } from 'vitest'
import fc, { rounds } from '../fast-check.js'
import { geminiProblems } from './gemini-linter.js'
import { saidOf, schemas } from './random-schemas.js'

// Only tests for Node import this file: Ajv generates code from text, which workerd forbids.

export function rendered(inputSchema: JsonSchema): JsonSchema {
  const entry = { name: 'tool', alias: 'tool', description: 'd', inputSchema }
  const schema = toGeminiTools([entry]).functionDeclarations[0]?.parametersJsonSchema ?? {}
  expect({ inputSchema, problems: geminiProblems(schema) }).toEqual({ inputSchema, problems: [] })
  return schema
}

// One instance for all schemas, because creating it takes longer than validating a small schema.
const ajv = new Ajv2020({ strict: false })

const takes = (schema: JsonSchema, value: unknown): boolean => ajv.validate(structuredClone(schema), value)

export function geminiProperties(): void {
  it('accepts every value that the original schema accepts', () => {
    const cases = schemas.chain((schema) => fc.tuple(fc.constant(schema), saidOf(schema)))
    const property = fc.property(cases, ([schema, { value }]) => {
      // A value that fits two branches of `oneOf` is invalid, but the rendered schema accepts it.
      if (takes(schema, value)) expect(takes(rendered(schema), value)).toBe(true)
    })
    fc.assert(property, { numRuns: rounds(400) })
  })

  it('accepts every value that two combined schemas accept', () => {
    let taken = 0
    const cases = fc
      .tuple(schemas, schemas)
      .chain(([one, { $defs: _, ...other }]) =>
        fc.tuple(fc.constant({ ...one, allOf: [other] }), saidOf(one), saidOf({ ...other, $defs: one.$defs })),
      )
    const property = fc.property(cases, ([schema, { value: one }, { value: other }]) => {
      const value = { ...(other as object), ...(one as object) }
      if (!takes(schema, value)) return
      taken++
      expect(takes(rendered(schema), value)).toBe(true)
    })
    fc.assert(property, { numRuns: rounds(1000) })
    expect(taken).toBeGreaterThan(rounds(100))
  })
}
