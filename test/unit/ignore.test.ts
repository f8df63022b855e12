// @module-tag list-glob
import { describe, expect, it } from 'vitest'
import { fittingLines, NO_RULES } from '../../src/ops/ignore.js'
import { finish, type Steps } from '../../src/ops/steps.js'
import recorded from '../fixtures/gitignore.json' with { type: 'json' }
import { isIgnored } from './ignore-support.js'

describe(`.gitignore rules decide like ${recorded.git}`, () => {
  it.each(recorded.scenarios)('$name', ({ rules, files, ignored }) => {
    expect(files.filter((file) => isIgnored(rules, file))).toEqual(ignored)
  })

  it('the recorded cases contain ignored and other files', () => {
    const all = recorded.scenarios.flatMap(({ files }) => files).length
    const ignored = recorded.scenarios.flatMap(({ ignored }) => ignored as string[]).length
    expect(all).toBeGreaterThan(150)
    expect(ignored).toBeGreaterThan(60)
    expect(all - ignored).toBeGreaterThan(60)
  })
})

describe('ignore scopes', () => {
  it('scopes without rules are the shared empty scope', () => {
    expect(NO_RULES.enter('a')).toBe(NO_RULES)
    expect(NO_RULES.add('')).toBe(NO_RULES)
    expect(NO_RULES.add('# only a comment\n\n  \n')).toBe(NO_RULES)
    expect(NO_RULES.ignores('a', 'file')).toBe(false)
  })

  it('do not change when rules are added below', () => {
    const above = NO_RULES.add('*.log\n')
    const below = above.enter('x').add('!a.log\n*.tmp\n')
    expect([below.ignores('a.log', 'file'), below.ignores('b.log', 'file'), below.ignores('c.tmp', 'file')]).toEqual([false, true, true])
    expect([above.ignores('a.log', 'file'), above.ignores('c.tmp', 'file'), above.enter('y').ignores('a.log', 'file')]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('treat a link as a file', () => {
    const scope = NO_RULES.add('build/\nout\n')
    expect([scope.ignores('build', 'symlink'), scope.ignores('build', 'dir'), scope.ignores('out', 'symlink')]).toEqual([false, true, true])
  })

  it('yield while they process very many rules, with the same answers', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `*a*${i}*b*`).join('\n')
    const steps = NO_RULES.addSteps(`${text}\n!*keep*\n`)
    let taken = 0
    let step = steps.next()
    for (; !step.done; step = steps.next()) taken++
    expect(taken).toBeGreaterThan(100)
    const scope = step.value as ReturnType<typeof NO_RULES.add>
    const names = ['a'.repeat(200), 'xa19999b', 'xa19999b-keep']
    const asked = names.map((name) => scope.ignores(name, 'file'))
    expect(asked).toEqual([false, true, false])
    expect([...scope.prepareSteps(names)].length).toBeGreaterThan(10)
    expect(names.map((name) => scope.ignores(name, 'file'))).toEqual(asked)
    finish(NO_RULES.prepareSteps(names))
  })

  it('yield by the cost of rules, not by their number', () => {
    const few = NO_RULES.add(`${'*[a-z]'.repeat(600)}\n`.repeat(100))
    expect([...few.prepareSteps(['a'.repeat(250)])].length).toBeGreaterThan(20)
    const tied = NO_RULES.add(`${'a*/'.repeat(1000)}x\n`.repeat(100))
    expect([...tied.enter('a'.repeat(250)).prepareSteps([])].length).toBeGreaterThan(20)
    expect(tied.enter('b').enter('c').ignores('x', 'file')).toBe(false)
  })

  it('treat repeated "**" as one', () => {
    const deep = Array.from({ length: 40 }, () => 'a')
    const scope = deep.reduce((at, name) => at.enter(name), NO_RULES.add(`${'**/'.repeat(1300)}x*\n`.repeat(50)))
    expect([scope.ignores('xy', 'file'), scope.ignores('y', 'file')]).toEqual([true, false])
  })

  it('drop a rule longer than any path', () => {
    expect(NO_RULES.add(`${'*'.repeat(5000)}\n`)).toBe(NO_RULES)
  })

  it('process a hostile file in linear time', () => {
    // A matcher that backtracks would take practically forever; this one takes some milliseconds.
    const scope = NO_RULES.add(`${'*a'.repeat(50)}b\n${'['.repeat(5000)}\n${'\\'.repeat(999)}\n${'!'.repeat(100)}\n${'**/'.repeat(100)}x\n`)
    expect(scope.enter('a').ignores('a'.repeat(100), 'file')).toBe(false)
  })
})

describe('fittingLines', () => {
  const lines = '*|a|*.c|/a|/*|d/*|d/**|**/b|d/a|[ab]|!a|**|a/**/b|d/|/d/e/*.c|d/e/b|*/b|/d/*/b|# a|\\#a|a\nb|d/**/**/b.c| '.split('|')
  const paths = ['a', 'b', 'b.c', 'd/a', 'd/b', 'd/e/b', 'd/e/b.c', 'a/b', 'a/d/e/b', 'e/d/a', '#a', 'a\nb', 'd/a\nb']

  it.each(paths)('finds all rules that match %j, like single scopes', (path) => {
    const folders = path.split('/')
    const name = folders.pop() as string
    // Rules end at line feeds, but names may contain line feeds.
    const plain = (text: string): string => text.replaceAll('\n', '\u2028')
    const [last = '', ...above] = plain(path).split('/').reverse()
    const parts = above.reverse()
    const scopes = lines.map((line) => parts.reduce((scope, folder) => scope.enter(folder), NO_RULES.add(plain(line))))
    const naive = scopes.flatMap((scope, i) => (scope.ignores(last, 'file') ? [i] : []))
    expect(finish(finish(fittingLines(lines))(folders, name)).sort((a, b) => a - b)).toEqual(naive)
  })

  it('yields while it processes very many rules', () => {
    const many = Array.from({ length: 5000 }, (_, i) => `src/**/[f]${'x'.repeat(60)}${i}*`)
    const stepsOf = (steps: Steps<unknown>): number => {
      let count = 0
      while (!steps.next().done) count++
      return count
    }
    expect(stepsOf(fittingLines(many))).toBeGreaterThan(70)
    expect(stepsOf(finish(fittingLines(many))(['src'], 'f'.repeat(60)))).toBeGreaterThan(5)
    // Rules for other folders and names are not tried.
    const elsewhere = [...many.keys()].flatMap((i) => [`/d${i}/${'x'.repeat(60)}*`, `**/${'x'.repeat(60)}${i}`])
    expect(stepsOf(finish(fittingLines(elsewhere))(['src'], 'f'.repeat(60)))).toBe(0)
  })
})
