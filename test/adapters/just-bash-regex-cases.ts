import { expect } from 'vitest'
import { compileBacktracking } from '../../adapters/just-bash/commands/shared/regex/backtrack.js'
import { emit } from '../../adapters/just-bash/commands/shared/regex/emit.js'
import { parsePosix } from '../../adapters/just-bash/commands/shared/regex/parse.js'
import { randomOf } from '../storages/random.js'

/** Compares back references with the runtime's own engine, for this many random expressions and texts. */
export function expectBackReferences(rounds: number): void {
  const { next, below, pick } = randomOf(20_240_611)
  const one = (depth: number): string =>
    depth > 0 && next() < 0.3
      ? `(${some(depth - 1)}${next() < 0.3 ? `|${some(depth - 1)}` : ''})`
      : pick(['a', 'b', '.', '[ab]', '[^a]', 'c', '^', '$', '\\b'])
  const some = (depth: number): string =>
    Array.from({ length: 1 + below(3) }, () => one(depth) + pick(['', '', '', '*', '+', '?', '{1,2}'])).join('')
  const different: unknown[] = []
  for (let i = 0; i < rounds; i++) {
    const source = `(${some(1)})${some(1)}\\1${some(0)}`
    const text = Array.from({ length: below(9) }, () => pick(['a', 'b', 'c', ' '])).join('')
    const { body, groups } = parsePosix(source, { extended: true })
    const found = new RegExp(emit(body, { unicode: true, multiline: false, re2: false }), 'u').exec(text)
    const own = compileBacktracking(body, { groups, ignoreCase: false, unicode: true, multiline: false, before: '', behind: '' })(text, 0)
    if (own?.index !== found?.index || own?.groups[0] !== found?.[0]) different.push([source, text, own, found?.[0]])
  }
  expect(different).toEqual([])
}
