// @module-tag formats
import type { JsonSchema } from 'toolport'
import { describe, expect, it } from 'vitest'
import { geminiProperties, rendered } from './gemini-properties.js'
import { ALL_TOOLS } from './presets.js'

const [text, number] = [{ type: 'string' }, { type: 'number' }]

describe('a tool schema for Gemini', () => {
  it('has the properties of all parts of allOf', () => {
    const schema = {
      type: 'object',
      allOf: [
        { properties: { a: text }, required: ['a'] },
        { properties: { b: number, c: { minimum: 1 } }, required: ['b'] },
      ],
      properties: { c: { type: 'integer', minimum: 0, description: 'mine' } },
      required: ['c'],
    }
    expect(rendered(schema)).toEqual({
      type: 'object',
      properties: { c: { type: 'integer', minimum: 1, description: 'mine' }, a: text, b: number },
      required: ['c', 'a', 'b'],
    })
  })

  it('allows what all parts of allOf allow together', () => {
    const allOf = [
      { type: ['number', 'string', 'null'], enum: ['a', 'b', 'c'], minItems: 1, maximum: 5, maxItems: 3 },
      { type: ['integer', 'string'], enum: ['c', 'b'], minItems: 2, maximum: 9, maxItems: 'x' },
    ]
    const { properties } = rendered({ type: 'object', properties: { x: { allOf } } })
    expect(properties).toEqual({ x: { type: ['string', 'integer'], enum: ['b', 'c'], minItems: 2, maximum: 5, maxItems: 3 } })
  })

  it('is closed if one part of allOf lists all properties', () => {
    const closed = (all: JsonSchema) => ({ type: 'object', properties: all, additionalProperties: false })
    expect(rendered({ ...closed({ a: text }), allOf: [{ required: ['a'] }] })).toEqual({ ...closed({ a: text }), required: ['a'] })
    expect(rendered({ ...closed({ a: text }), allOf: [{ properties: { b: text } }] })).not.toHaveProperty('additionalProperties')
  })

  it('has all references inlined', () => {
    const schema = {
      type: 'object',
      properties: {
        g: { $ref: '#/definitions/G', description: 'mine' },
        d: { $ref: '#/$defs/D' },
        p: { $ref: '#/properties/d' },
        none: { $ref: '#/nowhere' },
        list: { type: 'array', items: { allOf: [{ $ref: '#/definitions/O' }, { properties: { y: text } }] } },
      },
      definitions: { G: { ...number, description: 'theirs' }, O: { type: 'object', properties: { x: text }, required: ['x'] } },
      $defs: { D: text },
    }
    expect(rendered(schema)).toEqual({
      type: 'object',
      properties: {
        g: { ...number, description: 'mine' },
        d: text,
        p: text,
        none: {},
        list: { type: 'array', items: { type: 'object', properties: { y: text, x: text }, required: ['x'] } },
      },
    })
  })

  it('ends recursive schemas with an outline', () => {
    const outline = { type: 'object', description: 'A node' }
    const node = (next: JsonSchema): JsonSchema => ({ ...outline, properties: { next }, required: ['next'] })
    const properties = { node: { $ref: '#/$defs/node' } }
    const found = rendered({ type: 'object', properties, $defs: { node: node({ $ref: '#/$defs/node' }) } })
    expect(found).toEqual({ type: 'object', properties: { node: node(node(outline)) } })
    const root = { type: 'object', description: 'All', properties: { whole: { $ref: '#' } } }
    expect(rendered(root)).toMatchObject({ properties: { whole: { properties: { whole: { type: 'object', description: 'All' } } } } })
  })

  it('does not grow exponentially', () => {
    const names = Array.from({ length: 12 }, (_, n) => `t${n}`)
    const all = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]))
    const defs = Object.fromEntries(names.map((name) => [name, { type: 'object', properties: all }]))
    expect(JSON.stringify(rendered({ type: 'object', properties: all, $defs: defs })).length).toBeLessThan(200_000)
  })

  it('lists every required name among its properties', () => {
    const schema = {
      type: 'object',
      properties: { a: text },
      required: ['a', 'b'],
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      additionalProperties: number,
    }
    expect(rendered(schema)).toEqual({ type: 'object', properties: { a: text, b: number }, required: ['a', 'b'] })
  })

  it.each(ALL_TOOLS)('$label: is valid for Gemini', ({ entry }) => {
    rendered(entry.inputSchema)
  })

  geminiProperties()
})
