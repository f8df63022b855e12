// @module-tag edit-file
import { expect, test } from 'vitest'
import { InputError } from '../../src/errors/index.js'
import { applyEdits } from '../../src/ops/edit.js'
import { detectEol } from '../../src/ops/lines.js'
import { utf8Length } from '../../src/ops/utf8.js'
import fc from '../fast-check.js'

const word = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '(', '"', '😀', 'é', '$', '&'), maxLength: 6 })
const eol = fc.constantFrom('\n', '\r\n')
const blanks = fc.constantFrom('', '', ' ', '\t ')

/** Lines that stay different after any folding. */
const fileLines = fc
  .array(fc.record({ body: word, blanks, eol }), { minLength: 3, maxLength: 12 })
  .map((lines) => lines.map((line, i) => ({ ...line, body: `<${i}>${line.body}|` })))
const range = (length: number, from: number, size: number): [number, number] => {
  const start = from % length
  return [start, Math.min(length, start + 1 + size)]
}

test('an exact edit changes only its bytes and can be reverted cap:48', () => {
  fc.assert(
    fc.property(word, word, word, word, (before, after, old, fresh) => {
      const [oldString, newString] = [`«${old}»`, `‹${fresh}›`]
      const text = `${before}${oldString}${after}`
      const outcome = applyEdits(text, [{ oldString, newString }], 'f')
      expect(outcome.text).toBe(`${before}${newString}${after}`)
      expect(utf8Length(outcome.text)).toBe(utf8Length(text) - utf8Length(oldString) + utf8Length(newString))
      expect(applyEdits(outcome.text, [{ oldString: newString, newString: oldString }], 'f').text).toBe(text)
    }),
  )
})

test('replaceAll equals split and join if line ends are not involved cap:48', () => {
  const unit = fc.constantFrom('a', 'b', '$')
  fc.assert(
    fc.property(
      fc.string({ unit }),
      fc.string({ unit, minLength: 1, maxLength: 2 }),
      fc.string({ unit, maxLength: 2 }),
      (text, old, fresh) => {
        const wanted = text.split(old).join(fresh)
        fc.pre(wanted !== text)
        const outcome = applyEdits(text, [{ oldString: old, newString: fresh, replaceAll: true }], 'f')
        expect(outcome.text).toBe(wanted)
        expect(outcome.replacements).toBe(text.split(old).length - 1)
      },
    ),
  )
})

test('a tolerant edit changes nothing outside its lines, whatever the line ends and white space', () => {
  fc.assert(
    fc.property(
      fileLines,
      fc.nat(),
      fc.nat(3),
      fc.array(word, { minLength: 1, maxLength: 4 }),
      eol,
      (lines, from, size, fresh, sentEol) => {
        const [start, end] = range(lines.length, from, size)
        const join = (part: typeof lines): string => part.map((line) => line.body + line.blanks + line.eol).join('')
        const [head, tail] = [join(lines.slice(0, start)), join(lines.slice(end))]
        const text = join(lines)
        // As a model sends the text: with one kind of line ending, and without leading white space.
        const oldString = lines
          .slice(start, end)
          .map((line) => line.body + sentEol)
          .join('')
        const newString = fresh.map((body, i) => `<new ${i}>${body}|${sentEol}`).join('')

        const outcome = applyEdits(text, [{ oldString, newString }], 'f')
        expect(outcome.text.startsWith(head)).toBe(true)
        expect(outcome.text.endsWith(tail)).toBe(true)
        const middle = outcome.text.slice(head.length, outcome.text.length - tail.length)
        expect(middle.replace(/[ \t]*\r?\n/g, '\n')).toBe(fresh.map((body, i) => `<new ${i}>${body}|\n`).join(''))
        if (detectEol(text) !== 'mixed') expect(detectEol(outcome.text)).toBe(detectEol(text))
      },
    ),
  )
})

test('lines repeated unchanged in an edit keep the file’s bytes', () => {
  fc.assert(
    fc.property(fileLines, fc.nat(), fc.nat(5), fc.nat(), eol, (lines, from, size, pick, sentEol) => {
      const [start, end] = range(lines.length, from, size)
      const changed = start + (pick % (end - start))
      const write = (mark: (line: (typeof lines)[number], i: number) => string): string => lines.map(mark).join('')
      const text = write((line) => line.body + line.blanks + line.eol)
      const oldString = lines
        .slice(start, end)
        .map((line) => line.body)
        .join(sentEol)
      const newString = lines
        .slice(start, end)
        .map((line, i) => (start + i === changed ? 'changed' : line.body))
        .join(sentEol)

      const outcome = applyEdits(text, [{ oldString, newString }], 'f')
      expect(outcome.text).toBe(write((line, i) => (i === changed ? 'changed' : line.body) + line.blanks + line.eol))
    }),
  )
})

test('any texts give a changed result or a rejection', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\t', '\n', '\r\n', '\r', '“', '"', '\u00a0'), maxLength: 30 })
  fc.assert(
    fc.property(text, text, text, fc.boolean(), (file, oldString, newString, replaceAll) => {
      try {
        expect(applyEdits(file, [{ oldString, newString, replaceAll }], 'f').text).not.toBe(file)
      } catch (error) {
        expect(error).toBeInstanceOf(InputError)
      }
    }),
    { numRuns: 2000 },
  )
})
