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

/** Commands up to what ends them, `a | b && c`. */
interface List {
  /** As it is written, without what ends it. */
  readonly text: string
  /** `&` ends it. */
  readonly isJob: boolean
  /** Here-documents that stand behind the line that it is in, from the end of that line on. */
  readonly documents: string
}

interface Source {
  readonly isUnfinished: boolean
  readonly lists: readonly List[]
}

/**
 * Whether a shell would read on before it runs this: an open quote, block or here-document, or an end in `\`, `|`, `||` or `&&`. A guess
 * from the words alone: what a shell refuses counts as finished, so that it gets to say so.
 */
export const isUnfinished = (source: string): boolean => read(source).isUnfinished

/** The lists of commands of a source that is finished. What stands in a block or in brackets is part of the list around it. */
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
  /** The list that is being read. */
  let list: OpenList | undefined
  let documents: { readonly start: string; readonly of: OpenList | undefined }[] = []
  /** A command may begin here. */
  let first = true
  /** The last word joins two commands. */
  let joins = false
  /** A `#` here begins a comment. */
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
      // Here these begin nothing: what they took along is read again.
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

  /** The token ends the list that is being read, or is a part of it, or stands behind it. */
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
      // A comment that is none is read again, as is what a quoted text has of it.
      list.end = token.startsWith('#') ? at - token.length + 1 : at
    }
  }

  /** The text of here-documents, which begins with this line; false: it does not end. */
  function readDocuments(): boolean {
    for (const { start, of } of documents) {
      const end = skipDocuments(source, at, [start])
      if (end === undefined) return false
      // Of a list that goes on it is a part anyway.
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
