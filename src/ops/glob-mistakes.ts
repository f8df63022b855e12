import { parseClass } from './glob-class.js'

/** Text that callers write around a path by mistake. */
const AROUND: readonly (readonly [find: RegExp, put: string])[] = [
  [/^(["'`])([^"'`]*)\1$/, '$2'],
  [/^(?:file:\/\/(?:localhost)?(?=\/)|glob:|@(?=[\w./]))/, ''],
  [/(?::\d{1,9}(?:[:-]\d{1,9}){0,2}|#L\d{1,9}(?:-L?\d{1,9})?)$/, ''],
  [/\\+/g, '/'],
  [/(^|[^?*+@!])\((?=[^()/|]*\|)/g, '$1@('],
  [/(?!^)\/$/, ''],
]

const LIST = /^\[\s*["'`](.*)["'`]\s*\]$/s

/**
 * Returns what the caller may mean by a pattern that matches nothing: the items of a JSON list, or the pattern without surrounding quotes,
 * without a line number or a URL scheme, with slashes for backslashes, and relative to the root if the pattern starts with the root's name
 * or with the path from there to `start`, where the search starts.
 */
export function meantBy(source: string, root: string, start: string): string[] {
  return (LIST.exec(source.trim())?.[1]?.split(/["'`]\s*,\s*["'`]/) ?? [source]).map((glob) => {
    const mark = isExclusion(glob) ? '!' : ''
    const bare = AROUND.reduce((text, [find, put]) => text.replace(find, put), glob.slice(mark.length).trim())
    const own = root.slice(root.lastIndexOf('/') + 1)
    const below = start.slice(root === '/' ? 1 : root.length + 1)
    const names = [below, own].find((each) => each !== '' && bare.startsWith(`${each}/`))
    return mark + (names === undefined ? bare : (names === below ? start : root) + bare.slice(names.length))
  })
}

const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/^~/, '"~" is not expanded'],
  [/^(?:\$[A-Z]|\$\{|%\w+%)/, 'variables are not expanded'],
  [/^(?:\$\(|`)/, 'command substitution is not supported'],
  [/^[a-z]:[\\/]/i, 'drive letters are not supported'],
  [/^[a-z][a-z\d+.-]*:\/\//i, 'URLs are not supported'],
]
const UNUSUAL: readonly (readonly [RegExp, string])[] = [
  [/^\s*$/, 'it is blank: use "**" for everything'],
  [/\{\s*\}/, 'the braces "{}" are empty: list alternatives, as in "{a,b}"'],
  [/^\^|\$$|\\\.|\\[dsw](?:[+*\]]|$)|\.\+|\(\?/, 'a glob is not a regular expression: "**/*.ts" matches names at any depth'],
  [/[\w.\-\]?]\*\*|\*\*[\w.\-[?]/, '"**" within a name means "*": write "/**" to match everything below a directory'],
  [/\S\s+\S/, 'spaces are part of a name: separate several globs with commas'],
]

/** Returns why a glob without a match may be a mistake, with a correction. Undefined if nothing looks like a mistake. */
export function mistakeIn(source: string, root: string): string | undefined {
  const found = MISTAKES.find(([find]) => find.test(source))?.[1]
  if (found !== undefined) return `${found}: write a path below "${root}"`
  const [, range] =
    [...source.matchAll(/\[[^\][]*?([a-z]-[a-z]|\d-\d)[^\][]*\]/gi)].find(([, [low = '', , high = ''] = '']) => low > high) ?? []
  if (range !== undefined) return `the range "${range}" in brackets is empty: write the lower end first`
  if (hasOpenBracket(source)) return 'a "[" is not closed: add the "]", or write "\\[" for the character itself'
  return UNUSUAL.find(([find]) => find.test(source))?.[1]
}

function hasOpenBracket(source: string): boolean {
  for (let i = 0; i < source.length; i++) {
    if (source[i] === '\\') i++
    else if (source[i] === '[') {
      const found = parseClass(source, i)
      if (!found) return true
      i = found.end - 1
    }
  }
  return false
}

/** Whether a glob is an exclusion. `!(a|b)` is a group, not an exclusion. */
export const isExclusion = (source: string): boolean => source.startsWith('!') && source[1] !== '('

/** Returns why an exclusion has no effect; undefined if it has an effect. The result of a search would not reveal this mistake. */
export function brokenExclusion(source: string, root: string): string | undefined {
  if (/\\(?:\*\*|[\w/])/.test(source)) return 'a backslash escapes the next character: use "/" between directories'
  return MISTAKES.some(([find]) => find.test(source)) ? mistakeIn(source, root) : undefined
}

/**
 * Splits a text that lists or quotes several globs: `*.ts, "*.tsx"`. Returns an empty list if the text may be a single name, such as `my
 * notes.md`. In a list of exclusions, the mark may be only on the first item.
 */
export function listedIn(source: string): string[] {
  if (!SEPARATES.test(source)) return []
  const body = isExclusion(source) ? source.slice(1) : source
  const listed = ['']
  const parts = ['']
  let depth = 0
  for (const char of body) {
    if ('{[('.includes(char)) depth++
    else if ('}])'.includes(char)) depth--
    add(listed, char, depth <= 0 && /[,;|]/.test(char))
    add(parts, char, depth <= 0 && SEPARATES.test(char))
  }
  const items = listed.filter((part) => part !== '').map((part) => WITHIN_QUOTES.exec(part)?.[0] ?? '')
  const isList = items.length > 1 && items.every((part) => /[*?/]|\.\w+$/.test(part))
  const found = isList ? items : parts.filter((part) => part !== '' && part !== body)
  if (!isList && !found.every((part) => /[*?]/.test(part))) return []
  return body !== source ? found.map((part) => (part.startsWith('!') ? part : `!${part}`)) : found
}

/** Separators outside of braces, brackets and parentheses. */
const SEPARATES = /[,;|\s"'`]/
const WITHIN_QUOTES = /[^\s"'`](?:.*[^\s"'`])?/s

function add(parts: string[], char: string, separates: boolean): void {
  if (separates) parts.push('')
  else parts[parts.length - 1] += char
}
