// @module-tag edit-file
import { describe, expect, test } from 'vitest'
import { InputError } from '../../src/errors/index.js'
import { applyEdits } from '../../src/ops/edit.js'
import { hasLoneSurrogate } from '../../src/ops/utf8.js'

const file = `import { join } from 'path'

export function resolveUser(name: string): User {
\tconst found = table.get(name)
\tif (!found) throw new Error('Unknown user')
\treturn found
}

export const version = 12
`

const miss = (old: string, text = file, fresh = 'x'): InputError => {
  try {
    applyEdits(text, [{ oldString: old, newString: fresh }], 'a.ts')
  } catch (error) {
    if (error instanceof InputError && error.code === 'no_match') return error
    throw error
  }
  throw new Error('Expected no match')
}

describe('the closest match of an old_string', () => {
  test('is shown with its line and the difference', () => {
    const error = miss("\tif (!found) throw new Error('Unknwon user')")
    expect(error.details).toMatchObject({ edit: 0, nearest: { line: 5, text: "\tif (!found) throw new Error('Unknown user')" } })
    expect(error.message).toBe(
      `Cannot edit "a.ts": old text is not in the file. Line 5 is the closest match and differs in wording: line 5 has "\\tif (!found) throw new Error('Unknown user')", ` +
        `old text has "\\tif (!found) throw new Error('Unknwon user')". The file has:\n\tif (!found) throw new Error('Unknown user')`,
    )
  })

  test.each([
    ['indentation: it indents with tabs', '    const found = table.get(name)\n    if (!found) throw'],
    ['upper and lower case', '\tConst found = table.get(Name)'],
    ['spacing', '\tconst found=table.get( name )'],
    ['punctuation', '\tconst found = table[get](name)'],
    ['1 of 3 lines', '\tconst found = table.get(name)\n\tif (found) return found\n\treturn found'],
  ])('differs in %s', (what, old) => {
    const { message } = miss(old)
    expect(message).toContain(what)
    expect(message).toContain('The file has:')
  })

  test('tells whether a byte order mark or CR is the only difference', () => {
    const marked = miss('\ufeffconst b = 2\nx', 'const b = 2\nx').message
    expect(marked).toContain('Remove the byte order mark (U+FEFF)')
    expect(marked).not.toMatch(/white space|indentation/)
    expect(miss('b\nc', 'a\rb\rc').message).toContain('end with CR only: write "\\r" for each line break')
  })

  test('tells that only the line break at the end differs', () => {
    expect(miss('const b = 2\n', 'const a = 1\nconst b = 2').message).toContain(
      'the surrounding text: the rest of a line, blank lines or the line break',
    )
  })

  test('is found anywhere by shared lines', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `const value${i} = compute(${i}, 'text')`).join('\n')
    const { nearest } = miss("const value15000 = compute(15000, 'txt')\nconst value15001 = compute(15001, 'text')", text).details as {
      nearest: { line: number; similarity: number }
    }
    expect(nearest.line).toBe(15_001)
    expect(nearest.similarity).toBeGreaterThan(0.9)
    expect(nearest.similarity).toBeLessThan(1)
  })

  test('weights long lines more than short ones', () => {
    const { nearest } = miss('}\n\tconst found = table.get(nam)').details as { nearest: { line: number; similarity: number } }
    expect(nearest.line).toBe(3)
    expect(nearest.similarity).toBeGreaterThan(0.7)
  })

  test('is left out if nothing is similar', () => {
    expect(miss('completely different words here').details).toEqual({ edit: 0 })
    expect(miss('}{').message).toBe('Cannot edit "a.ts": old text is not in the file')
    expect(miss(' \n\t\n').details).toEqual({ edit: 0 })
  })

  test('keeps the message short', () => {
    const long = `const found = 1 ${'😀'.repeat(5000)}`
    const { message, details } = miss(`${long}!\n`.repeat(200), `${long}\n`.repeat(200))
    expect(message.length).toBeLessThan(2000)
    expect(hasLoneSurrogate(message + JSON.stringify(details))).toBe(false)
  })

  test('is found in linear time for repetitive text', () => {
    const run = 'a'.repeat(200_000)
    // The engine's own search would take minutes, so the test would time out.
    expect(miss(`${run}b${run}`, 'a'.repeat(1_000_000)).message).toContain(
      'Line 1 is the closest match and differs in the rest of a long line',
    )
  })

  test('is found in 4 MiB of similar lines in the time of the edit', () => {
    const text = `${'const found = table.get(name) '.repeat(4)}\n`.repeat(34_000)
    miss('const found = table.get(nam)\nconst lost = table.get(nam)', text)
  })
})

describe('hints of a failed edit', () => {
  test.each([
    ['     4\t\tconst found = table.get(name)\n     5\t\tif (!found)', 'line numbers'],
    ["L5: \tif (!found) throw new Error('Unknown user')", 'line numbers'],
    ['\\treturn found\\n}', 'extra escapes'],
    ['throw new Error(\\"Unknown', 'extra escapes', 'throw new Error("Unknown user")'],
    ['if (a &lt; b &amp;&amp; c)', 'HTML entities', 'if (a < b && c) {'],
    ['\n\n\n\treturn found\n\n\n', 'surrounding white space'],
  ])('%j: %s', (old, hint, text = file) => {
    expect(miss(old, text).message).toContain(hint)
  })

  test('an edit that was already applied is recognised', () => {
    expect(miss('export const version = 11', file, 'export const version = 12').message).toContain('applied before')
    expect(miss('export const version = 11', file, '12').message).not.toContain('applied before')
  })

  test('an empty file is reported', () => {
    expect(miss('a', '').message).toBe('Cannot edit "a.ts": the file is empty')
  })
})
