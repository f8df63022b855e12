// @module-tag bash
import { describe, expect, it } from 'vitest'
import { createAnsiCleaner } from '../../src/ops/ansi.js'
import fc from '../fast-check.js'

function clean(...pieces: readonly string[]): string {
  const cleaner = createAnsiCleaner()
  return pieces.map((piece) => cleaner.push(piece)).join('') + cleaner.end()
}

describe('the ANSI cleaner', () => {
  it.each([
    ['plain text', 'héllo 😀\n\tworld', 'héllo 😀\n\tworld'],
    ['nothing', '', ''],
    ['colours', '\x1b[31mred\x1b[0m \x1b[1;38;2;10;20;30mtrue\x1b[m', 'red true'],
    ['colours with colons', '\x1b[38:2::1:2:3mx', 'x'],
    ['cursor and screen', '\x1b[2J\x1b[H\x1b[?25la\x1b[10;5Hb\x1b[?1049l', 'ab'],
    ['a space before the letter', '\x1b[2 qa', 'a'],
    ['a title terminated by BEL', '\x1b]0;my title\x07text', 'text'],
    ['a title terminated by ST', '\x1b]2;my title\x1b\\text', 'text'],
    ['a link', '\x1b]8;;https://example.com\x1b\\here\x1b]8;;\x1b\\', 'here'],
    ['several lines in a sequence', '\x1b]9;one\ntwo\x07text', 'text'],
    ['DCS, APC, PM and SOS', '\x1bPq#0;2\x1b\\a\x1b_Gx=1\x1b\\b\x1b^private\x1b\\c\x1bXstart\x1b\\d', 'abcd'],
    ['a bell in a DCS', '\x1bPq\x07#0\x1b\\a', 'a'],
    ['two-character sequences', '\x1b7a\x1b8b\x1bMc\x1b=d\x1b>e\x1bcf', 'abcdef'],
    ['a character set', '\x1b(Ba\x1b)0b\x1b#8c\x1b%Gd', 'abcd'],
    ['8 bit forms', '\x9b31ma\x9d0;title\x07b\x90q\x9cc\x9e..\x9cd\x9f..\x1b\\e\x98..\x9cf\x85g\x84', 'abcdefg'],
    ['control characters', 'a\0b\x01c\x07d\x08e\x0bf\x0cg\x0eh\x0fi\x7fj', 'abcdefghij'],
    ['CR LF', 'a\r\nb\r\n\r\nc', 'a\nb\n\nc'],
    ['CR CR LF', 'a\r\r\nb', 'a\nb'],
    ['a progress bar', '10%\r20%\r100%\ndone', '10%\n20%\n100%\ndone'],
    ['a CR at the beginning of a line', '\ra\n\rb', 'a\nb'],
    ['a CR at the end', 'a\r', 'a'],
    ['a rewritten line', 'abc\r\x1b[Kdef\r\x1b[K\n', 'abc\ndef\n'],
    ['CR, then a sequence, then LF', 'a\r\x1b[K\nb', 'a\nb'],
    ['a control character in a control sequence', '\x1b[3\x071ma', 'a'],
    ['a sequence interrupted by a line break', '\x1b[31\nabc', '\nabc'],
    ['a sequence interrupted by a tab', '\x1b[\tabc', '\tabc'],
    ['a sequence interrupted by a non-ASCII letter', '\x1b[31éabc', 'éabc'],
    ['a sequence interrupted by another sequence', '\x1b[31\x1b[32ma', 'a'],
    ['a sequence cancelled by CAN or SUB', '\x1b[31\x18ma\x1b]0;t\x1ab', 'mab'],
    ['an escape before a line break', '\x1b\nabc', '\nabc'],
    ['an escape before an invalid letter', '\x1bé\x1b\x1b[ma', 'éa'],
    ['a string interrupted by another sequence', '\x1b]0;title\x1b[31mred', 'red'],
    ['a lone surrogate', 'a\ud83d', 'a\ud83d'],
    ['a truncated control sequence', 'a\x1b[31', 'a'],
    ['a truncated escape', 'a\x1b', 'a'],
    ['a truncated character set', 'a\x1b(', 'a'],
  ])('removes %s', (_, dirty, plain) => {
    expect(clean(dirty)).toBe(plain)
    expect(clean(...dirty.split(''))).toBe(plain)
  })

  describe('an unterminated control sequence', () => {
    it.each(['\x1b]0;', '\x1bP', '\x1b_', '\x9d', '\x1b[', '\x1b( '])(
      'an unterminated sequence starting with %j hides at most 4096 characters, and none is lost',
      (start) => {
        const rest = `${'1'.repeat(5000)}\nall of this\n`
        const text = clean(start + rest)
        expect(text.endsWith('\nall of this\n')).toBe(true)
        expect(text).toContain('1'.repeat(900))
        if (!start.includes('[') && !start.includes('(')) expect(text).toBe(`${start.includes('0;') ? '0;' : ''}${rest}`)
      },
    )

    it('is returned as text at the end', () => {
      const cleaner = createAnsiCleaner()
      expect(cleaner.push('a\x1b]0;b\r\nc\x1b')).toBe('a')
      expect(cleaner.end()).toBe('0;b\nc')
      expect(cleaner.end()).toBe('')
    })

    it('a hostile unterminated sequence is processed in linear time', () => {
      const hostile = '\x9d'.repeat(300_000)
      expect(clean(`${hostile}\x9cend`)).toBe('end')
      expect(clean(`${'\x1b]'.repeat(300_000)}\x07end`)).toBe('end')
    })
  })

  it('the cleaner waits for the second half of a surrogate pair', () => {
    const cleaner = createAnsiCleaner()
    expect(cleaner.push('a\ud83d')).toBe('a')
    expect(cleaner.push('\ude00b')).toBe('😀b')
  })

  it('the cleaner reports control sequences to a callback', () => {
    const told: string[] = []
    const cleaner = createAnsiCleaner({ onSequence: (parameters, final) => told.push(`${parameters}|${final}`) })
    for (const piece of ['\x1b[?', '1h\x1b[m\x1b[1;2', 'H\x1b]0;[?5h\x07']) cleaner.push(piece)
    expect(told).toEqual(['?1|h', '|m', '1;2|H'])
  })

  const parts = fc.oneof(
    fc.constantFrom(
      '\x1b[31m',
      '\x1b[?25l',
      '\x1b]0;title\x07',
      '\x1b]8;;u\x1b\\',
      '\x1bPdata\x1b\\',
      '\x1b(B',
      '\x1b7',
      '\x9b1m',
      '\x9dt\x9c',
    ),
    fc.constantFrom('\x1b', '\x1b[', '\x1b]', '\x1b[1;', '\x9d', '\r', '\n', '\r\n', '\x07', '\x1b\\', '\x18', '\0', '\x9c', '\t'),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom('word ', 'é', '😀', 'x'.repeat(3000)),
  )
  const stream = fc.array(parts, { maxLength: 30 }).map((all) => all.join(''))

  it('the cleaner returns the same text however the input is split', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat({ max: 200 }), { maxLength: 40 }), (dirty, cuts) => {
        const pieces: string[] = []
        let at = 0
        for (const cut of cuts) {
          pieces.push(dirty.slice(at, at + cut))
          at += cut
        }
        expect(clean(...pieces, dirty.slice(at))).toBe(clean(dirty))
      }),
      { numRuns: 500 },
    )
  })

  it('the cleaner leaves no control characters and keeps plain text', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f]/
    fc.assert(
      fc.property(stream, (dirty) => {
        expect(controls.test(clean(dirty))).toBe(false)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(clean(text)).toBe(text)
      }),
    )
  })
})
