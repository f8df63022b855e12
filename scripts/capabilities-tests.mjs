// Finds the tests of each row: titles in test/ that end in tags such as `cap:24 cap:25`.
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { nameOf, titlesOf } from './test-files.mjs'

/**
 * `name`: a file below `test/`, without its runtime. Files that differ only in the runtime share one entry.
 *
 * @typedef {{ readonly name: string, readonly runtimes: readonly string[] }} TaggedTest
 */

const TAG = /\bcap:(\d+)\b/g
const COMMENT = /^\s*(\/\/|\*|\/\*)/
const IMPORT = /from '(\.{1,2}\/[^']+)\.js'/g

/** @param {string} text */
function tagsOf(text) {
  const lines = text.split('\n').filter((line) => !COMMENT.test(line))
  return new Set(lines.flatMap((line) => [...line.matchAll(TAG)].map(([, number]) => Number(number))))
}

/** @param {string} file @param {string} text */
const importsOf = (file, text) => [...text.matchAll(IMPORT)].map(([, path = '']) => `${posix.join(posix.dirname(file), path)}.ts`)

/** The test files of every tagged row. For a file with shared cases (`*-cases.ts`), the test files that import it. */
export function testsOfRows() {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((name) => posix.join('test', name.replaceAll('\\', '/')))
  const texts = new Map(files.filter((file) => file.endsWith('.ts')).map((file) => [file, readFileSync(file, 'utf8')]))
  const tests = [...texts.keys()].filter((file) => file.endsWith('.test.ts'))
  const cases = new Map([...texts].filter(([file]) => !file.endsWith('.test.ts')).map(([file, text]) => [file, tagsOf(text)]))

  /** @param {string} file @param {Set<string>} seen @returns {number[]} */
  const rowsOf = (file, seen = new Set()) => {
    if (seen.has(file)) return []
    seen.add(file)
    const text = texts.get(file) ?? ''
    const own = cases.get(file) ?? (file.endsWith('.test.ts') ? tagsOf(text) : [])
    const further = importsOf(file, text).filter((path) => cases.has(path))
    return [...own, ...further.flatMap((path) => rowsOf(path, seen))]
  }

  /** @type {Map<number, TaggedTest[]>} */
  const found = new Map()
  for (const file of tests.sort()) {
    const name = nameOf(file.slice('test/'.length))
    for (const row of new Set(rowsOf(file))) {
      const others = found.get(row) ?? []
      const same = others.find((test) => test.name === name)
      const test = { name, runtimes: [...(same?.runtimes ?? []), ...titlesOf(file)] }
      found.set(row, [...others.filter((other) => other !== same), test])
    }
  }
  return found
}
