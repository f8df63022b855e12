import { isLinear } from '../ops/regex/linear.js'
import { compileLongest } from '../ops/regex/longest.js'
import { parsePattern } from '../ops/regex/parse.js'

/** Whether a text fits; undefined: it is too long to be tried. */
export type BoundedPattern = (text: string) => boolean | undefined

/** Characters of a text times those of the pattern: some 50 ms. */
const WORK = 2_000_000
/** Steps of an engine that backtracks: some 50 ms. */
const STEPS = 5_000_000

/**
 * The pattern of a JSON Schema (a JavaScript regular expression with the flag `u`), tried in bounded time: by the host's engine where that
 * is linear, else by RE2, which knows no look-around and no back-references; with those, texts are bounded by the pattern's repetitions.
 */
export function boundPattern(source: string): BoundedPattern {
  const native = new RegExp(source, 'u')
  const parsed = parsePattern(source, { ignoreCase: false, lines: false })
  if (parsed && isLinear(parsed.options)) return (text) => native.test(text)
  const linear = inRe2(source)
  if (linear) return (text) => (text.length * source.length > WORK ? undefined : linear.test(text))
  const repeats = plain(source).match(/[*+]|\{\d+,\d*\}/g)?.length ?? 0
  // One more for the places where it may begin.
  const longest = Math.floor(STEPS ** (1 / (repeats + 1)))
  return (text) => (text.length > longest ? undefined : native.test(text))
}

function inRe2(source: string): { test(text: string): boolean } | undefined {
  const translated = toRe2(source)
  try {
    return translated === undefined ? undefined : compileLongest(translated, false)
  } catch {
    // Counts above 1,000, names of classes that it does not know.
    return undefined
  }
}

const SPACE = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const TOKEN =
  /\\u\{([0-9a-f]+)\}|\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\u([0-9a-f]{4})|\\c([a-z])|\\([pP])\{([^}]*)\}|\\[\s\S]|\(\?<\w+>|\(\?:|\(\?|[\s\S]/giu

/** In the syntax of RE2, with the same meaning; undefined: it has none. */
function toRe2(source: string): string | undefined {
  let out = ''
  let inClass = false
  for (const [token, wide, high, low, unit, control, property, name = ''] of source.matchAll(TOKEN)) {
    const code = wide ?? unit ?? (control && (control.charCodeAt(0) % 32).toString(16)) ?? pair(high, low)
    let next: string | undefined = token
    if (code !== undefined) next = /^d[89a-f]/i.test(code) && code.length === 4 ? undefined : `\\x{${code}}`
    else if (property) next = `\\${property}{${name.replace(/^(?:sc|Script|gc|General_Category)=/, '')}}`
    else if (/^\\[1-9k]$/.test(token) || token === '(?') next = undefined
    else if (token === '\\0') next = '\\x00'
    else if (token === '\\s') next = inClass ? SPACE : `[${SPACE}]`
    else if (token === '\\S') next = inClass ? undefined : `[^${SPACE}]`
    else if (inClass) next = token === '[' ? '\\[' : token === '\\b' ? '\\x08' : token
    else if (token === '(' || token.startsWith('(?<')) next = '(?:'
    else next = { '.': '[^\\n\\r\\x{2028}\\x{2029}]', '^': '\\A', $: '\\z' }[token] ?? token
    if (next === undefined) return undefined
    if (token === '[') inClass = true
    else if (token === ']') inClass = false
    out += next
  }
  // `[]` and `[^]` are other classes there.
  return /\[\^?\]/.test(plain(source, false)) ? undefined : out
}

function pair(high: string | undefined, low: string | undefined): string | undefined {
  if (high === undefined || low === undefined) return undefined
  return (((Number.parseInt(high, 16) - 0xd800) << 10) + Number.parseInt(low, 16) - 0xdc00 + 0x10000).toString(16)
}

/** Without escapes, and without classes. */
function plain(source: string, classes = true): string {
  const bare = source.replace(/\\[\s\S]/g, '_')
  return classes ? bare.replace(/\[[^\]]*\]/g, '_') : bare
}
