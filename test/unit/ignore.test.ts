// @module-tag list-glob
import { describe, expect, it } from 'vitest'
import { NO_RULES } from '../../src/ops/ignore.js'
import recorded from '../fixtures/gitignore.json' with { type: 'json' }

type Rules = Readonly<Record<string, string | undefined>>

/** Goes down to a file as a walk does: asks at every level, and adds the rules of each directory that it enters. */
function isIgnored(rules: Rules, file: string): boolean {
  const names = file.split('/')
  let scope = NO_RULES.add(rules[''] ?? '')
  for (const [i, name] of names.entries()) {
    const last = i === names.length - 1
    if (scope.ignores(name, last ? 'file' : 'dir')) return true
    if (last) return false
    scope = scope.enter(name)
    const text = rules[names.slice(0, i + 1).join('/')]
    if (text !== undefined) scope = scope.add(text)
  }
  return false
}

describe(`as ${recorded.git} decides`, () => {
  it.each(recorded.scenarios)('$name', ({ rules, files, ignored }) => {
    expect(files.filter((file) => isIgnored(rules, file))).toEqual(ignored)
  })

  it('covers both answers', () => {
    const all = recorded.scenarios.flatMap(({ files }) => files).length
    const ignored = recorded.scenarios.flatMap(({ ignored }) => ignored as string[]).length
    expect(all).toBeGreaterThan(150)
    expect(ignored).toBeGreaterThan(60)
    expect(all - ignored).toBeGreaterThan(60)
  })
})

describe('scopes', () => {
  it('stay the shared empty one without rules', () => {
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

  it('take a link for a file', () => {
    const scope = NO_RULES.add('build/\nout\n')
    expect([scope.ignores('build', 'symlink'), scope.ignores('build', 'dir'), scope.ignores('out', 'symlink')]).toEqual([false, true, true])
  })

  it('survive a hostile file', () => {
    const started = performance.now()
    const scope = NO_RULES.add(`${'*a'.repeat(50)}b\n${'['.repeat(5000)}\n${'\\'.repeat(999)}\n${'!'.repeat(100)}\n${'**/'.repeat(100)}x\n`)
    expect(scope.enter('a').ignores('a'.repeat(100), 'file')).toBe(false)
    // A matcher that goes back and forth takes longer than anybody waits; this one some milliseconds.
    expect(performance.now() - started).toBeLessThan(30_000)
  })
})
