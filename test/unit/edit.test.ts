// @module-tag edit-file
import { describe, expect, test } from 'vitest'
import { InputError } from '../../src/errors/index.js'
import { applyEdits, type EditOutcome, editSteps, type TextEdit } from '../../src/ops/edit.js'
import { editedText } from '../../src/ops/edit-blocks.js'
import { finish } from '../../src/ops/steps.js'
import fc, { rounds } from '../fast-check.js'

const edit = (text: string, oldString: string, newString: string, replaceAll?: boolean): EditOutcome =>
  applyEdits(text, [replaceAll === undefined ? { oldString, newString } : { oldString, newString, replaceAll }], 'a.ts')
const edited = (text: string, oldString: string, newString: string): string => edit(text, oldString, newString).text

const refusal = (text: string, edits: readonly TextEdit[]): InputError => {
  try {
    applyEdits(text, edits, 'a.ts')
  } catch (error) {
    if (error instanceof InputError) return error
    throw error
  }
  throw new Error('Expected the edit to be refused')
}

describe('exact edits', () => {
  test('replace the only occurrence', () => {
    expect(edit('const a = 1\nconst b = 1\n', 'a = 1', 'a = 2')).toEqual({
      text: 'const a = 2\nconst b = 1\n',
      replacements: 1,
      levels: ['exact'],
    })
  })

  test('insert the new text literally', () => {
    expect(edited('a.b', '.', '$&$1$$`')).toBe('a$&$1$$`b')
    expect(edit('a.b.c', '.', '$&', true).text).toBe('a$&b$&c')
  })

  test('remove text with an empty new text, also at both ends', () => {
    expect(edited('abc', 'b', '')).toBe('ac')
    expect(edited('abc', 'a', 'x')).toBe('xbc')
    expect(edited('abc', 'c', 'x')).toBe('abx')
    expect(edited('abc', 'abc', '')).toBe('')
  })

  test('keep the byte order mark and a missing final newline', () => {
    expect(edited('\ufeffa\r\nb', 'a', 'c')).toBe('\ufeffc\r\nb')
  })

  test('apply in order, each to the result of the one before', () => {
    const edits = [
      { oldString: 'a', newString: 'b' },
      { oldString: 'b', newString: 'c' },
      { oldString: 'x', newString: 'y', replaceAll: true },
    ]
    expect(applyEdits('a x x', edits, 'a.ts')).toEqual({ text: 'c y y', replacements: 4, levels: ['exact', 'exact', 'exact'] })
  })

  test('edits with replaceAll go from left to right without overlap', () => {
    expect(edit('aaaaa', 'aa', 'b', true)).toEqual({ text: 'bba', replacements: 2, levels: ['exact'] })
    expect(edit('a-a-a', 'a', 'aa', true).text).toBe('aa-aa-aa')
  })

  test('are preferred to a tolerant match elsewhere', () => {
    expect(edited('say “a”\nsay "a"\n', 'say "a"', 'b')).toBe('say “a”\nb\n')
    expect(edit('a \nb\na\nb\n', 'a\nb', 'c', true)).toMatchObject({ text: 'a \nb\nc\n', replacements: 1 })
  })
})

describe('edits and line ends', () => {
  test('LF in the edit matches a CRLF file', () => {
    const outcome = edit('one\r\ntwo\r\nthree\r\n', 'one\ntwo', '1\n2\n2.5')
    expect(outcome).toEqual({ text: '1\r\n2\r\n2.5\r\nthree\r\n', replacements: 1, levels: ['eol'] })
  })

  test('CRLF in the edit matches an LF file', () => {
    expect(edit('one\ntwo\n', 'one\r\ntwo', '1\r\n2')).toEqual({ text: '1\n2\n', replacements: 1, levels: ['eol'] })
  })

  test('new lines in a CRLF file get CRLF, even if the old text has no line break', () => {
    expect(edit('a\r\nb\r\n', 'b', 'b\nc')).toMatchObject({ text: 'a\r\nb\r\nc\r\n', levels: ['exact'] })
  })

  test('CRLF in new text becomes LF in an LF file and in a file without line breaks', () => {
    expect(edited('a\nb\n', 'b', 'b\r\nc')).toBe('a\nb\nc\n')
    expect(edited('a', 'a', 'b\r\nc')).toBe('b\nc')
  })

  test.each([
    ['the separator of the replaced region', 'a\nb\r\nc\nd\n', 'b\r\nc', 'X\nY\nZ', 'a\nX\r\nY\r\nZ\nd\n'],
    ['the nearest separator, before', 'a\r\nb-----c\nd\n', 'b', 'X\nY', 'a\r\nX\r\nY-----c\nd\n'],
    ['the nearest separator, after', 'a\r\n-----b\nc\r\n', 'b', 'X\nY', 'a\r\n-----X\nY\nc\r\n'],
    ['the separator of each line', 'a\r\nb\nc\r\nd\n', 'a\nb\nc\nd', 'A\nB\nC\nD', 'A\r\nB\nC\r\nD\n'],
    ['the separator of each line, also of unchanged lines', 'a\r\nb\nc\r\nd\n', 'a\r\nb\nc', 'a\r\nB\nc', 'a\r\nB\nc\r\nd\n'],
  ])('new text in a mixed file gets: %s', (_, text, old, fresh, expected) => {
    expect(edited(text, old, fresh)).toBe(expected)
  })

  test('a region with mixed line ends matches either', () => {
    expect(edit('a\r\nb\nc\r\n', 'a\nb\nc', 'x')).toMatchObject({ text: 'x\r\n', levels: ['eol'] })
    expect(edit('a\r\nb\nc\r\n', 'a\r\nb\r\nc', 'x')).toMatchObject({ text: 'x\r\n', levels: ['eol'] })
  })

  test('a CRLF matches only as a whole', () => {
    expect(edited('a\r\nb\r\n', '\nb', '')).toBe('a\r\n')
    expect(edited('a\r\nb\r\n', '\nb', '\nc')).toBe('a\r\nc\r\n')
    expect(edited('a\r\nb\r\n', 'a\n', '')).toBe('b\r\n')
    expect(edit('a\r\n\r\nb', '\n', ' ', true).text).toBe('a  b')
  })

  test('a lone CR is not a line end', () => {
    expect(edited('a\rb\n', 'a\rb', 'c\rd\r')).toBe('c\rd\r\n')
    expect(refusal('a\rb\n', [{ oldString: 'a\nb', newString: 'c' }]).code).toBe('no_match')
  })

  test('replaceAll in a mixed file uses the line end of each place', () => {
    expect(edit('a;\r\nb\nc\na;\nd\n', 'a;', 'a\nA', true).text).toBe('a\r\nA\r\nb\nc\na\nA\nd\n')
  })

  test.each([
    ['x\ny\r\nx\r\ny\n', 'x\ny', 'x\nz', 'x\nz\r\nx\r\nz\n', 'eol'],
    ['x\ny\r\nx\r\ny\n', 'x\r\ny', 'x\nz', 'x\nz\r\nx\r\nz\n', 'eol'],
    ['x\ny\r\nx\ny\n', 'x\ny', 'z', 'z\r\nz\n', 'exact'],
  ])('replaceAll in a mixed file finds both endings: %j, %j', (text, old, fresh, expected, level) => {
    expect(edit(text, old, fresh, true)).toEqual({ text: expected, replacements: 2, levels: [level] })
  })
})

describe('edits and white space at line ends', () => {
  test('is ignored on either side', () => {
    expect(edit('if (a) {  \n\tb\n}\n', 'if (a) {\n\tb', 'if (c) {\n\tb')).toMatchObject({
      text: 'if (c) {  \n\tb\n}\n',
      levels: ['trailing_space'],
    })
    expect(edit('a\nb\n', 'a \t\nb', 'a \t\nc')).toMatchObject({ text: 'a\nc\n', levels: ['trailing_space'] })
  })

  test('keep it after the match, unless the old text ends in white space', () => {
    expect(edited('a \nb  \nc\n', 'a\nb', 'x')).toBe('x  \nc\n')
    expect(edited('a \nb  \nc\n', 'a\nb ', 'x')).toBe('x\nc\n')
    expect(edited('a \nb  \nc\n', 'a\nb\n', 'x\n')).toBe('x\nc\n')
    expect(edited('a \nb  ', 'a\nb\t', 'x')).toBe('x')
  })

  test('match it literally at the end of the old text within a line', () => {
    expect(edited('a \nb = 1\n', 'a\nb ', 'x ')).toBe('x = 1\n')
    expect(refusal('a \nb = 1\n', [{ oldString: 'a\nb\t', newString: 'x' }]).code).toBe('no_match')
  })

  test('two readings of white space at the end are ambiguous', () => {
    const error = refusal('a \nb = 1\na \nb  \n', [{ oldString: 'a\nb ', newString: 'x' }])
    expect([error.code, error.details.candidates]).toEqual(['ambiguous_match', [1, 3]])
  })

  test('keep it before a match that starts with a line break, unless the old text has it', () => {
    expect(edited('a  \nb \nc\n', '\nb\nc', '\nx')).toBe('a  \nx\n')
    expect(edited('a\t\nb\nc\n', ' \nb\nc', '\nx')).toBe('a\nx\n')
    expect(edited('a\t\nb\nc\n', ' \nb\nc', ' - x')).toBe('a - x\n')
  })

  test('match a blank line with white space', () => {
    expect(edit('a\n    \nb\n', 'a\n\nb', 'a\n\nc')).toMatchObject({ text: 'a\n    \nc\n', levels: ['trailing_space'] })
  })

  test('match across CRLF', () => {
    expect(edited('a \r\nb\t\r\nc\r\n', 'a\nb\nc', 'a\nB\nc\nd')).toBe('a \r\nB\t\r\nc\r\nd\r\n')
  })

  test('do not ignore indentation', () => {
    expect(refusal('  a\n    b\n', [{ oldString: '  a\n  b', newString: 'x' }]).code).toBe('no_match')
  })

  test('do not match line ends if the old text is only white space', () => {
    expect(refusal('a\nb\n', [{ oldString: ' \n', newString: 'x' }]).code).toBe('no_match')
    expect(refusal('a\nb\n', [{ oldString: '\t', newString: 'x' }]).code).toBe('no_match')
  })
})

describe('edits and Unicode: dashes, quotes and spaces', () => {
  test.each([
    ['quotes', 'say “hi” to ‘x’', `say "hi" to 'x'`],
    ['dashes', 'a – b — c − d', 'a - b - c - d'],
    ['spaces', 'a\u00a0b\u202fc\u3000d', 'a b c d'],
    ['plain characters in the file', 'a - "b"', 'a – “b”'],
  ])('%s are folded', (_, text, old) => {
    expect(edit(`1\n${text}\n2\n`, old, 'x')).toMatchObject({ text: '1\nx\n2\n', levels: ['unicode'] })
  })

  const [nfd, nfc] = ['cafe\u0301', 'caf\u00e9']
  test.each([
    ['a decomposed file', `a ${nfd} b\n`, `a ${nfc} b`, `a ${nfc} c`, `a ${nfd} c\n`],
    ['a mark without a composed form', 'ko\u0323\u0301 bad', 'k\u1ecd\u0301 bad', 'k\u1ecd\u0300 bad', 'k\u1ecd\u0300 bad'],
    ['a removed mark', 'ko\u0323\u0301 bad', 'k\u1ecd\u0301 bad', 'k\u1ecd bad', 'k\u1ecd bad'],
    ['a letter that becomes longer', 'x \u0958\u093e\n', 'x \u0915\u093c\u093e', 'x \u0915\u093c\u0940', 'x \u0915\u093c\u0940\n'],
    ['a composed file', `a ${nfc} b\n`, `a ${nfd} b`, `a ${nfd} c`, `a ${nfc} c\n`],
    ['both forms in one line', `${nfd} ${nfc} b\n`, `${nfc} ${nfd} b`, `${nfc} ${nfd} c`, `${nfd} ${nfc} c\n`],
    ['the lines around the change', `${nfd}\nx\n${nfd}\n`, `${nfc}\nx\n${nfc}`, `${nfc}\ny\n${nfc}`, `${nfd}\ny\n${nfd}\n`],
    ['white space at the end', `${nfd} x  \ny\n`, `${nfc} x\ny`, `${nfc} z\ny`, `${nfd} z  \ny\n`],
    ['several marks', 'a\u0323\u0302 x\n', '\u1ead x', '\u1ead y', 'a\u0323\u0302 y\n'],
    ['decomposed Hangul', '\u1112\u1161\u11ab x\n', '\ud55c x', '\ud55c y', '\u1112\u1161\u11ab y\n'],
    ['a symbol for a letter', '\u212b x\n', '\u00c5 x', '\u00c5 y', '\u212b y\n'],
    ['quotes next to the word', `“${nfd}” x\n`, `"${nfc}" x`, `"${nfc}" y`, `“${nfd}” y\n`],
    ['the word itself is changed', `${nfd}\n`, nfc, `${nfc}s`, `${nfd}s\n`],
    ['a long text', `${'é'.repeat(300_000)}\n${nfd} x\n`, `${nfc} x`, `${nfc} y`, `${'é'.repeat(300_000)}\n${nfd} y\n`],
  ])('Unicode forms are folded: %s', (_, text, old, fresh, after) => {
    expect(edit(text, old, fresh)).toMatchObject({ text: after, levels: ['unicode'] })
  })

  test('a letter without its mark is a different letter', () => {
    expect(refusal(`${nfd}x\n`, [{ oldString: 'cafex', newString: 'y' }]).code).toBe('no_match')
    expect(refusal(`${nfd} ${nfc}\n`, [{ oldString: 'caf\u00e9\u0301', newString: 'y' }]).code).toBe('no_match')
  })

  test('unchanged parts keep the characters of the file', () => {
    expect(edited('say “hi” to x\n', 'say "hi" to x', 'say "hi" to y')).toBe('say “hi” to y\n')
    expect(edited('“a”\n“b”\n“c”\n', '"a"\n"b"\n"c"', '"a"\n"x"\n"y"\n"c"')).toBe('“a”\n"x"\n"y"\n“c”\n')
    expect(edited('“a” – 1\nb\n', '"a" - 1', '"a" - 2 😀')).toBe('“a” – 2 😀\nb\n')
  })

  test('folded edits also match with white space at line ends and CRLF', () => {
    expect(edited('“a”\u00a0\r\nb \r\n', '"a"\nb', '"a"\nc')).toBe('“a”\u00a0\r\nc \r\n')
  })

  test('look-alike letters of other scripts do not match', () => {
    expect(refusal('а', [{ oldString: 'a', newString: 'b' }]).code).toBe('no_match')
  })
})

describe('an edit is rejected', () => {
  test('an ambiguous edit is rejected with the line of every candidate', () => {
    const error = refusal('x\na\nb\na\n  a\n', [{ oldString: 'a', newString: 'c' }])
    expect(error.message).toBe('Cannot edit "a.ts": old text appears 3 times, expected 1: on lines 2, 4, 5')
    expect(error).toMatchObject({
      code: 'ambiguous_match',
      details: { edit: 0, count: 3, candidates: [2, 4, 5] },
      issues: [{ path: 'edits[0].old_string' }],
    })
  })

  test('an edit that is ambiguous with tolerance is rejected', () => {
    expect(refusal('a \nb\nx\na \nb\n', [{ oldString: 'a\nb', newString: 'c' }]).details.candidates).toEqual([1, 4])
  })

  test('an edit with two overlapping matches is rejected', () => {
    expect(refusal('aaa', [{ oldString: 'aa', newString: 'b' }])).toMatchObject({
      code: 'ambiguous_match',
      details: { count: 2, candidates: [1, 1] },
    })
  })

  test('many candidates are rejected with a short message and a count', () => {
    const error = refusal('a\n'.repeat(5000), [{ oldString: 'a', newString: 'b' }])
    expect(error.details.count).toBe(1001)
    expect(error.message).toContain('appears more than 1000 times')
    expect(error.details.candidates).toHaveLength(1000)
    expect(error.message.length).toBeLessThan(250)
    expect(refusal('a'.repeat(1_000_000), [{ oldString: 'a', newString: 'b' }]).message.length).toBeLessThan(250)
  })

  test('a failed edit of a list is rejected with its index', () => {
    const edits = [
      { oldString: 'a', newString: 'b' },
      { oldString: 'zzz', newString: 'b' },
    ]
    const error = refusal('a\n', edits)
    expect(error.message).toContain('old text of edit 2 of 2 is not in the file')
    expect(error).toMatchObject({ details: { edit: 1 }, issues: [{ path: 'edits[1].old_string' }] })
  })

  test.each([
    ['an empty old text', [{ oldString: '', newString: 'a' }], 'edits[0].old_string'],
    ['equal texts', [{ oldString: 'a', newString: 'a' }], 'edits[0].new_string'],
    ['equal texts that do not occur', [{ oldString: 'zz', newString: 'zz' }], 'edits[0].new_string'],
    ['no edits', [], 'edits'],
    ['only a change of line endings', [{ oldString: 'a\nb', newString: 'a\r\nb' }], 'edits'],
    [
      'edits that cancel out',
      [
        { oldString: 'a', newString: 'c' },
        { oldString: 'c', newString: 'a' },
      ],
      'edits',
    ],
  ])('%s', (_, edits, path) => {
    expect(refusal('a\nb\n', edits)).toMatchObject({ code: 'invalid_input', issues: [{ path }] })
  })
})

describe('edits of large and hostile texts', () => {
  test('one place and every place of 16 MiB', () => {
    const text = 'const a = 1\n'.repeat(1_400_000)
    expect(edited(`${text}here`, 'here', 'there').length).toBe(text.length + 5)
    expect(edit(text, '1', '2', true).replacements).toBe(1_400_000)
  })

  test('a tolerant match in white space and line breaks', () => {
    expect(edited(`${' '.repeat(2_000_000)}x\ny`, 'x \ny', 'z').length).toBe(2_000_001)
    expect(edited(`${'\r\n'.repeat(1_000_000)}\nx \ny`, '\nx\ny', '\nz').length).toBe(2_000_002)
  })

  test('run in steps, so that they can be stopped', () => {
    const steps = (text: string, edits: TextEdit[]): number => {
      const run = editSteps(text, edits, 'a.ts')
      let count = 1
      while (!run.next().done) count++
      return count
    }
    const all = { oldString: '\n', newString: ';', replaceAll: true }
    expect(steps('a\n'.repeat(100_000), [all])).toBeGreaterThan(20)
    expect(
      steps('a b', [
        { oldString: 'a', newString: 'c' },
        { oldString: 'b', newString: 'd' },
      ]),
    ).toBe(2)
    // The text is not found exactly, so it is folded.
    expect(steps(`${'a \n'.repeat(200_000)}b \nc`, [{ oldString: 'b\nc', newString: 'd' }])).toBeGreaterThan(3)
    expect(steps(`${'“'.repeat(1_000_000)}b`, [{ oldString: '""b', newString: 'd' }])).toBeGreaterThan(4)
  })

  test('too many replacements are rejected', () => {
    const edits = [
      { oldString: 'a', newString: 'b', replaceAll: true },
      { oldString: 'b', newString: 'c', replaceAll: true },
    ]
    expect(refusal('a'.repeat(1_500_000), edits)).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('more than 2000000 replacements'),
      issues: [{ path: 'edits[1].old_string' }],
    })
  })

  test('a result too long for a string is rejected', () => {
    expect(refusal('a'.repeat(1000), [{ oldString: 'a', newString: 'b'.repeat(1_000_000), replaceAll: true }])).toMatchObject({
      code: 'invalid_input',
      issues: [{ path: 'edits[0].new_string' }],
    })
  })
})

describe('many edits of a long text', () => {
  const few = fc.integer({ min: 100, max: 108 })
  const oldString = fc.oneof(
    few.map((n) => `row ${n}: alpha-beta`),
    few.map((n) => `${n}: alpha-beta-gamma`),
    few.map((n) => `-beta-gamma\nrow ${n}:`),
    few.map((n) => `new ${n} text`),
    few.map((n) => `new ${n} text-gamma\nrow`),
    few.map((n) => `${n}: `),
    few.map((n) => `${n}: alpha-beta-gamma  \nrow ${n + 1}: alpha-b`),
    few.map((n) => `gamma\u00e9\nrow ${n}: al`),
    few.map((n) => `\nrow ${n}: alpha`),
    fc.constantFrom('beta-gamma', 'row 105', 'alpha-beta-gamma  \nrow 300:', 'e', '5: \u0301', 'mma\r'),
  )
  const newString = fc.oneof(
    few.map((n) => `new ${n} text`),
    few.map((n) => `row ${n}: alpha-beta`),
    few.map((n) => `new ${n} text-gamma\nrow ${n + 1}: al`),
    fc.constantFrom('', '\n', 'x', 'a\rb', '\u0301', ' ', 'e\r\n'),
  )
  const oneEdit = fc.record({ oldString, newString, replaceAll: fc.constantFrom(...new Array<boolean>(9).fill(false), true) })
  const sure = Array.from({ length: 8 }, (_, i) => ({ oldString: `row ${200 + i}:`, newString: `sure ${i}`, replaceAll: false }))
  const body = (i: number): string =>
    `row ${i}: alpha${i % 4 === 2 ? '\u2013' : '-'}beta-gamma${i % 5 === 0 ? 'e\u0301' : ''}${i % 3 === 0 ? ' \t' : ''}`
  const outcomeOf = (text: string, edits: readonly TextEdit[]): EditOutcome | string => {
    try {
      return applyEdits(text, edits, 'a.ts')
    } catch (error) {
      return (error as InputError).code
    }
  }

  test.each([
    ['LF', () => '\n'],
    ['CRLF', () => '\r\n'],
    ['both', (i: number) => (i % 3 === 0 ? '\n' : '\r\n')],
    ['no line breaks', () => ' '],
  ])('give the result of single edits, with %s', (_, end) => {
    const text = Array.from({ length: 3000 }, (_, i) => body(i) + end(i)).join('')
    fc.assert(
      fc.property(fc.array(oneEdit, { maxLength: 16 }), oneEdit, (drawn, last) => {
        let expected: EditOutcome = { text, replacements: 0, levels: [] }
        const edits = [...sure, ...drawn].filter((each) => {
          const next = outcomeOf(expected.text, [each])
          if (typeof next === 'string') return false
          expected = {
            text: next.text,
            replacements: expected.replacements + next.replacements,
            levels: [...expected.levels, ...next.levels],
          }
          return true
        })
        expect(edits.length).toBeGreaterThan(7)
        expect(outcomeOf(text, edits)).toEqual(expected)
        const failed = outcomeOf(expected.text, [last])
        if (typeof failed === 'string') expect(outcomeOf(text, [...edits, last])).toBe(failed)
      }),
      { numRuns: rounds(40) },
    )
  })

  const line = (i: number): string => `const value_${i} = ${(i * 7919) % 10_007} // “text” e\u0301 of line ${i}`
  test.each<[string, (i: number) => string, (i: number) => string]>([
    ['an exact match', (i) => `${line(i)}\n`, line],
    ['a short old text', (i) => `#${i};${line(i).replaceAll(String(i), '')}\n`, (i) => `#${i};`],
    ['other line breaks', (i) => `${line(i)}\r\n`, (i) => `${line(i)}\n${line(i + 1)}`],
    ['mixed line breaks', (i) => line(i) + (i % 2 ? '\n' : '\r\n'), (i) => `${line(i)}\n${line(i + 1)}`],
    ['missing white space at line ends', (i) => `${line(i)}  \n`, (i) => `${line(i)}\n${line(i + 1)}`],
    ['other typography', (i) => `${line(i)}\n`, (i) => line(i).replaceAll(/[“”]/g, '"').normalize('NFC')],
    ['one long line', (i) => `${line(i)};`, line],
    ['lines with the same start', (i) => `${'a'.repeat(200)}${i};\n`, (i) => `${'a'.repeat(200)}${i};`],
  ])('search only a small part of the text: %s', (_, written, old) => {
    const text = Array.from({ length: 10_000 }, (_, i) => written(i)).join('')
    const olds = Array.from({ length: 500 }, (_, i) => old(i * 17 + 1000))
    const parts = finish(editedText(text, olds))
    let seen = 0
    for (const each of olds) {
      const windows = parts.windows(each, text.includes('\n'))
      expect(windows.length).toBeGreaterThan(0)
      for (const window of windows) seen += window.text.length
    }
    expect(seen / olds.length).toBeLessThan(text.length / 8)
    expect(parts.join()).toBe(text)
  })
})
