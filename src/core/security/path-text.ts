import { fitsWildcard } from '../../ops/wildcard.js'

/** Components of an absolute path: `/a//b/./c` is `a b c`. A backslash separates too: some shells and systems read it so. */
export const componentsOf = (path: string): readonly string[] => path.split(/[/\\]/).filter((part) => part !== '' && part !== '.')

const ENCODED_PARENT = /\.\.%(?:2f|5c)|%2e%2e|%2e\.|\.%2e/i
const GLOB = /[*?[]/

/** Whether a component may stand for `..`: written so, or as a glob that shells let match it (`.*`, `.?`). */
export function mayBeParent(component: string): boolean {
  if (component === '..') return true
  if (!component.startsWith('.') || !GLOB.test(component)) return false
  // What can match one more dot, or nothing: a class of letters cannot, nor one that leaves the dot out.
  const rest = component.slice(1).replaceAll(/\[[!^]\.\]|\[[A-Za-z0-9]+(?:-[A-Za-z0-9])?\]/g, 'x')
  return /^(?:[.*?]|\[[^\]]*\])+$/.test(rest)
}

/** Why the text of a path cannot be trusted, wherever it leads. `globs`: a shell will expand it. */
export function pathProblem(path: string, globs: boolean): string | undefined {
  if (path.includes('\0')) return 'it has a NUL character'
  if (ENCODED_PARENT.test(path)) return 'it has an encoded ".."'
  const parent = path.split(/[/\\]/).find((part) => part === '..' || (globs && mayBeParent(part)))
  if (parent === '..') return 'it has a ".." component: write the path without it, from the workspace down'
  if (parent !== undefined) return `"${parent}" can stand for "..": write the name out`
  if (/^~[^/\\]/.test(path)) return 'it names the home directory of a user'
  return undefined
}

/** Whether `path` is `prefix` or below it. `fold`: case does not count; `globs`: the components of `path` are patterns of a shell. */
export function isWithin(path: readonly string[], prefix: readonly string[], fold = false, globs = false): boolean {
  return prefix.every((part, i) => {
    const own = path[i]
    if (own === undefined) return false
    if (own === part) return true
    if (globs && GLOB.test(own)) return mayMatch(own.toLowerCase(), part.toLowerCase())
    return fold && own.toLowerCase() === part.toLowerCase()
  })
}

/** Whether the pattern may match the name; a class is taken for any character. */
const mayMatch = (pattern: string, name: string): boolean => fitsWildcard(pattern.replaceAll(/\[[!^]?\]?[^\]]*\]/g, '?'), name, '?')
