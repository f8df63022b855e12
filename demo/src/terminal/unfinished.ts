import { skipDocuments } from './here-documents.js'

/** What closes a construct that is open. `))` is of arithmetic, `"` of a quoted text. */
type Closer = ')' | '))' | '}' | '"' | '`' | 'fi' | 'done' | 'esac'

const BLOCKS = new Map<string, Closer>([
  ['if', 'fi'],
  ['while', 'done'],
  ['until', 'done'],
  ['for', 'done'],
  ['select', 'done'],
  ['case', 'esac'],
  ['{', '}'],
])
const SUBSTITUTIONS = new Map<string, Closer>([
  ['$((', '))'],
  ['$(', ')'],
  ['$' + '{', '}'],
])
/** Words behind which another command begins. */
const LEADS = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', 'in', '{', '!', 'time'])

const TOKENS = [
  /\\[\s\S]?/, // escaped
  /'[^']*'?/,
  /\$\(\(|\$\(|\$\{/,
  /<<<|<<-?[ \t]*(?:'[^'\n]*'|"[^"\n]*"|[^\s;|&<>()'"]+)/, // here-document
  /&&|\|\||;;|[;|&()\n"`}]/,
  /#[^\n]*/,
  /[ \t]+/,
  /[^\s;|&()"'`\\$}<#]+|[\s\S]/, // word
]
const TOKEN = new RegExp(TOKENS.map(({ source }) => source).join('|'), 'g')

/**
 * Whether a shell would read on before it runs this: an open quote, block or here-document, or an end in `\`, `|`, `||` or `&&`. A guess
 * from the words alone: what a shell refuses counts as finished, so that it gets to say so.
 */
export function isUnfinished(source: string): boolean {
  const open: Closer[] = []
  let documents: string[] = []
  /** A command may begin here. */
  let first = true
  /** The last word joins two commands. */
  let joins = false
  /** A `#` here begins a comment. */
  let spaced = true
  let at = 0

  for (let token = next(); token !== ''; token = next()) {
    const wasSpaced = spaced
    spaced = /^[\s;|&()]/.test(token)
    if (token.startsWith('\\')) {
      if (at === source.length && (token === '\\' || token === '\\\n')) return true
      if (token !== '\\\n') word(token)
    } else if (opensOrCloses(token)) continue
    else if (open.at(-1) === '"') {
      // Here these begin nothing: what they took along is read again.
      if (/^['#<]/.test(token)) at -= token.length - 1
    } else if (token.startsWith("'")) {
      if (token.length === 1 || !token.endsWith("'")) return true
      word(token)
    } else if (token.startsWith('#')) {
      if (!wasSpaced) at -= token.length - 1
    } else if (token === '\n') {
      const end = skipDocuments(source, at, documents)
      if (end === undefined) return true
      at = end
      documents = []
      first = true
    } else if (/^<<-?[^<-]/.test(token) && open.at(-1) !== '))') {
      documents.push(token)
      joins = false
    } else if (!/^[ \t]/.test(token)) word(token)
  }
  return open.length > 0 || joins || documents.length > 0

  function next(): string {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(source)?.[0] ?? ''
    at += token.length
    return token
  }

  /** What counts in a quoted text too. */
  function opensOrCloses(token: string): boolean {
    const top = open.at(-1)
    const substitution = SUBSTITUTIONS.get(token)
    if (substitution) open.push(substitution)
    else if (token === '"' || token === '`') {
      if (top === token) open.pop()
      else open.push(token)
    } else if (token === '}' && top === '}') open.pop()
    else return false
    first = token !== '"' && token !== '}'
    joins = false
    return true
  }

  function word(token: string): void {
    const top = open.at(-1)
    const block = BLOCKS.get(token)
    const begins = first
    joins = token === '|' || token === '||' || token === '&&'
    first = joins || /^(?:;;|[;&()])$/.test(token) || token === 'in' || (begins && LEADS.has(token))
    if (token === '(') open.push(')')
    else if (token === ')' && top === ')') open.pop()
    else if (token === ')' && top === '))' && source[at] === ')') {
      open.pop()
      at += 1
    } else if (begins && token === top) open.pop()
    else if (begins && block) open.push(block)
  }
}
