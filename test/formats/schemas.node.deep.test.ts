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

  it.each(DIALECTS)('accepts exactly what its %s schema accepts, except by the listed rules', (_, dialect) =>
    expectAgrees(tool, 300, dialect),
  )

  it('accepts every value generated from its schema', async () => {
    const check = compiled(inputSchema)
    const property = fc.asyncProperty(valuesOf(inputSchema), async (input) => {
      expect(check(input)).toBe(true)
      const result = await tool.call(input)
      if (result.ok || isNarrower(tool, input, result)) return
      expect({ input, error: result.error }).toEqual({ input })
    })
    await fc.assert(property, { numRuns: 50 })
  })

  it('can get in strict mode every value that it can get otherwise', async () => {
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
