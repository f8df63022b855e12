// @module-tag playground
import '../../demo/src/styles/index.css'
import { Text } from '@codemirror/state'
import { describe, expect, test } from 'vitest'
import { createDraftStore } from '../../demo/src/editor/drafts.js'
import { languageOf } from '../../demo/src/editor/languages.js'
import { joinChanges } from '../../demo/src/editor/three-way.js'
import fc from '../fast-check.js'

describe('stored drafts', () => {
  test('are limited: the base is dropped first, then the text is rejected', () => {
    const store = createDraftStore()
    const big = 'x'.repeat(1_500_000)
    const draft = { path: 'a', text: big, time: 1, visit: '1' }
    expect(store.put('w', { ...draft, base: big })).toBe(true)
    expect(store.list('w')).toEqual([draft])
    expect(store.put('other', { ...draft, path: 'b' })).toBe(false)
    expect(store.put('w', { ...draft, time: 2 })).toBe(true)
    store.remove('w', draft)
    expect(store.list('w')).toEqual([])
  })

  test.each(['null', '3', '{"w": 3}', '{"w": [{"path": 1}]}', '{'])('are checked when they are read: %s', (stored) => {
    localStorage.setItem('toolport.drafts', stored)
    expect(createDraftStore('toolport.drafts').list('w')).toEqual([])
  })
})

describe('editor text', () => {
  test('text of an unknown language is plain', async () => {
    expect(await languageOf('notes.unknown')).toBeUndefined()
    expect(await languageOf('Dockerfile')).toBeDefined()
  })

  test.each(['light', 'dark'])('has a contrast of at least 4.5, %s', (theme) => {
    document.documentElement.dataset.theme = theme
    const grounds = ['--panel', '--editor-line', '--changed-soft', '--changed-strong', '--added-soft', '--removed-soft']
    const inks = ['--ink', ...['keyword', 'string', 'comment', 'number', 'type', 'call'].map((kind) => `--tok-${kind}`)]
    for (const ground of grounds) {
      for (const ink of inks) expect(contrast(colour(ink), colour(ground)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
  })
})

describe('joinChanges', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 6 }).map((lines) => Text.of(['', ...lines]))

  test('keeps changes of both sides, and equal ones once', () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        expect(joinChanges(base, base, other).changes.apply(base).toString()).toBe(other.toString())
        expect(joinChanges(base, other, base).changes.apply(other).toString()).toBe(other.toString())
        const same = joinChanges(base, other, other)
        expect([same.changes.apply(other).toString(), same.clashes]).toEqual([other.toString(), 0])
      }),
    )
  })

  test.each([
    ['a b c d e', 'A b c d e', 'a b c d E', 'A b c d E', 0],
    ['a b c d e', 'A b c d e', 'X b c d e', 'A b c d e', 1],
    ['a b c d e', 'a b c d e f', 'X a b c d e', 'X a b c d e f', 0],
    ['a b c d e', 'a c d e', 'a b c d', 'a c d', 0],
    ['a', 'b', 'c', 'b', 1],
  ])('%s: %s and %s', (base, mine, theirs, expected, clashes) => {
    const [one, two, three] = [base, mine, theirs].map((line) => Text.of(line.split(' '))) as [Text, Text, Text]
    const joined = joinChanges(one, two, three)
    expect(joined.changes.apply(two).toJSON().join(' ')).toBe(expected)
    expect(joined.clashes).toBe(clashes)
  })
})

/** The red, green and blue of a colour token, from 0 to 1. */
function colour(token: string): [number, number, number] {
  const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const style = document.createElement('span')
  document.body.append(style)
  style.style.color = `var(${token})`
  if (!probe) throw new Error('No canvas')
  probe.fillStyle = getComputedStyle(style).color
  style.remove()
  probe.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = probe.getImageData(0, 0, 1, 1).data
  return [red / 255, green / 255, blue / 255]
}

function contrast(a: [number, number, number], b: [number, number, number]): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(parts: [number, number, number]): number {
  const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
