// @module-tag playground
import '../../demo/src/styles/index.css'
import { describe, expect, test } from 'vitest'
import { linkParts } from '../../demo/src/run/links.js'
import { isProgram } from '../../demo/src/run/run-panel.js'
import { splitArguments } from '../../demo/src/run/words.js'

describe('parts of running a file', () => {
  const isPath = (text: string): boolean => ['/workspace/a.js', 'b.ts', 'c:d.js'].includes(text)

  test.each([
    ['at f (/workspace/a.js:3:14)', ['/workspace/a.js', 3]],
    ['file:///workspace/a.js:12', ['/workspace/a.js', 12]],
    ['b.ts:1:2: error', ['b.ts', 1]],
    ['at f (/workspace/other.js:3:14)', undefined],
    ['at 12:30 b.ts', undefined],
    ['http://b.ts:80/', undefined],
    ['', undefined],
  ])('find the file and line in %j', (line, place) => {
    const found = linkParts(line, isPath)
    expect(found.map(({ text }) => text).join('')).toBe(line)
    const [link] = found.filter((one) => one.place)
    expect(link?.place && [link.place.path, link.place.line]).toEqual(place)
  })

  test.each([
    ['', []],
    ['  a  b ', ['a', 'b']],
    ['"a b" c', ['a b', 'c']],
    ['--x="a b"c', ['--x=a bc']],
    [`'it is "so"'`, ['it is "so"']],
    ['"open end', ['open end']],
    ['""', ['']],
  ])('split the arguments in %j', (line, words) => expect(splitArguments(line)).toEqual(words))

  test.each([
    ['a.js', true],
    ['a/b.MTS', true],
    ['a.d.ts', false],
    ['a.json', false],
    ['js', false],
  ])('classify %s as a program: %s', (path, is) => expect(isProgram(path)).toBe(is))
})
