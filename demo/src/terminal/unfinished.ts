import { skipDocuments } from './here-documents.js'

/** The token that closes an open construct. `))` closes arithmetic, `"` a quoted text. */
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
/** Words that precede a command. */
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

/** Commands up to their terminator, such as `a | b && c`. */
interface List {
  /** The text without its terminator. */
  readonly text: string
  /** Whether the list ends with `&`. */
  readonly isJob: boolean
  /** Text of the here-documents that the list starts. The text follows the line of the list. */
  readonly documents: string
}

interface Source {
  readonly isUnfinished: boolean
  readonly lists: readonly List[]
}

/**
 * Whether a shell would read more input before running this: an open quote, block or here-document, or an end in `\`, `|`, `||` or `&&`. A
 * heuristic on tokens. Invalid syntax counts as finished, so that the shell reports the error.
 */
export const isUnfinished = (source: string): boolean => read(source).isUnfinished

/** The top-level lists of a finished source. Blocks and parentheses belong to the list around them. */
export const listsOf = (source: string): readonly List[] => read(source).lists

interface OpenList {
  readonly start: number
  end: number
  isJob: boolean
  documents: string
}

function read(source: string): Source {
  const open: Closer[] = []
  const lists: OpenList[] = []
  /** The current list. */
  let list: OpenList | undefined
  let documents: { readonly start: string; readonly of: OpenList | undefined }[] = []
  /** Whether a command may begin here. */
  let first = true
  /** Whether the last token joins two commands, such as `|` or `&&`. */
  let joins = false
  /** Whether a `#` begins a comment here. */
  let spaced = true
  let last = ''
  let at = 0

  for (let token = next(); token !== ''; token = next()) {
    const wasSpaced = spaced
    spaced = /^[\s;|&()]/.test(token)
    takeIn(token, wasSpaced)
    last = token
    if (token.startsWith('\\')) {
      if (at === source.length && (token === '\\' || token === '\\\n')) return result(true)
      if (token !== '\\\n') word(token)
    } else if (opensOrCloses(token)) continue
    else if (open.at(-1) === '"') {
      // Inside double quotes `'`, `#` and `<` are literal, so the scan continues after the first character of the token.
      if (/^['#<]/.test(token)) at -= token.length - 1
    } else if (token.startsWith("'")) {
      if (token.length === 1 || !token.endsWith("'")) return result(true)
      word(token)
    } else if (token.startsWith('#')) {
      if (!wasSpaced) at -= token.length - 1
    } else if (token === '\n') {
      if (!readDocuments()) return result(true)
      first = true
    } else if (/^<<-?[^<-]/.test(token) && open.at(-1) !== '))') {
      documents.push({ start: token, of: list })
      joins = false
    } else if (!/^[ \t]/.test(token)) word(token)
  }
  return result(open.length > 0 || joins || documents.length > 0)

  function result(isUnfinished: boolean): Source {
    const texts = lists.map(({ start, end, ...others }) => ({ text: source.slice(start, end), ...others }))
    return { isUnfinished, lists: texts }
  }

  /** Handles the token's effect on the current list: the token ends the list, extends it (and starts one if needed), or does nothing. */
  function takeIn(token: string, wasSpaced: boolean): void {
    const isRedirection = /^[^\\'"]*[<>|]$/.test(last) || source[at] === '>'
    const ends = token === ';' || (token === '\n' && !joins) || (token === '&' && !isRedirection)
    if (open.length === 0 && ends) {
      if (list) list.isJob = token === '&'
      list = undefined
    } else if (!/^(?:\s|\\\n)/.test(token) && !(token.startsWith('#') && wasSpaced && open.length === 0)) {
      if (!list) {
        list = { start: at - token.length, end: at, isJob: false, documents: '' }
        lists.push(list)
      }
      // The text after a literal `#` is scanned again, so only the `#` is added here.
      list.end = token.startsWith('#') ? at - token.length + 1 : at
    }
  }

  /** Skips the here-documents that begin on this line. Returns false if one is incomplete. */
  function readDocuments(): boolean {
    for (const { start, of } of documents) {
      const end = skipDocuments(source, at, [start])
      if (end === undefined) return false
      // A here-document inside a continued list already lies within the list's text.
      if (of && of !== list) of.documents += (of.documents.endsWith('\n') ? '' : '\n') + source.slice(at, end)
      at = end
    }
    documents = []
    return true
  }

  function next(): string {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(source)?.[0] ?? ''
    at += token.length
    return token
  }

  /** Handles tokens that also count inside double quotes. */
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
