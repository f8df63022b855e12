// @module-tag list-glob
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import fc from '../fast-check.js'
import { isIgnored } from './ignore-support.js'

const hasGit = spawnSync('git', ['--version']).status === 0

const atom = fc.constantFrom(
  ...['a', 'b', '*', '**', '***', '?', '[ab]', '[!a]', '[^b]', '[a-c]', '[[:alpha:]]', '[', ']', '.', '-', '\\', '\\a', '\\*', '\\ '],
  ...[' ', '(', ')', '{a,b}', '+(a)'],
)
const component = fc.oneof(
  fc.array(atom, { minLength: 1, maxLength: 3 }).map((atoms) => atoms.join('')),
  fc.constant('**'),
)
const rule = fc
  .record({
    start: fc.constantFrom('', '', '', '!', '/', '!/'),
    path: fc.array(component, { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom('', '', '', '/', ' ', '\r'),
  })
  .map(({ start, path, end }) => `${start}${path.join('/')}${end}`)
const folder = fc.array(fc.constantFrom('a', 'b', 'ab', 'ba', 'b.a'), { maxLength: 3 })
const name = fc.constantFrom('a.b', 'c(d)', 'a b', '.x', 'aa', 'b]', '-', 'aab')

test('random rules in random trees: what git lists is what is not ignored', { timeout: 900_000, skip: !hasGit }, () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(folder, name), { minLength: 10, maxLength: 30, selector: ([path, file]) => [...path, file].join('/') }),
      fc.array(rule, { minLength: 1, maxLength: 6 }),
      fc.array(rule, { minLength: 1, maxLength: 3 }),
      (entries, above, below) => {
        const root = mkdtempSync(join(tmpdir(), 'toolport-ignore-'))
        try {
          execFileSync('git', ['init', '-q', root])
          const files = entries.map(([path, file]) => [...path, file].join('/'))
          const inner = entries.find(([path]) => path.length > 0)?.[0].join('/')
          const rules = { '': `${above.join('\n')}\n`, ...(inner !== undefined && { [inner]: below.join('\n') }) }
          for (const [path, text] of [...files.map((file) => [file, ''] as const), ...ruleFiles(rules)]) {
            mkdirSync(dirname(join(root, path)), { recursive: true })
            writeFileSync(join(root, path), text)
          }
          const listed = execFileSync('git', ['-C', root, 'ls-files', '-o', '--exclude-per-directory=.gitignore', '-z'])
            .toString()
            .split('\0')
          expect(files.filter((file) => !isIgnored(rules, file)).sort()).toEqual(files.filter((file) => listed.includes(file)).sort())
        } finally {
          rmSync(root, { recursive: true })
        }
      },
    ),
    { numRuns: 300 },
  )
})

const ruleFiles = (rules: Readonly<Record<string, string>>): (readonly [string, string])[] =>
  Object.entries(rules).map(([path, text]) => [path === '' ? '.gitignore' : `${path}/.gitignore`, text] as const)
