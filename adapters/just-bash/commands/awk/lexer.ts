import { CONTROL_ESCAPES } from '../../control-escapes.js'
import { escapeOf, joined } from '../../escaped-bytes.js'
import { Failure } from '../shared/failure.js'

export interface Token {
  readonly kind: 'number' | 'string' | 'regex' | 'name' | 'call' | 'word' | 'op' | 'newline' | 'end'
  readonly text: string
  readonly line: number
}

const WORDS = new Set(
  'BEGIN END function func if else while for do break continue next nextfile exit return delete in getline print printf'.split(' '),
)
const OPS = /\*\*=|\*\*|\+\+|--|\+=|-=|\*=|\/=|%=|\^=|==|<=|>=|!=|!~|&&|\|\||>>|[-+*/%^!<>|?:~$={}()[\];,]/y
const ESCAPES: Readonly<Record<string, string>> = { ...CONTROL_ESCAPES, '"': '"', '/': '/' }

/** Resolves the escapes of a string. Keeps unknown escapes. `\303` is a byte, and `\303\274` becomes one character. */
export function unescaped(text: string, unicode: boolean): string {
  const byte = (digits: string, base: number): string => {
    const value = Number.parseInt(digits, base) & 0xff
    return unicode && value > 0x7f ? escapeOf(value) : String.fromCharCode(value)
  }
  const plain = text.replace(/\\(?:([0-7]{1,3})|x([\da-fA-F]{1,2})|\n|([\s\S]))/g, (all, octal?: string, hex?: string, char?: string) => {
    if (octal) return byte(octal, 8)
    if (hex) return byte(hex, 16)
    return char === undefined ? '' : (ESCAPES[char] ?? all)
  })
  return unicode ? joined(plain) : plain
}

const BRACKETS_OR_ESCAPE = /(\[\^?\]?)((?:\[:\w+:\]|\\[\s\S]|[^\]\\])*)\]|\\(?:[0-7]{1,3}|x[\da-f]{1,2}|[\s\S])/gi
const ANY_ESCAPE = /\\(?:[0-7]{1,3}|x[\da-f]{1,2}|[\s\S])/gi
/** Escapes to keep: regex operators of POSIX and GNU, and escaped special characters. */
const OPERATOR = /^\\[^\da-zA-Z"&/]|^\\[wWsSB]/

/** Converts awk's regex syntax to POSIX syntax, which has no escapes in brackets and only a few elsewhere. */
export function toPosix(source: string, unicode: boolean): string {
  const charOf = (escaped: string): string => unescaped(escaped, unicode).replace(/^\\(?=.)/s, '')
  return source.replace(BRACKETS_OR_ESCAPE, (token: string, open?: string, members = '') => {
    if (open !== undefined) return `${open}${(members as string).replace(ANY_ESCAPE, (escaped) => `[.${charOf(escaped)}.]`)}]`
    if (token === '\\y') return '\\b'
    return OPERATOR.test(token) ? token : charOf(token)
  })
}

/** @throws {Failure} with status 2 for an invalid token */
export function tokensOf(source: string, unicode: boolean): Token[] {
  const tokens: Token[] = []
  let [at, line] = [0, 1]
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const text = pattern.exec(source)?.[0]
    if (text) at += text.length
    return text || undefined
  }
  const add = (kind: Token['kind'], text: string): void => void tokens.push({ kind, text, line })
  while (at < source.length) {
    if (take(/[ \t\r]+|#[^\n]*/y)) continue
    if (take(/\\\r?\n/y)) {
      line++
      continue
    }
    if (take(/\n/y)) {
      add('newline', '\n')
      line++
      continue
    }
    const number = take(/0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y)
    if (number !== undefined) {
      add('number', number)
      continue
    }
    const name = take(/[A-Za-z_]\w*/y)
    if (name !== undefined) {
      add(WORDS.has(name) ? 'word' : source[at] === '(' ? 'call' : 'name', name === 'func' ? 'function' : name)
      continue
    }
    if (source[at] === '"') {
      const text = take(/"(?:[^"\\\n]|\\[\s\S])*"/y)
      if (text === undefined) throw new Failure(`line ${line}: runaway string constant ${source.slice(at, at + 20)} ...`)
      add('string', unescaped(text.slice(1, -1), unicode))
      continue
    }
    if (source[at] === '/' && regexMayFollow(tokens.at(-1))) {
      const text =
        take(/\/(?:[^/\\[\n]|\\[\s\S]|\[\^?\]?(?:\[:[a-z]+:\]|\\[\s\S]|[^\]\\\n])*\])*\//y) ?? take(/\/(?:[^/\\\n]|\\[\s\S])*\//y)
      if (text === undefined) throw new Failure(`line ${line}: regular expression compile failed: missing '/'`)
      add('regex', text.slice(1, -1).replaceAll('\\/', '/'))
      continue
    }
    const op = take(OPS)
    if (op === undefined) throw new Failure(`line ${line}: unexpected character '${source[at]}'`)
    add('op', op === '**' ? '^' : op === '**=' ? '^=' : op)
  }
  add('newline', '\n')
  add('end', '')
  return tokens
}

/** Whether `/` starts a regex. After a value, `/` is a division. */
function regexMayFollow(last: Token | undefined): boolean {
  if (!last) return true
  if (last.kind === 'number' || last.kind === 'string' || last.kind === 'name' || last.kind === 'regex') return false
  if (last.kind === 'word') return last.text !== 'getline'
  return (
    last.kind === 'newline' || !(last.text === ')' || last.text === ']' || last.text === '$' || last.text === '++' || last.text === '--')
  )
}
