import { fitsWildcard } from '../../ops/wildcard.js'

/** Returns the components of an absolute path: `/a//b/./c` becomes `a b c`. Splits at backslashes too, as some shells and systems do. */
export const componentsOf = (path: string): readonly string[] => path.split(/[/\\]/).filter((part) => part !== '' && part !== '.')

const ENCODED_PARENT = /\.\.%(?:2f|5c)|%2e%2e|%2e\.|\.%2e/i
const GLOB = /[*?[]/

/** Whether a component may mean `..`, literally or as a glob that some shells match with it (`.*`, `.?`). */
export function mayBeParent(component: string): boolean {
  if (component === '..') return true
  if (!component.startsWith('.') || !GLOB.test(component)) return false
  // Remove character classes that can match neither a second dot nor nothing: classes of letters, and classes that exclude dots.
  const rest = component.slice(1).replaceAll(/\[[!^]\.\]|\[[A-Za-z0-9]+(?:-[A-Za-z0-9])?\]/g, 'x')
  return /^[.*?]*(?:\[|$)/.test(rest)
}

/** Returns why a path is rejected by its text alone; undefined if the path is allowed. `globs`: a shell will expand the path. */
export function pathProblem(path: string, globs: boolean): string | undefined {
  if (path.includes('\0')) return 'it contains a NUL character'
  if (ENCODED_PARENT.test(path)) return 'it contains an encoded ".."'
  const parent = path.split(/[/\\]/).find((part) => part === '..' || (globs && mayBeParent(part)))
  if (parent === '..') return 'it contains "..": write a path without "..", relative to the workspace'
  if (parent !== undefined) return `"${parent}" can expand to "..": write out the name`
  if (/^~[^/\\]/.test(path)) return 'it names the home directory of a user'
  return undefined
}

/** Whether `path` equals `prefix` or is below `prefix`. `fold`: ignore case. `globs`: the components of `path` are shell patterns. */
export function isWithin(path: readonly string[], prefix: readonly string[], fold = false, globs = false): boolean {
  return prefix.every((part, i) => {
    const own = path[i]
    if (own === undefined) return false
    if (own === part) return true
    if (globs && GLOB.test(own)) return mayMatch(own.toLowerCase(), part.toLowerCase())
    return fold && own.toLowerCase() === part.toLowerCase()
  })
}

/** Whether the pattern may match the name. Treats a character class as any character. */
const mayMatch = (pattern: string, name: string): boolean => fitsWildcard(withoutClasses(pattern), name, '?')

/** Replaces each character class by `?`, including classes with a nested class such as `[[:alpha:]]`. */
function withoutClasses(pattern: string): string {
  let marks = ''
  let from = 0
  for (let at = pattern.indexOf('['); at >= 0; at = pattern.indexOf('[', from)) {
    const end = classEnd(pattern, at)
    if (end === undefined) break
    marks += `${pattern.slice(from, at)}?`
    from = end
  }
  return marks + pattern.slice(from)
}

/** Returns the index after the `]` of the class at `at`; undefined if the class is not closed. */
function classEnd(pattern: string, at: number): number | undefined {
  const first = /[!^]/.test(pattern[at + 1] ?? '') ? at + 2 : at + 1
  let i = pattern[first] === ']' ? first + 1 : first
  for (; i < pattern.length; i++) {
    if (pattern[i] === ']') return i + 1
    if (pattern[i] !== '[' || !/[:.=]/.test(pattern[i + 1] ?? '')) continue
    const inner = pattern.indexOf(`${pattern[i + 1]}]`, i + 2)
    if (inner < 0) return undefined
    i = inner + 1
  }
  return undefined
}
