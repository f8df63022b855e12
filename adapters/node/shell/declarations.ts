/** A variable as `declare -p` shows it: `declare -FLAGS NAME=VALUE`. */
export interface Declaration {
  /** The attribute letters, or `-` if the variable has no attributes. */
  readonly flags: string
  readonly name: string
  /** Value in the quotes of bash, so that evaluating it runs no commands. Missing if the variable is declared without a value. */
  readonly value?: string
  /** The complete declaration. */
  readonly text: string
}

const HEAD = /declare -([-a-zA-Z]+) ([A-Za-z_]\w*)(=?)/y
const NEXT = /^declare -/gm
/** Key of an associative array that bash prints without quotes. */
const BARE_KEY = /[\p{L}\p{N}_=./:,@%+-]+(?=\]=)/uy
const INDEX = /\d+(?=\]=)/y

/** Parses the output of `declare -p`. Skips text that is not a declaration as bash quotes it. */
export function readDeclarations(list: string): Declaration[] {
  const found: Declaration[] = []
  for (let at = 0; at < list.length; ) {
    const declaration = readDeclaration(list, at)
    if (declaration) {
      found.push(declaration)
      at += declaration.text.length + 1
    } else {
      NEXT.lastIndex = at + 1
      at = NEXT.exec(list)?.index ?? list.length
    }
  }
  return found
}

/** Parses the declaration at `at`, which must end at a line end or at the end of the text. */
export function readDeclaration(text: string, at = 0): Declaration | undefined {
  HEAD.lastIndex = at
  const [head, flags = '', name = '', equals] = HEAD.exec(text) ?? []
  if (head === undefined) return undefined
  const from = at + head.length
  const end = equals === '' ? from : valueEnd(text, from, flags)
  if (end === undefined || (end < text.length && text[end] !== '\n')) return undefined
  return { flags, name, ...(equals !== '' && { value: text.slice(from, end) }), text: text.slice(at, end) }
}

function valueEnd(text: string, at: number, flags: string): number | undefined {
  if (/[aA]/.test(flags)) return text[at] === '(' ? elementsEnd(text, at + 1, flags.includes('A')) : undefined
  return quotedEnd(text, at)
}

/** Returns the end of the elements of an array, after the closing parenthesis: `[key]="value" [key]="value")`. */
function elementsEnd(text: string, from: number, named: boolean): number | undefined {
  for (let at = from; ; ) {
    if (text[at] === ' ') at++
    if (text[at] === ')') return at + 1
    const key = text[at] === '[' ? keyEnd(text, at + 1, named) : undefined
    const end = key !== undefined && text.startsWith(']=', key) ? quotedEnd(text, key + 2) : undefined
    if (end === undefined) return undefined
    at = end
  }
}

function keyEnd(text: string, at: number, named: boolean): number | undefined {
  const bare = named ? BARE_KEY : INDEX
  bare.lastIndex = at
  const key = bare.exec(text)
  if (key) return at + key[0].length
  return named ? quotedEnd(text, at) : undefined
}

/**
 * Returns the end of `"..."` without expansions, or of `$'...'`. Uses a loop instead of a regular expression, because a value may have
 * millions of characters.
 */
function quotedEnd(text: string, from: number): number | undefined {
  const plain = text[from] === '"'
  if (!plain && !text.startsWith("$'", from)) return undefined
  const close = plain ? '"' : "'"
  for (let at = from + (plain ? 1 : 2); at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === close) return at + 1
    else if (plain && (character === '$' || character === '`')) return undefined
  }
  return undefined
}
