// @module-tag edit-file
import { applyPatch, parsePatch } from 'diff'
import { describe, expect, test } from 'vitest'
import { unifiedDiff } from '../../src/ops/diff.js'
import { utf8Length } from '../../src/ops/utf8.js'
import fc from '../fast-check.js'

const diff = (before: string | undefined, after: string | undefined, context?: number): string =>
  unifiedDiff({ path: 'src/a.ts', before, after, ...(context === undefined ? {} : { context }) })
const lines = (...items: string[]): string => items.map((item) => `${item}\n`).join('')
const head = '--- a/src/a.ts\n+++ b/src/a.ts\n'

describe('unifiedDiff', () => {
  test('is empty without a change', () => {
    expect(diff('a\n', 'a\n')).toBe('')
    expect(diff('', '')).toBe('')
    expect(diff(undefined, undefined)).toBe('')
  })

  test('shows one changed line with three context lines', () => {
    const before = lines('1', '2', '3', '4', '5', '6', '7', '8', '9')
    expect(diff(before, before.replace('5', 'five'))).toBe(`${head}@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n`)
    expect(diff(before, before.replace('5', 'five'), 0)).toBe(`${head}@@ -5 +5 @@\n-5\n+five\n`)
  })

  test('shows changes in the first and the last line', () => {
    expect(diff('a\nb\n', 'A\nb\n')).toBe(`${head}@@ -1,2 +1,2 @@\n-a\n+A\n b\n`)
    expect(diff('a\nb\n', 'a\nB\n')).toBe(`${head}@@ -1,2 +1,2 @@\n a\n-b\n+B\n`)
    expect(diff('\na\n', 'b\na\n')).toBe(`${head}@@ -1,2 +1,2 @@\n-\n+b\n a\n`)
  })

  test('shows added and removed lines', () => {
    expect(diff('a\nb\n', 'a\nx\nb\n')).toBe(`${head}@@ -1,2 +1,3 @@\n a\n+x\n b\n`)
    expect(diff('a\nx\nb\n', 'a\nb\n')).toBe(`${head}@@ -1,3 +1,2 @@\n a\n-x\n b\n`)
    expect(diff('a\na\n', 'a\na\na\n', 0)).toBe(`${head}@@ -2,0 +3 @@\n+a\n`)
  })

  test('separates distant changes into hunks, and joins near ones', () => {
    const before = Array.from({ length: 20 }, (_, i) => `${i + 1}`)
    const changed = (...at: number[]): string => lines(...before.map((line, i) => (at.includes(i + 1) ? `x${line}` : line)))
    expect(diff(lines(...before), changed(2, 18)).match(/^@@.*@@$/gm)).toEqual(['@@ -1,5 +1,5 @@', '@@ -15,6 +15,6 @@'])
    expect(diff(lines(...before), changed(2, 9)).match(/^@@.*@@$/gm)).toEqual(['@@ -1,12 +1,12 @@'])
    expect(diff(lines(...before), changed(2, 10)).match(/^@@.*@@$/gm)).toEqual(['@@ -1,5 +1,5 @@', '@@ -7,7 +7,7 @@'])
  })

  test('keeps a line as context that moves among several new ones', () => {
    expect(diff('m\n', 'a\nm\nb\n')).toBe(`${head}@@ -1 +1,3 @@\n+a\n m\n+b\n`)
  })

  test('marks a missing newline at the end', () => {
    expect(diff('a', 'b')).toBe(`${head}@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n`)
    expect(diff('a', 'a\n')).toBe(`${head}@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n`)
    expect(diff('x\nend', 'y\nend')).toBe(`${head}@@ -1,2 +1,2 @@\n-x\n+y\n end\n\\ No newline at end of file\n`)
  })

  test('treats CR as part of its line', () => {
    expect(diff('a\r\nb\r\n', 'a\r\nc\r\n')).toBe(`${head}@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n`)
    expect(diff('a\r\n', 'a\n')).toBe(`${head}@@ -1 +1 @@\n-a\r\n+a\n`)
  })

  test('shows created and removed files', () => {
    expect(diff(undefined, 'a\nb\n')).toBe('--- /dev/null\n+++ b/src/a.ts\n@@ -0,0 +1,2 @@\n+a\n+b\n')
    expect(diff('a\n', undefined)).toBe('--- a/src/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n')
    expect(diff('a\n', '')).toBe(`${head}@@ -1 +0,0 @@\n-a\n`)
    expect(diff(undefined, '')).toBe('--- /dev/null\n+++ b/src/a.ts\n')
  })

  test('removes the leading slash of an absolute path', () => {
    expect(unifiedDiff({ path: '/workspace/a', before: 'a\n', after: 'b\n' })).toContain('--- a/workspace/a\n+++ b/workspace/a\n')
  })

  test('escapes a path that would break the header', () => {
    expect(unifiedDiff({ path: 'a\n+++ b/x', before: 'a\n', after: 'b\n' }).split('\n').slice(0, 3)).toEqual([
      '--- "a/a\\n+++ b/x"',
      '+++ "b/a\\n+++ b/x"',
      '@@ -1 +1 @@',
    ])
    expect(parsePatch(unifiedDiff({ path: 'my file', before: 'a\n', after: 'b\n' }))[0]?.newFileName).toBe('b/my file')
  })
})

const someText = fc.tuple(fc.array(fc.constantFrom('a', 'b', 'c', '', 'd\r'), { maxLength: 25 }), fc.boolean()).map(([items, ends]) => {
  const text = items.join('\n')
  return ends && text !== '' ? `${text}\n` : text
})

test('gives the new text when it is applied to the old text', () => {
  fc.assert(
    fc.property(someText, someText, fc.nat(4), (before, after, context) => {
      const patch = diff(before, after, context)
      if (before === after) expect(patch).toBe('')
      else expect(applyPatch(before, patch, { autoConvertLineEndings: false })).toBe(after)
    }),
    { numRuns: 500 },
  )
})

test('shows only a small edit of a long text', () => {
  const before = Array.from({ length: 100 }, (_, i) => `line ${i}`)
  fc.assert(
    fc.property(fc.nat(99), fc.array(fc.constantFrom('x', 'line 5', 'y'), { maxLength: 3 }), (at, replaced) => {
      const after = lines(...before.toSpliced(at, 1, ...replaced))
      const patch = diff(lines(...before), after)
      expect(applyPatch(lines(...before), patch)).toBe(after)
      expect(patch.split('\n').length).toBeLessThan(20)
    }),
  )
})

describe('unifiedDiff with limits', () => {
  const numbered = (count: number, mark: string): string => lines(...Array.from({ length: count }, (_, i) => `${mark}${i}`))

  test('shows two unrelated texts as one replaced block', () => {
    const [before, after] = [numbered(3000, 'a'), numbered(3000, 'b')]
    const patch = diff(before, after)
    expect(patch.match(/^@@/gm)).toHaveLength(1)
    expect(applyPatch(before, patch)).toBe(after)
  })

  test('leaves out a change of very many lines with maxBytes', () => {
    const many = 'a\n'.repeat(100_000)
    const patch = unifiedDiff({ path: 'a', before: many, after: many.replaceAll('a', 'b'), maxBytes: 1000 })
    expect(patch).toBe('--- a/a\n+++ b/a\n[diff left out: the changes span more than 150000 lines]\n')
    expect(unifiedDiff({ path: 'a', before: many, after: `${many}b\n`, maxBytes: 1000 })).toContain('+b\n')
    // A line longer than the limit is not measured to its end.
    expect(unifiedDiff({ path: 'a', before: 'a', after: 'b'.repeat(5_000_000), maxBytes: 1000 })).toMatch(/\[diff cut at 1000 bytes\]\n$/)
  })

  test('leaves out whole lines at maxBytes and mentions it in the last line', () => {
    const patch = unifiedDiff({ path: 'é', before: '', after: '→→→\n'.repeat(1000), maxBytes: 200 })
    expect(utf8Length(patch)).toBeLessThanOrEqual(200)
    expect(utf8Length(patch)).toBeGreaterThan(180)
    expect(
      patch
        .split('\n')
        .slice(3, -2)
        .every((line) => line === '+→→→'),
    ).toBe(true)
    expect(patch.endsWith('\n[diff cut at 200 bytes]\n')).toBe(true)
    expect(unifiedDiff({ path: 'a', before: 'a\n', after: 'b\n', maxBytes: 200 })).not.toContain('cut')
  })
})
