/** Matches a whole name against a pattern like `fnmatch(3)` without flags: `*`, `?` and sets also match slashes and leading dots. */
export type NameMatcher = (name: string) => boolean

type Token = { readonly kind: 'star' } | { readonly kind: 'one'; readonly matches: (char: string) => boolean }

/** Compiles a pattern. The time to match grows with pattern length times name length, because only the last star backtracks. */
export function compileFnmatch(pattern: string, ignoreCase = false): NameMatcher {
  const tokens = tokensOf(pattern, ignoreCase)
  return (name) => matches(tokens, [...name])
}

function matches(tokens: readonly Token[], chars: readonly string[]): boolean {
  let [token, char] = [0, 0]
  let [starToken, starChar] = [-1, 0]
  while (char < chars.length) {
    const next = tokens[token]
    if (next?.kind === 'star') {
      starToken = token++
      starChar = char
    } else if (next?.matches(chars[char] as string)) {
      token++
      char++
    } else if (starToken >= 0) {
      token = starToken + 1
      char = ++starChar
    } else return false
  }
  while (tokens[token]?.kind === 'star') token++
  return token === tokens.length
}

const fold = (char: string): string => char.toLowerCase()

function tokensOf(pattern: string, ignoreCase: boolean): Token[] {
  const chars = [...pattern]
  const tokens: Token[] = []
  const literal = (wanted: string): Token => {
    if (!ignoreCase) return { kind: 'one', matches: (char) => char === wanted }
    const folded = fold(wanted)
    return { kind: 'one', matches: (char) => fold(char) === folded }
  }
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string
    if (char === '*') tokens.push({ kind: 'star' })
    else if (char === '?') tokens.push({ kind: 'one', matches: () => true })
    else if (char === '[') {
      const set = readSet(chars, at, ignoreCase)
      tokens.push(set ? { kind: 'one', matches: set.matches } : literal('['))
      at = set?.last ?? at
    } else if (char === '\\') {
      // Like in fnmatch(3), a pattern with a trailing backslash matches nothing.
      const escaped = chars[++at]
      tokens.push(escaped === undefined ? { kind: 'one', matches: () => false } : literal(escaped))
    } else tokens.push(literal(char))
  }
  return tokens
}

interface CharacterSet {
  matches(char: string): boolean
  /** Index of the closing bracket. */
  readonly last: number
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alpha: /\p{L}/u,
  digit: /[0-9]/,
  alnum: /[\p{L}0-9]/u,
  upper: /\p{Lu}/u,
  lower: /\p{Ll}/u,
  space: /\s/u,
  blank: /[ \t]/,
  punct: /[!-/:-@[-`{-~]/,
  print: /[^\p{C}]/u,
  graph: /[^\p{C}\s]/u,
  cntrl: /\p{Cc}/u,
  xdigit: /[0-9A-Fa-f]/,
}

/** Returns undefined if the bracket is not closed. */
function readSet(chars: readonly string[], open: number, ignoreCase: boolean): CharacterSet | undefined {
  const members: ((char: string) => boolean)[] = []
  let at = open + 1
  const negated = chars[at] === '!' || chars[at] === '^'
  if (negated) at++
  for (let first = true; ; first = false) {
    const char = chars[at]
    if (char === undefined) return undefined
    if (char === ']' && !first) break
    const named = bracketed(chars, at)
    if (named?.kind === ':') {
      const members_ = CLASSES[named.text]
      members.push((one) => members_?.test(one) === true || (ignoreCase && /^(?:upper|lower)$/.test(named.text) && /\p{L}/u.test(one)))
      at = named.next
      continue
    }
    const low = endpoint(chars, at)
    if (!low) return undefined
    at = low.next
    const high = chars[at] === '-' && chars[at + 1] !== ']' ? endpoint(chars, at + 1) : undefined
    if (high) at = high.next
    members.push(range(low.char, high?.char ?? low.char, ignoreCase))
  }
  return { last: at, matches: (char) => members.some((member) => member(char)) !== negated }
}

function range(low: string, high: string, ignoreCase: boolean): (char: string) => boolean {
  const [from, to] = [low.codePointAt(0) as number, high.codePointAt(0) as number]
  const within = (char: string): boolean => {
    const code = char.codePointAt(0) as number
    return code >= from && code <= to
  }
  return ignoreCase ? (char) => within(char.toLowerCase()) || within(char.toUpperCase()) : within
}

/** Parses `[:alpha:]`, `[.a.]` or `[=a=]`. */
function bracketed(chars: readonly string[], at: number): { kind: string; text: string; next: number } | undefined {
  const kind = chars[at + 1]
  if (chars[at] !== '[' || (kind !== ':' && kind !== '.' && kind !== '=')) return undefined
  for (let end = at + 2; end + 1 < chars.length; end++) {
    if (chars[end] === kind && chars[end + 1] === ']') return { kind, text: chars.slice(at + 2, end).join(''), next: end + 2 }
  }
  return undefined
}

function endpoint(chars: readonly string[], at: number): { char: string; next: number } | undefined {
  const named = bracketed(chars, at)
  if (named && named.kind !== ':' && [...named.text].length === 1) return { char: named.text, next: named.next }
  const escaped = chars[at] === '\\'
  const char = chars[escaped ? at + 1 : at]
  return char === undefined ? undefined : { char, next: at + (escaped ? 2 : 1) }
}
