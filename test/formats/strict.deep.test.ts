// @module-tag formats
import { toStrict } from 'toolport/formats'
import { describe, expect, it } from 'vitest'
import fc from '../fast-check.js'
import { answered, runtimeWith } from './echo.js'
import { saidOf, schemas } from './random-schemas.js'
import { strictProblems } from './strict-linter.js'

describe('any random schema', () => {
  const cases = schemas.chain((schema) => fc.tuple(fc.constant(schema), saidOf(schema)))

  it('any schema that strict mode supports restores the intended value', () => {
    const seen = { said: 0, refused: 0 }
    const property = fc.property(cases, ([schema, { value, said }]) => {
      const strict = toStrict(schema)
      seen[strict ? 'said' : 'refused']++
      if (!strict) return
      expect(strictProblems(strict.schema)).toEqual([])
      expect(strict.restore(said)).toEqual(value)
    })
    fc.assert(property, { numRuns: 3000 })
    expect(seen.said).toBeGreaterThan(1500)
    expect(seen.refused).toBeGreaterThan(100)
  })

  it('accepts the same values in strict mode', async () => {
    let taken = 0
    const property = fc.asyncProperty(cases, async ([schema, { value, said }]) => {
      if (!toStrict(schema)) return
      const runtime = runtimeWith(schema)
      const { ok, output } = await runtime.execute({ name: 'echo', input: value })
      // A value that fits two branches of `oneOf` is rejected.
      if (!ok) return
      taken++
      expect(await answered(runtime, said)).toEqual(output)
    })
    await fc.assert(property, { numRuns: 300 })
    expect(taken).toBeGreaterThan(150)
  })
})
