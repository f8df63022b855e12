// @module-tag zeroclaw
import { booleanParam, numberParam, objectParam, optionalStringParam, stringParam } from 'toolport/presets/zeroclaw'
import { describe, expect, it } from 'vitest'

const args = { text: 'value', empty: '', number: 2.5, zero: 0, yes: true, no: false, object: { a: 1 }, list: [1], nothing: null }

describe('the parameter extraction patterns cap:23', () => {
  it('a string, or an error', () => {
    expect(stringParam(args, 'text')).toBe('value')
    expect(stringParam(args, 'empty')).toBe('')
    for (const name of ['param_name', 'number', 'yes', 'object', 'list', 'nothing', 'toString', '__proto__']) {
      expect(() => stringParam(args, name)).toThrow(`Missing '${name}' parameter`)
    }
    expect(() => stringParam({}, 'param_name', "Missing 'param_name'")).toThrow(/^Missing 'param_name'$/)
  })

  it('an optional string', () => {
    expect(optionalStringParam(args, 'text')).toBe('value')
    expect(optionalStringParam(args, 'param_name')).toBeUndefined()
    expect(optionalStringParam(args, 'number')).toBeUndefined()
  })

  it('a number, or its default', () => {
    expect(numberParam(args, 'number', 10.0)).toBe(2.5)
    expect(numberParam(args, 'zero', 10.0)).toBe(0)
    expect(numberParam(args, 'param_name', 10.0)).toBe(10)
    expect(numberParam({ param_name: '3' }, 'param_name', 10.0)).toBe(10)
    expect(numberParam({ param_name: Number.NaN }, 'param_name', 10.0)).toBe(10)
  })

  it('a boolean, or its default', () => {
    expect(booleanParam(args, 'yes', false)).toBe(true)
    expect(booleanParam(args, 'no', true)).toBe(false)
    expect(booleanParam(args, 'param_name', false)).toBe(false)
    expect(booleanParam({ param_name: 'true' }, 'param_name', false)).toBe(false)
    expect(booleanParam({ param_name: 1 }, 'param_name', false)).toBe(false)
  })

  it('an object, or an error', () => {
    expect(objectParam(args, 'object')).toEqual({ a: 1 })
    for (const name of ['param_name', 'list', 'nothing', 'text'])
      expect(() => objectParam(args, name)).toThrow(/^Missing object parameter$/)
  })
})
