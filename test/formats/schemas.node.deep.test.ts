// @module-tag formats
import { toStrict } from 'toolport/formats'
import { describe, expect, it } from 'vitest'
import fc from '../fast-check.js'
import { valuesOf } from './from-schema.js'
import { ALL_TOOLS } from './presets.js'
import { compiled, DIALECTS, expectAgrees, isNarrower } from './schemas-support.js'
import { spell } from './spell.js'

describe.each(ALL_TOOLS)('$label', (tool) => {
  const { inputSchema } = tool.entry

  it.each(DIALECTS)('takes what its schema of %s takes, and nothing else but by the rules that are listed', (_, dialect) =>
    expectAgrees(tool, 300, dialect),
  )

  it('takes all that is made by its schema', async () => {
    const check = compiled(inputSchema)
    const property = fc.asyncProperty(valuesOf(inputSchema), async (input) => {
      expect(check(input)).toBe(true)
      const result = await tool.call(input)
      if (result.ok || isNarrower(tool, input, result)) return
      expect({ input, error: result.error }).toEqual({ input })
    })
    await fc.assert(property, { numRuns: 50 })
  })

  it('can be told, in strict mode, all that it can be told without', async () => {
    const strict = toStrict(inputSchema)
    const said = compiled(strict?.schema ?? {})
    // Strict mode cannot express property names that no schema lists.
    const property = fc.property(valuesOf(inputSchema), (input) => {
      const spelled = spell(input, inputSchema)
      expect({ spelled, ok: said(spelled) }).toEqual({ spelled, ok: true })
      expect(strict?.restore(spelled)).toEqual(input)
    })
    fc.assert(property, { numRuns: 100 })
  })
})
