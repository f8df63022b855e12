// @module-tag playground
import { describe, expect, test } from 'vitest'
import { renderDiff } from '../../demo/src/result/diff.js'
import { renderJson } from '../../demo/src/result/json-tree.js'
import { changedLines } from '../../demo/src/text/changed-lines.js'
import { highlight } from '../../demo/src/text/highlight.js'
import { splitLines } from '../../demo/src/text/lines.js'

const changes = (before: string, after: string): { changed: number[]; removedBefore: number[] } => {
  const { changed, removedBefore } = changedLines(before.split(' '), after.split(' '))
  return { changed: [...changed], removedBefore: [...removedBefore] }
}

describe('lines of a text', () => {
  test.each([
    ['', [], 'none', false],
    ['a', ['a'], 'none', false],
    ['a\n', ['a'], 'LF', true],
    ['a\r\n\r\nb', ['a', '', 'b'], 'CRLF', false],
    ['a\nb\r\n', ['a', 'b'], 'mixed', true],
    ['a\rb\r', ['a', 'b'], 'CR', true],
  ])('the lines of %j', (text, lines, eol, finalNewline) => {
    expect(splitLines(text)).toEqual({ lines, eol, finalNewline })
  })

  test.each([
    ['no line', 'a b c', 'a b c', [], []],
    ['one replaced line', 'a b c', 'a x c', [1], []],
    ['one added line', 'a c', 'a b c', [1], []],
    ['one removed line', 'a b c', 'a c', [], [1]],
    ['the last line removed', 'a b', 'a', [], [1]],
    ['lines in two places', 'a b c d e', 'x b c d y', [0, 4], []],
  ])('finds changed lines: %s', (_, before, after, changed, removedBefore) => {
    expect(changes(before, after)).toEqual({ changed, removedBefore })
  })

  test('changed lines are all found in two long texts', () => {
    const before = Array.from({ length: 30_000 }, (_, index) => `a${index}`)
    const after = Array.from({ length: 30_000 }, (_, index) => `b${index}`)
    expect(changedLines(before, after).changed.size).toBe(30_000)
  })
})

describe('highlighted lines', () => {
  test('keep every character', () => {
    const lines = ['/* a', ' * b */ const x = `t', 'y` + "s" // end', "  const r = /['`]/g.exec(s) / 2", '', '}']
    const tokens = highlight('a.ts', lines)
    expect(tokens?.map((line) => line.map((token) => token.text).join(''))).toEqual(lines)
    expect(tokens?.[3]?.find((token) => token.kind === 'regexp')?.text).toBe("/['`]/g")
  })

  test('diff colours occur only within a diff', () => {
    const text = '--- not a file\n+ not added\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n+ after the hunk\n'
    const kinds = [...renderDiff(text).children].map((line) => line.className.replace(/diff-line ?/, ''))
    expect(kinds).toEqual(['', '', 'diff-file', 'diff-file', 'diff-hunk', '', 'diff-removed', 'diff-added', ''])
  })
})

describe('JSON data', () => {
  const options = { isPath: () => false, onOpenPath: () => {}, relative: (path: string) => path }

  test('JSON data of many items is drawn page by page', () => {
    const element = renderJson({ paths: Array.from({ length: 5000 }, (_, index) => `file-${index}`) }, options)
    expect(element.querySelectorAll('.json-string')).toHaveLength(100)
    element.querySelector('button')?.click()
    expect(element.querySelectorAll('.json-string')).toHaveLength(200)
  })

  test('JSON data with deep nesting is drawn when it is opened', () => {
    let value: unknown = 'end'
    for (let depth = 0; depth < 3000; depth += 1) value = { inner: value, other: depth }
    const element = renderJson(value, options)
    expect(element.querySelectorAll('details').length).toBeLessThan(10)
  })

  test('JSON data of a few columns is a table', () => {
    const element = renderJson({ entries: [{ path: 'a', size: 1 }, { path: 'b' }] }, options)
    expect([...element.querySelectorAll('th')].map((cell) => cell.textContent)).toEqual(['path', 'size'])
    expect([...element.querySelectorAll('td')].map((cell) => cell.textContent)).toEqual(['a', '1', 'b', ''])
  })
})
