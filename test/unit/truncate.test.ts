// @module-tag read-file
import { describe, expect, test } from 'vitest'
import { HeadTail, headTail } from '../../src/ops/truncate.js'
import { utf8Length } from '../../src/ops/utf8.js'
import fc, { rounds } from '../fast-check.js'

const note = (cut: number): string => `\n[${cut} bytes left out]\n`

describe('headTail', () => {
  test('keeps a text that fits', () => {
    expect(headTail('short', 5, note)).toEqual({ text: 'short', cut: 0 })
    expect(headTail('→→', 6, note)).toEqual({ text: '→→', cut: 0 })
    expect(headTail('', 0, note)).toEqual({ text: '', cut: 0 })
  })

  test('keeps about 60% of the start and 40% of the end', () => {
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

  test('cuts at nearby line breaks', () => {
    const text = Array.from({ length: 500 }, (_, i) => `line ${i}\n`).join('')
    const { text: kept } = headTail(text, 600, note)
    for (const line of kept.split('\n')) expect(line).toMatch(/^(line \d+|\[\d+ bytes left out\]|)$/)
  })

  test('returns only the note if it does not fit', () => {
    expect(headTail('x'.repeat(100), 10, note)).toEqual({ text: note(100), cut: 100 })
    expect(headTail('x'.repeat(100), 0, () => '')).toEqual({ text: '', cut: 100 })
  })

  test('counts cut bytes and splits no code point', () => {
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

  test('fits even if the note grows', () => {
    const growing = (cut: number): string => `[${'.'.repeat(100 - Math.min(90, cut))}]`
    for (let max = 20; max < 120; max++)
      expect(utf8Length(headTail('x'.repeat(130), max, growing).text)).toBeLessThanOrEqual(Math.max(max, 102))
  })
})

describe('HeadTail', () => {
  test('keeps the same as headTail, for text in any pieces', () => {
    const piece = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom('line\n', '😀', '→\n', 'x'.repeat(500), '\n'))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 0, max: 400 }), (pieces, max) => {
        const kept = new HeadTail(max)
        for (const each of pieces) kept.push(each)
        expect(kept.finish(note)).toEqual(headTail(pieces.join(''), max, note))
      }),
      { numRuns: rounds(2000) },
    )
  })

  test('counts all text and holds little of it', () => {
    const kept = new HeadTail(1000)
    const piece = 'y\n'.repeat(5000)
    for (let i = 0; i < 10_000; i++) kept.push(piece)
    expect(kept.total).toBe(100_000_000)
    const { text, cut } = kept.finish(note)
    expect(utf8Length(text)).toBeLessThanOrEqual(1000)
    expect(cut).toBe(100_000_000 - (utf8Length(text) - utf8Length(note(cut))))
  })
})
