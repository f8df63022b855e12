import { NO_RULES } from '../../src/ops/ignore.js'

type Rules = Readonly<Record<string, string | undefined>>

/** Descends to a file like a walk: asks at every level, and adds the rules of each directory. */
export function isIgnored(rules: Rules, file: string): boolean {
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
