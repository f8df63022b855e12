// @module-tag formats
import type { JsonSchema } from 'toolport'
import { toOpenAiChatTools, toStrict } from 'toolport/formats'
import { describe, expect, it } from 'vitest'
import { answered, runtimeWith } from './echo.js'
import { strictProblems } from './strict-linter.js'

const object = (properties: JsonSchema, required: readonly string[] = [], more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  required,
  ...more,
})
const [text, number, maybe] = [{ type: 'string' }, { type: 'number' }, { type: ['number', 'null'] }]
const union = (...anyOf: readonly JsonSchema[]): JsonSchema => object({ u: { anyOf } }, ['u'])

describe('a union in strict mode', () => {
  it.each([
    ['types of another property', union(object({ x: text, y: number }, ['x']), object({ x: number, y: maybe }, ['x', 'y']))],
    ['names', union(object({ y: number }), object({ x: number, y: maybe }, ['x', 'y']))],
    ['nested properties', union(object({ x: object({ z: text }, ['z']), y: number }, ['x']), object({ x: number, y: maybe }, ['x', 'y']))],
  ])('is restored for %s', async (_, schema) => {
    const runtime = runtimeWith(schema)
    expect(toOpenAiChatTools(runtime)[0]?.function.strict).toBe(true)
    const said = { u: { x: 1, y: null } }
    expect(await answered(runtime, said)).toEqual({ input: said })
  })

  it('leaves out values added for a branch other than the first', () => {
    const strict = toStrict(union(object({ a: text }), object({ b: text })))
    expect(strict?.restore({ u: { b: null } })).toEqual({ u: {} })
    expect(strict?.restore({ u: { b: 'x' } })).toEqual({ u: { b: 'x' } })
  })

  it('is restored if names are missing or types are wrong', () => {
    const strict = toStrict(
      union(
        object({ kind: { const: 'a' }, x: text, y: text }, ['kind', 'x']),
        object({ kind: { const: 'b' }, x: text, z: text }, ['kind', 'x']),
      ),
    )
    expect(strict?.restore({ u: { kind: 'b', x: 'x' } })).toEqual({ u: { kind: 'b', x: 'x' } })
    expect(strict?.restore({ u: { kind: 'b', z: null } })).toEqual({ u: { kind: 'b' } })
    expect(strict?.restore({ u: { kind: 'b', x: 1, z: null } })).toEqual({ u: { kind: 'b', x: 1 } })
  })

  it.each([
    ['absent in one branch, null in the other', union(object({ y: number }), object({ y: maybe }, ['y']))],
    ['text, and JSON as text', union(object({ y: text }, ['y']), object({ y: {} }, ['y']))],
    [
      'a map, and a list of pairs',
      union(
        { type: 'object', additionalProperties: text },
        { type: 'array', items: object({ name: text, value: text }, ['name', 'value']) },
      ),
    ],
    ['a branch through a reference', { ...union({ $ref: '#/$defs/a' }, object({ y: maybe }, ['y'])), $defs: { a: object({ y: number }) } }],
    ['list branches', union({ type: 'array', items: object({ y: number }) }, { type: 'array', items: object({ y: maybe }, ['y']) })],
    ['a nested union', union(text, { oneOf: [object({ y: number }), number] }, object({ y: maybe }, ['y']))],
  ])('is not rendered if one value would be ambiguous: %s', async (_, schema) => {
    expect(toStrict(schema)).toBeUndefined()
    const runtime = runtimeWith(schema)
    expect(toOpenAiChatTools(runtime)[0]?.function.strict).toBe(false)
  })

  it('is rendered if both branches give the same meaning', () => {
    for (const schema of [
      union(object({ y: number }), object({ y: { type: 'integer' } })),
      union(object({ y: number }), object({ y: number }, ['y'])),
      {
        ...union({ $ref: '#/$defs/a' }, object({ next: { $ref: '#/$defs/a' } }, ['next'])),
        $defs: { a: object({ next: { anyOf: [{ $ref: '#/$defs/a' }, text] } }, ['next']) },
      },
    ])
      expect(strictProblems(toStrict(schema)?.schema ?? {})).toEqual([])
  })

  it('a union of deeply nested branches is restored in linear time', () => {
    const node = (leaf: JsonSchema): JsonSchema => object({ next: { $ref: '#/$defs/node' }, leaf }, ['next', 'leaf'])
    const strict = toStrict({
      ...object({ node: { $ref: '#/$defs/node' } }, ['node']),
      $defs: { node: { anyOf: [node(text), node(number), { type: 'null' }] } },
    })
    let deep: unknown = null
    for (let n = 0; n < 60; n++) deep = { next: deep, leaf: n }
    expect(strict?.restore({ node: deep })).toEqual({ node: deep })
  })
})
