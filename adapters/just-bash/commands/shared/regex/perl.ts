import { Failure } from '../failure.js'
import type { Regex, RegexOptions } from './regex.js'

const CLASSES: Readonly<Record<string, string>> = {
  alpha: '\\p{L}',
  digit: '0-9',
  alnum: '\\p{L}0-9',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  space: '\\s',
  blank: ' \\t',
  punct: '\\p{P}\\p{S}',
  xdigit: '0-9A-Fa-f',
  word: '\\w',
}
/** Nested repetitions, for which a backtracking engine may take exponential time. */
const EXPLOSIVE = /[*+}]\)[*+{]|\|[^()]*\)[*+]/

/** Compiles a Perl expression, as far as JavaScript supports its features. @throws {Failure} status 2 */
export function compilePerl(source: string, { ignoreCase = false, unicode = true, whole }: Omit<RegexOptions, 'extended'>): Regex {
  if (EXPLOSIVE.test(source)) throw new Failure('this expression may take too long: leave out the repeat of a repeat, or use -E', 2)
  const { body, flags, keeps } = translate(source)
  const framed = whole === 'line' ? `^(?:${body})$` : whole === 'word' ? `(?<!\\w)(?:${body})(?!\\w)` : body
  let regex: RegExp
  try {
    regex = new RegExp(
      framed,
      `g${keeps.size > 0 ? 'd' : ''}${unicode ? 'u' : ''}${ignoreCase || flags.includes('i') ? 'i' : ''}${flags.includes('s') ? 's' : ''}`,
    )
  } catch {
    throw new Failure(`this shell cannot read the expression: ${source}`, 2)
  }
  return {
    groups: 0,
    exec(text, from = 0) {
      regex.lastIndex = from
      const found = regex.exec(text)
      if (!found) return undefined
      const end = found.index + found[0].length
      if (keeps.size === 0) return { index: found.index, end, groups: found }
      let index = found.index
      for (const keep of keeps) index = Math.max(index, found.indices?.[keep]?.[0] ?? 0)
      const groups = found.filter((_, group) => !keeps.has(group))
      groups[0] = text.slice(index, end)
      return { index, end, groups }
    },
    test(text) {
      regex.lastIndex = 0
      return regex.test(text)
    },
  }
}

interface Translated {
  readonly body: string
  readonly flags: string
  /** Numbers of the empty groups that replace `\K`. */
  readonly keeps: ReadonlySet<number>
}

function translate(source: string): Translated {
  const flags = /^\(\?([is]+)\)/.exec(source)?.[1] ?? ''
  const rest = flags === '' ? source : source.slice(flags.length + 3)
  const tokens =
    /\\([pP])\{(\^?)(\w+)\}|\\Q([\s\S]*?)(?:\\E|$)|\\x\{([0-9a-fA-F]+)\}|\\([\s\S])|\[:(\w+):\]|(\((?:\?P?<(?=\w)|(?!\?)))|\[\]|\[\^\]|([*+?}])\+|([\s\S])/g
  let inSet = false
  let body = ''
  const keeps = new Set<number>()
  /** For each group of the expression: the number of the group in the translation. */
  const numbers: number[] = []
  for (const [token, property, negated, script = '', quoted, code, escaped, name, opener, possessive] of rest.matchAll(tokens)) {
    if (property !== undefined)
      body += `\\${negated ? (property === 'p' ? 'P' : 'p') : property}{${script.length > 2 ? 'Script=' : ''}${script}}`
    else if (quoted !== undefined) body += quoted.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    else if (code !== undefined) body += `\\u{${code}}`
    else if (escaped === 'K' && !inSet) {
      keeps.add(numbers.length + keeps.size + 1)
      body += '()'
    } else if (escaped !== undefined && !inSet && /[1-9]/.test(escaped)) body += `\\${numbers[Number(escaped) - 1] ?? escaped}`
    else if (escaped !== undefined) body += escapeOf(escaped, inSet)
    else if (name !== undefined && inSet) body += CLASSES[name] ?? ''
    else if (opener !== undefined && !inSet) {
      numbers.push(numbers.length + keeps.size + 1)
      body += opener.replace('P', '')
    } else if (possessive !== undefined && !inSet) throw new Failure('possessive repeats are not supported in this shell', 2)
    else if ((token === '[]' || token === '[^]') && !inSet) {
      body += `${token.slice(0, -1)}\\]`
      inSet = true
    } else if (token === '[') {
      body += inSet ? '\\[' : '['
      inSet = true
    } else {
      if (token === ']' && !inSet) body += '\\]'
      else body += token
      if (token === ']') inSet = false
    }
  }
  return { body, flags, keeps }
}

function escapeOf(char: string, inSet: boolean): string {
  if (char === 'h') return inSet ? ' \\t' : '[ \\t]'
  if (char === 'A') return '^'
  if (char === 'z' || char === 'Z') return '$'
  if (char === 'R') return '(?:\\r\\n|\\n|\\r)'
  if (char === 'a') return '\\x07'
  if (char === 'e') return '\\x1b'
  if (/[a-zA-Z0-9]/.test(char)) return `\\${char}`
  return /[\\^$.*+?()[\]{}|/-]/.test(char) ? `\\${char}` : char
}
