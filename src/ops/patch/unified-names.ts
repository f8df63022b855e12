import { decodeUtf8 } from '../utf8.js'
import { badPatch } from './errors.js'

/** Maximum length of a quoted name. */
const MAX_QUOTED = 65_536
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v', '"': '"', '\\': '\\' }

/** Returns the name after `--- `, `+++ ` or `rename from `, without quotes and without the date after a tab. Undefined for `/dev/null`. */
export function fileName(rest: string): string | undefined {
  const tab = rest.indexOf('\t')
  // A tab ends a name that contains spaces. Without a tab, trailing spaces are a mistake.
  const plain = tab < 0 ? rest.trimEnd() : rest.slice(0, tab)
  const text = rest.startsWith('"') ? unquoted(rest) : plain
  return text === '/dev/null' ? undefined : text
}

/** Whether the date after the tab is the start of 1970, with which `diff -N` marks a missing file. */
export function isEpoch(rest: string): boolean {
  const date = /\t(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.0+)?(?: ?([+-]\d\d):?(\d\d)| ?Z)?\s*$/.exec(rest)
  if (!date) return /\tThu Jan +1 00:00:00 1970\s*$/.test(rest)
  const [, day, time, hours = '+00', minutes = '00'] = date
  return Date.parse(`${day}T${time}${hours}:${minutes}`) === 0
}

/**
 * Returns the common path below the first directories of both names (`old/src/f` and `new/src/f`); undefined if the names also differ
 * there.
 */
export function belowFirst(from: string, to: string): string | undefined {
  const below = (name: string): string => name.slice(name.indexOf('/') + 1)
  const hasFirst = (name: string): boolean => name.indexOf('/') > 0
  return hasFirst(from) && hasFirst(to) && below(from) === below(to) ? below(to) : undefined
}

/** Returns the two names of a `diff --git` line, for patches without other names. Can separate unquoted names only if they are equal. */
export function gitNames(rest: string): { readonly from: string; readonly to: string } | undefined {
  if (rest.startsWith('"')) {
    const end = quoteEnd(rest)
    const second = rest.slice(end + 1).trim()
    return { from: unquoted(rest), to: fileName(second) ?? second }
  }
  const half = (rest.length - 1) / 2
  const [from, to] = [rest.slice(0, half), rest.slice(half + 1)]
  if (rest[half] === ' ' && from.slice(from.indexOf('/')) === to.slice(to.indexOf('/'))) return { from, to }
  const parts = rest.split(' ')
  return parts.length === 2 ? { from: parts[0] as string, to: parts[1] as string } : undefined
}

/**
 * Removes `a/` and `b/`, and git's other pairs of prefixes (`i/` and `w/`, ...). Removes both prefixes or none, unless one side is
 * `/dev/null`.
 */
export function withoutPrefixes(
  from: string | undefined,
  to: string | undefined,
  git: boolean,
): { readonly from: string | undefined; readonly to: string | undefined } {
  const isOld = git ? /^[aiwco]\// : /^a\//
  const isNew = git ? /^[biwco]\// : /^b\//
  const prefixed = (from === undefined || isOld.test(from)) && (to === undefined || isNew.test(to)) && from?.[0] !== to?.[0]
  return prefixed ? { from: from?.slice(2), to: to?.slice(2) } : { from, to }
}

/** Returns the index of the quote that ends the name at the start of the text. */
function quoteEnd(text: string): number {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}

/** Decodes C escapes, with octal escapes for UTF-8 bytes, and JSON's `\u0001`. */
export function unquoted(text: string): string {
  const inner = text.slice(1, quoteEnd(text))
  if (inner.length > MAX_QUOTED) throw badPatch('a name in quotes is too long')
  return inner.replace(/(?:\\[0-3][0-7]{2})+|\\u[0-9a-f]{4}|\\(.)/gi, (all, letter: string | undefined) => {
    if (letter !== undefined) return ESCAPES[letter] ?? letter
    if (/^\\u/i.test(all)) return String.fromCharCode(Number.parseInt(all.slice(2), 16))
    const bytes = Uint8Array.from(all.slice(1).split('\\'), (octal) => Number.parseInt(octal, 8))
    return decodeUtf8(bytes) ?? String.fromCharCode(...bytes)
  })
}
