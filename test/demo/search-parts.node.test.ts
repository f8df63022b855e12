// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, test } from 'vitest'
import { createMarker } from '../../demo/src/search/marks.js'
import { previewOf } from '../../demo/src/search/preview.js'
import { filesOf, type Query } from '../../demo/src/search/query.js'
import { candidateOf, rank } from '../../demo/src/search/rank.js'

describe('globs of the search', () => {
  test.each([
    ['', '', ['**', '!**/node_modules']],
    ['*.ts', '', ['**/*.ts', '**/*.ts/**', '!**/node_modules']],
    ['src/', '*.md', ['**/src/**', '!**/*.md', '!**/node_modules']],
    ['./src, lib/**', '', ['src', 'src/**', 'lib/**', '!**/node_modules']],
    ['a.{ts,js},!b', '', ['**/a.{ts,js}', '**/a.{ts,js}/**', '!**/b', '!**/node_modules']],
    ['!(a|b).ts', 'x/', ['**/!(a|b).ts', '**/!(a|b).ts/**', '!**/x/', '!**/node_modules']],
    ['/root/src', '', ['src', 'src/**', '!**/node_modules']],
    ['node_modules/a', '', ['node_modules/a', 'node_modules/a/**']],
    ['.', '', ['**/.', '**/./**', '!**/node_modules']],
  ])('%j without %j become %j', (include, exclude, expected) => {
    expect(filesOf({ include, exclude, everything: false }, '/root').pattern).toEqual(expected)
  })
})

describe('a result line of the search', () => {
  const query = (text: string, more: Partial<Query> = {}): Query => ({
    ...{ text, matchCase: false, wholeWord: false, isPattern: false, include: '', exclude: '', everything: false },
    ...more,
  })
  const shown = async (line: string, wanted: Query): Promise<string> =>
    previewOf(line, await createMarker(wanted))
      .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
      .join('')

  test.each([
    ['  a.b a+b', query('a.b'), '[a.b] a+b'],
    ['\t\tif (x) y', query('(X)'), 'if [(x)] y'],
    ['no such thing', query('a'), 'no such thing'],
    [`${'-'.repeat(60)}x`, query('x'), `…${'-'.repeat(9)}[x]`],
    [`x${'-'.repeat(400)}`, query('x'), `[x]${'-'.repeat(249)}…`],
    [`${'😀'.repeat(30)}x`, query('x'), `…${'😀'.repeat(4)}[x]`],
    ['aaa', query('a{2}', { isPattern: true }), '[aa]a'],
    ['abc', query('(?i)B|x*', { isPattern: true, matchCase: true }), 'a[b]c'],
    // JavaScript's own engine would take practically forever for this pattern.
    [`${'a'.repeat(60)}!`, query('(a+)+$', { isPattern: true }), `${'a'.repeat(60)}!`],
  ])('%j', async (line, wanted, expected) => {
    expect(await shown(line, wanted)).toBe(expected)
  })
})

describe('ranking files by name', () => {
  test.each([
    ['file', ['file.ts', 'src/lib/file.ts', 'file-tree.ts', 'tree/file-tree.ts', 'profile.ts', 'files/a.ts']],
    ['ft', ['file-tree.ts', 'src/fileTree.ts', 'soft.ts', 'fa/t.ts']],
    ['src css', ['src/styles/a.css']],
    ['tree/fi', ['tree/file-tree.ts']],
    ['İ', ['İ.ts']],
    ['nothing', []],
  ])('%j ranks %j', (typed, expected) => {
    const ranked = rank(expected.toReversed().concat('other.md').map(candidateOf), typed, [], 50)
    expect(ranked.map(({ path }) => path)).toEqual(expected)
  })
})
