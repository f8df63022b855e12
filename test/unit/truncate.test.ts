import { describe, expect, test } from 'vitest'
import { headTail } from '../../src/ops/truncate.js'
import { utf8Length } from '../../src/ops/utf8.js'
import fc from '../fast-check.js'

const note = (cut: number): string => `\n[${cut} bytes left out]\n`

describe('headTail', () => {
  test('leaves what fits as it is', () => {
    expect(headTail('short', 5, note)).toEqual({ text: 'short', cut: 0 })
    expect(headTail('→→', 6, note)).toEqual({ text: '→→', cut: 0 })
    expect(headTail('', 0, note)).toEqual({ text: '', cut: 0 })
  })

  test('keeps about 60 to 40 of beginning and end', () => {
    const text = `${'h'.repeat(5000)}${'t'.repeat(5000)}`
    const { text: kept, cut } = headTail(text, 1000, note)
    const head = kept.indexOf('\n')
    const tail = kept.length - kept.lastIndexOf('\n') - 1
    expect(utf8Length(kept)).toBeGreaterThan(990)
    expect(utf8Length(kept)).toBeLessThanOrEqual(1000)
    expect(head / (head + tail)).toBeCloseTo(0.6, 2)
    expect(cut).toBe(10_000 - head - tail)
    expect(kept).toContain(`[${cut} bytes left out]`)
  })

  test('cuts at lines where they are near', () => {
    const text = Array.from({ length: 500 }, (_, i) => `line ${i}\n`).join('')
    const { text: kept } = headTail(text, 600, note)
    for (const line of kept.split('\n')) expect(line).toMatch(/^(line \d+|\[\d+ bytes left out\]|)$/)
  })

  test('a note that does not fit stands alone', () => {
    expect(headTail('x'.repeat(100), 10, note)).toEqual({ text: note(100), cut: 100 })
    expect(headTail('x'.repeat(100), 0, () => '')).toEqual({ text: '', cut: 100 })
  })

  test('counts the cut in bytes and splits no code point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 30, max: 400 }), (text, max) => {
        const { text: kept, cut } = headTail(text, max, note)
        expect(utf8Length(kept)).toBeLessThanOrEqual(max)
        if (cut === 0) {
          expect(kept).toBe(text)
          return
        }
        expect(utf8Length(kept)).toBe(utf8Length(text) - cut + utf8Length(note(cut)))
        const at = kept.indexOf(note(cut))
        expect(text.startsWith(kept.slice(0, at))).toBe(true)
        expect(text.endsWith(kept.slice(at + note(cut).length))).toBe(true)
      }),
    )
  })

  test('a note that grows as the number shrinks still fits', () => {
    const growing = (cut: number): string => `[${'.'.repeat(100 - Math.min(90, cut))}]`
    for (let max = 20; max < 120; max++)
      expect(utf8Length(headTail('x'.repeat(130), max, growing).text)).toBeLessThanOrEqual(Math.max(max, 102))
  })
})
