/** The position and the reason of a JSON syntax error. Lines and columns count from 1, columns in UTF-16 units. */
export interface JsonProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** The problem at which a scan stops. Thrown and caught only in this file. */
class Stop {
  readonly at: number
  readonly message: string
  constructor(at: number, message: string) {
    this.at = at
    this.message = message
  }
}

/**
 * Finds the first problem of a text that `JSON.parse` rejects, because some of its messages lack a position. With `uniqueKeys` also rejects
 * duplicate keys, of which `JSON.parse` silently keeps the last.
 */
export function findJsonProblem(text: string, uniqueKeys = false): JsonProblem | undefined {
  try {
    scan(text, uniqueKeys)
    return undefined
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop
    const before = text.slice(0, stop.at).split(/\r\n|\r|\n/)
    return { line: before.length, column: (before.at(-1) ?? '').length + 1, message: stop.message }
  }
}

/** Parses a JSON text, or describes its problem: `line 3, column 5: ...`. */
export function parseJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  let value: unknown
  let failure: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    failure = error
  }
  const found = findJsonProblem(text, true)
  if (found) return { problem: `line ${found.line}, column ${found.column}: ${found.message}` }
  return failure === undefined ? { value } : { problem: failure instanceof Error ? failure.message : String(failure) }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y
const BLANK = /[ \t\r\n]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** An object or array that is not closed yet. `keys`: the object's keys so far, if duplicates are rejected. */
interface Open {
  readonly close: '}' | ']'
  readonly keys: Set<string> | undefined
}

/** Scans without recursion, because a text may be nested very deeply. @throws {Stop} */
function scan(text: string, uniqueKeys: boolean): void {
  const open: Open[] = []
  let at = value(text, blank(text, 0), open, uniqueKeys)
  for (;;) {
    at = blank(text, at)
    const inside = open.at(-1)
    if (inside === undefined) break
    const { close } = inside
    if (text[at] === close) {
      open.pop()
      at++
      continue
    }
    if (text[at] !== ',') throw unexpected(text, at, `a comma or "${close}"`)
    const next = blank(text, at + 1)
    if (text[next] === close) throw new Stop(at, `remove the comma before "${close}"`)
    at = value(text, close === '}' ? key(text, next, inside) : next, open, uniqueKeys)
  }
  if (at < text.length) throw unexpected(text, at, 'nothing more')
}

/** Skips a value, or enters a non-empty object or array: reads its first key and colon and stops before its first value. */
function value(text: string, start: number, open: Open[], uniqueKeys: boolean): number {
  for (let at = start; ; ) {
    const first = text[at]
    if (first !== '{' && first !== '[') return scalar(text, at)
    const inner = blank(text, at + 1)
    if (text[inner] === (first === '{' ? '}' : ']')) return inner + 1
    const inside: Open = { close: first === '{' ? '}' : ']', keys: first === '{' && uniqueKeys ? new Set() : undefined }
    open.push(inside)
    at = first === '{' ? key(text, inner, inside) : inner
  }
}

function scalar(text: string, at: number): number {
  if (text[at] === '"') return string(text, at)
  const end = Math.max(past(NUMBER, text, at), past(WORD, text, at))
  if (end === at) throw unexpected(text, at, 'a value')
  return end
}

/** Skips a key, its colon and the blanks after it. */
function key(text: string, at: number, { keys }: Open): number {
  if (text[at] !== '"') throw unexpected(text, at, 'a key in double quotes')
  const end = string(text, at)
  if (keys) {
    // Compare decoded keys, because "a" and "\u0061" are the same key.
    const name = JSON.parse(text.slice(at, end)) as string
    if (keys.has(name)) throw new Stop(at, 'this object already has this key: remove one of them')
    keys.add(name)
  }
  const colon = blank(text, end)
  if (text[colon] !== ':') throw unexpected(text, colon, 'a colon')
  return blank(text, colon + 1)
}

function string(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) return at + 1
    if (unit < 0x20) throw new Stop(at, `this character has to be written as an escape within text: ${shown(text, at)}`)
    if (unit !== 0x5c) continue
    const end = past(ESCAPE, text, at)
    if (end === at) throw new Stop(at, 'this backslash begins no escape: write two for one')
    at = end - 1
  }
  throw new Stop(start, 'this text has no closing quote')
}

function past(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return at + (pattern.exec(text)?.[0].length ?? 0)
}

const blank = (text: string, at: number): number => past(BLANK, text, at)

function unexpected(text: string, at: number, wanted: string): Stop {
  if (at >= text.length) return new Stop(at, `expected ${wanted}, but the text ends here`)
  if (/^\/[/*]/.test(text.slice(at, at + 2))) return new Stop(at, 'JSON has no comments')
  if (text[at] === "'") return new Stop(at, 'JSON has double quotes only')
  return new Stop(at, `expected ${wanted}, found ${shown(text, at)}`)
}

const shown = (text: string, at: number): string =>
  JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0)).replaceAll(/[\p{Cc}\p{Cf}\p{Z}]/gu, (character) =>
    character === ' ' ? ' ' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
