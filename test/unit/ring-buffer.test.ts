// @module-tag background
import { describe, expect, it } from 'vitest'
import { createRingBuffer } from '../../src/ops/ring-buffer.js'
import fc from '../fast-check.js'

describe('a ring buffer', () => {
  it('returns pushed text from any position', () => {
    const ring = createRingBuffer()
    ring.push('hello ')
    ring.push('')
    ring.push('world')
    expect(ring.read(0, 100)).toEqual({ text: 'hello world', next: 11, lost: 0 })
    expect(ring.read(4, 3)).toEqual({ text: 'o w', next: 7, lost: 0 })
    expect(ring.read(11, 5)).toEqual({ text: '', next: 11, lost: 0 })
    expect(ring.read(50, 5)).toEqual({ text: '', next: 11, lost: 0 })
    expect(ring.read(3, 0)).toEqual({ text: '', next: 3, lost: 0 })
    expect(ring.read(3, 2.9)).toEqual({ text: 'lo', next: 5, lost: 0 })
    expect(ring.read(3, Number.NaN)).toEqual({ text: '', next: 3, lost: 0 })
    expect(ring.read(3, Infinity)).toEqual({ text: 'lo world', next: 11, lost: 0 })
  })

  it('is empty at first', () => {
    const ring = createRingBuffer(10)
    expect([ring.start, ring.end, ring.read(0, 10)]).toEqual([0, 0, { text: '', next: 0, lost: 0 }])
  })

  it('keeps the end and reports what is lost', () => {
    const ring = createRingBuffer(4)
    ring.push('abc')
    ring.push('defg')
    expect([ring.start, ring.end]).toEqual([3, 7])
    expect(ring.read(0, 10)).toEqual({ text: 'defg', next: 7, lost: 3 })
    expect(ring.read(2, 2)).toEqual({ text: 'de', next: 5, lost: 1 })
    expect(ring.read(5, 10)).toEqual({ text: 'fg', next: 7, lost: 0 })
  })

  it('keeps the last 300,000 characters of one huge piece and of a million small ones', () => {
    const huge = createRingBuffer()
    huge.push('x')
    huge.push(`${'a'.repeat(5_000_000)}${'b'.repeat(299_999)}!`)
    expect([huge.start, huge.end]).toEqual([5_000_001, 5_300_001])
    expect(huge.read(0, 1_000_000).text).toBe(`${'b'.repeat(299_999)}!`)
    const small = createRingBuffer()
    for (let i = 0; i < 1_000_000; i++) small.push(String.fromCharCode(97 + (i % 26)))
    expect([small.start, small.end]).toEqual([700_000, 1_000_000])
    const { text } = small.read(0, 1_000_000)
    expect(text).toHaveLength(300_000)
    expect(text.at(-1)).toBe(String.fromCharCode(97 + (999_999 % 26)))
  })

  describe('a ring buffer splits no surrogate pair', () => {
    it('reads start and end between whole pairs', () => {
      const ring = createRingBuffer()
      ring.push('a😀b')
      expect(ring.read(0, 2)).toEqual({ text: 'a', next: 1, lost: 0 })
      expect(ring.read(0, 3)).toEqual({ text: 'a😀', next: 3, lost: 0 })
      expect(ring.read(2, 5)).toEqual({ text: '😀b', next: 4, lost: 0 })
    })

    it('a read shorter than a pair still makes progress', () => {
      const ring = createRingBuffer()
      ring.push('😀😀')
      expect(ring.read(0, 1)).toEqual({ text: '😀', next: 2, lost: 0 })
      expect(ring.read(2, 1)).toEqual({ text: '😀', next: 4, lost: 0 })
    })

    it('a dropped start ends between whole pairs', () => {
      const ring = createRingBuffer(4)
      ring.push('a😀bcd')
      expect(ring.read(0, 10)).toEqual({ text: 'bcd', next: 6, lost: 3 })
    })

    it('a pair that arrives in two pieces stays whole', () => {
      const ring = createRingBuffer(4)
      ring.push('\ud83d')
      ring.push('\ude00')
      expect(ring.read(0, 10).text).toBe('😀')
    })
  })

  it('returns a stream in pieces of any size', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 20 })), fc.integer({ min: 2, max: 40 }), (pieces, max) => {
        const ring = createRingBuffer(1000)
        for (const piece of pieces) ring.push(piece)
        let text = ''
        for (let at = 0; at < ring.end; ) {
          const read = ring.read(at, max)
          expect((read.text as string & { isWellFormed(): boolean }).isWellFormed()).toBe(true)
          expect(read.text.length).toBeLessThanOrEqual(max)
          text += read.text
          at = read.next
        }
        expect(text).toBe(pieces.join(''))
      }),
    )
  })

  it('contains the end of the stream', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 30 })), fc.integer({ min: 2, max: 64 }), (pieces, capacity) => {
        const ring = createRingBuffer(capacity)
        for (const piece of pieces) ring.push(piece)
        const all = pieces.join('')
        const { text, next, lost } = ring.read(0, Infinity)
        expect(text).toBe(all.slice(lost))
        expect(next).toBe(all.length)
        expect(text.length).toBeLessThanOrEqual(capacity)
      }),
    )
  })

  it('rejects an invalid capacity', () => {
    for (const capacity of [0, 1, 1.5, -3, Number.NaN]) expect(() => createRingBuffer(capacity)).toThrow(RangeError)
  })
})
