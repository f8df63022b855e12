import ignore, { type Ignore } from 'ignore'
import type { FileKind } from '../types/fs.js'

/** The `.gitignore` rules that hold in one directory of a walk: its own and those of the directories above it. */
export interface IgnoreScope {
  /** Whether an entry of this directory is left out. Ask before entering it: what is below an ignored directory cannot come back. */
  ignores(name: string, kind: FileKind): boolean
  /** The scope of a subdirectory. */
  enter(name: string): IgnoreScope
  /** The scope with the rules of this directory's own `.gitignore` added: they come after, and so override, those above. */
  add(gitignore: string): IgnoreScope
}

/** The scope of a walk's start. Costs nothing while no rules are added. */
export const NO_RULES: IgnoreScope = {
  ignores: () => false,
  enter: () => NO_RULES,
  add: (gitignore) => addRules(undefined, '', gitignore) ?? NO_RULES,
}

/** `prefix` is the path of the directory below the one with the first rules: empty, or with a slash at the end. */
function scopeOf(rules: Ignore, prefix: string): IgnoreScope {
  return {
    ignores: (name, kind) => rules.ignores(kind === 'dir' ? `${prefix}${name}/` : prefix + name),
    enter: (name) => scopeOf(rules, `${prefix}${name}/`),
    add: (gitignore) => addRules(rules, prefix, gitignore) ?? scopeOf(rules, prefix),
  }
}

/**
 * All rules of the directories above in one list, rewritten to be relative to the topmost: only so does the last rule decide, as git has
 * it, also about what is below a directory that a deeper file brought back.
 */
function addRules(above: Ignore | undefined, prefix: string, gitignore: string): IgnoreScope | undefined {
  const rules = gitignore
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line) => rebase(line, prefix))
  if (rules.length === 0) return undefined
  const all = ignore({ ignoreCase: false })
  if (above) all.add(above)
  return scopeOf(all.add(rules.map((pattern) => ({ pattern }))), prefix)
}

function rebase(line: string, prefix: string): string[] {
  const rule = line.endsWith('\r') ? line.slice(0, -1) : line
  if (rule.startsWith('#') || /^ *$/.test(rule)) return []
  if (prefix === '') return [rule]
  const negated = rule.startsWith('!')
  const body = negated ? rule.slice(1) : rule
  const base = `/${prefix.replaceAll(/[\\*?[\]!# ]/g, '\\$&')}`
  // A slash before the end ties the rule to its directory.
  const tied = /\/./.test(body.trimEnd())
  return [`${negated ? '!' : ''}${base}${tied ? body.replace(/^\//, '') : `**/${body}`}`]
}
