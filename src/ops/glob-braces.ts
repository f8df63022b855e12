import { expand } from 'brace-expansion'

/** What keeps the braces of a glob from being used, for the message. */
export class BraceError extends Error {}

/** Stand-ins from the private use area; a glob that holds them itself is refused. */
const HIDDEN: Readonly<Record<string, string>> = { '\\': '\ue000', '{': '\ue001', '}': '\ue002', ',': '\ue003' }
const SHOWN: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(HIDDEN).map(([mark, hidden]) => [hidden, mark]))
const STAND_INS = /[\ue000-\ue003]/

export const holdsStandIn = (glob: string): boolean => STAND_INS.test(glob)

const hide = (part: string): string => part.replaceAll(/[\\{},]/g, (mark) => HIDDEN[mark] ?? mark)
const show = (part: string): string => part.replaceAll(/[\ue000-\ue003]/g, (mark) => SHOWN[mark] ?? mark)

/**
 * `{a,b}` and `{1..3}`; a brace that is escaped or in a class is a character. `{a}` stands for `a`, and for the name that is written so;
 * `{{a}}` and `{}` for themselves, as in templates. A component without wildcards, as `{a,b}.md`, stands for the name that is written so
 * too. At most `max` globs, and then one more. @throws BraceError
 */
export function expandBraces(glob: string, max: number): string[] {
  if (!/[{}]/.test(glob)) return [glob]
  // The library knows no classes, and undoes one level of escaping: both are hidden from it.
  const hidden = inNegations(glob.replaceAll(/\\[\s\S]|\[[!^]?\]?[^\]/]*\]/g, hide))
  const expanded = (braces: string): string[] => [...new Set(expand(braces, { max: max + 1 }).map(show))]
  const meant = expanded(withSingles(hidden))
  const components = outsideBraces(hidden)
  if (!components.some(isListName) || meant.length === 0 || meant.length > max) return meant
  const both = expanded(components.map((each) => (isListName(each) ? `{${withSingles(each)},${hide(each)}}` : withSingles(each))).join('/'))
  // What is meant comes before the names: there may be too many of both.
  return both.length > max ? meant : both
}

/** A list within `!(...)` is one of the choices there: outside of it, each of them would find what the others leave out. */
function inNegations(glob: string): string {
  const list = /(!\([^()/]*?)\{([^{}()/]*,[^{}()/]*)\}/
  let text = glob
  while (list.test(text))
    text = text.replace(list, (_, before: string, items: string) => `${before}\ue004${items.replaceAll(',', '|')}\ue005`)
  return text.replaceAll('\ue004', '@(').replaceAll('\ue005', ')')
}

/** Flat braces with a list, and nothing else that would need to be kept apart. */
const isListName = (component: string): boolean => /^(?:[^*?/{},]|\{[^{}*?/]*\})+$/.test(component) && /\{[^{}]*(?:,|\.\.)/.test(component)

/** The components: a slash in braces ends none. */
function outsideBraces(glob: string): string[] {
  const parts = ['']
  let depth = 0
  for (const char of glob) {
    depth += char === '{' ? 1 : char === '}' ? -1 : 0
    if (char === '/' && depth === 0) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts
}

// Every list at least doubles the globs, or adds one: far below these, more would be too many. What is nested costs its length each time.
const MAX_BRACES = 100
const MAX_DEPTH = 10

const RANGE = /^(?:-?\d+\.\.-?\d+|[a-zA-Z]\.\.[a-zA-Z])(?:\.\.-?\d+)?$/

interface OpenBrace {
  /** As it was written. */
  raw: string
  /** With what the library is to see. */
  text: string
  /** A comma stands directly in it. */
  lists: boolean
}

/** Rewrites braces around a single item, which the library takes for characters. */
function withSingles(glob: string): string {
  const open: OpenBrace[] = [{ raw: '', text: '', lists: true }]
  let braces = 0
  for (let i = 0; i < glob.length; i++) {
    const char = glob[i] as string
    const top = open[open.length - 1] as OpenBrace
    if (char === '{') {
      open.push({ raw: '', text: '', lists: false })
      if (++braces > MAX_BRACES) throw new BraceError(`it holds more than ${MAX_BRACES} braces: use fewer`)
      if (open.length > MAX_DEPTH + 1) throw new BraceError(`its braces are nested deeper than ${MAX_DEPTH}: write them side by side`)
    } else if (char !== '}') {
      top.raw += char
      top.text += char
      top.lists ||= char === ','
    } else {
      const below = open[open.length - 2]
      if (!below) throw new BraceError('a "}" has no "{": write "\\}" for the character itself')
      open.pop()
      const isTemplate = below.raw.endsWith('$') || (below.raw === '' && open.length > 1 && glob[i + 1] === '}')
      below.text += closed(top, isTemplate)
      below.raw += `{${top.raw}}`
    }
  }
  if (open.length > 1) throw new BraceError('a "{" is not closed: add the "}", or write "\\{" for the character itself')
  return open[0]?.text ?? ''
}

function closed({ raw, text, lists }: OpenBrace, isTemplate: boolean): string {
  const written = hide(`{${raw}}`)
  if (text === '') return written
  if (lists || RANGE.test(text)) return `{${text}}`
  return isTemplate || (raw.startsWith('{') && !text.includes('{')) ? written : `{${text},${written}}`
}
