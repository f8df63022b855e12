// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, test } from 'vitest'
import { joined } from '../../demo/src/tree/commands.js'

describe('the target of a move', () => {
  test.each([
    ['src', 'b.ts', 'src/b.ts'],
    ['src', '../b.ts', 'b.ts'],
    ['src', '/b.ts', 'b.ts'],
    ['src', './x//b.ts', 'src/x/b.ts'],
    ['', 'b', 'b'],
    ['src', '../../b', undefined],
    ['src', '..', ''],
    ['', '..', undefined],
  ])('from %j to %j leads to %j', (directory, name, expected) => {
    expect(joined(directory, name)).toBe(expected)
  })
})
