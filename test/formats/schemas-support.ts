import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonSchema, ToolError } from 'toolport'
import { expect } from 'vitest'
import fc from '../fast-check.js'
import { inputsOf } from './from-schema.js'
import { LENIENCIES, NARROWER } from './leniencies.js'
import type { PresetTool } from './presets.js'

// Only tests for Node import this file: Ajv generates code from text, which workerd forbids.

export const STRICT = { strict: true, strictTypes: true, strictRequired: false, allErrors: true, allowUnionTypes: true } as const

export const DIALECTS = [
  ['2020-12', new Ajv2020(STRICT)],
  ['draft-07', new Ajv(STRICT)],
] as const

type Check = (input: unknown) => boolean
export const compiled = (schema: JsonSchema, dialect: Ajv2020 | Ajv = DIALECTS[0][1]): Check =>
  dialect.compile(structuredClone(schema)) as Check

/** Rewrites input that the preset accepts by a documented leniency into input that the schema accepts. */
export const readLeniently = ({ preset, entry }: PresetTool, input: unknown): unknown =>
  LENIENCIES[preset].reduce((value, { undo }) => undo(value, entry.inputSchema, entry.name), input)

/** Whether `NARROWER` lists the reason why the tool rejects an input that the schema accepts. */
export function isNarrower({ preset, entry }: PresetTool, input: unknown, { error, output: { issues } }: ToolError): boolean {
  const rules = NARROWER[preset].filter(({ tools }) => tools.includes(entry.name))
  const isListed = (said: string): boolean =>
    rules.some(({ says, where }) => says.test(said) && (where?.(input as Readonly<Record<string, unknown>>) ?? true))
  return issues ? issues.every(({ path, message }) => isListed(`${path} ${message}`)) : isListed(error)
}

/** Expects, for random inputs, that the tool accepts exactly what its schema accepts, apart from the listed rules. */
export async function expectAgrees(tool: PresetTool, runs: number, dialect?: Ajv2020 | Ajv): Promise<void> {
  const check = compiled(tool.entry.inputSchema, dialect)
  const seen = { taken: 0, refused: 0 }
  const property = fc.asyncProperty(inputsOf(tool.entry.inputSchema), async (input) => {
    const result = await tool.call(input)
    seen[result.ok ? 'taken' : 'refused']++
    const said = check(input) || check(readLeniently(tool, input))
    if (!result.ok && said && isNarrower(tool, input, result)) return
    expect({ input, taken: result.ok, ...(!result.ok && said && { error: result.error }) }).toEqual({ input, taken: said })
  })
  await fc.assert(property, { numRuns: runs })
  expect(seen.taken).toBeGreaterThan(runs / 30)
  expect(seen.refused).toBeGreaterThan(0)
}
