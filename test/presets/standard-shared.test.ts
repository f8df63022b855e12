// @module-tag standard
import { standard } from 'toolport/presets/standard'
import { expect, it } from 'vitest'

it('the standard preset shares the schemas of its tools between runtimes', () => {
  const schemas = (preset = standard()) => Object.fromEntries(preset.tools.map(({ name, inputSchema }) => [name, inputSchema]))
  const [one, other] = [schemas(), schemas(standard({ jsTools: { grants: { fetch: true } }, customTools: { timeoutMs: 1 } }))]
  expect(Object.keys(one).length).toBeGreaterThan(20)
  for (const [name, schema] of Object.entries(one)) expect(schema, name).toBe(other[name])
})
