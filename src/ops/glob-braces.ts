import { expand } from 'brace-expansion'

/** Why the braces of a glob are invalid, for the error message. */
export class BraceError extends Error {}

/** Placeholders from the private use area; a glob that contains them is rejected. */
const HIDDEN: Readonly<Record<string, string>> = { '\\': '\ue000', '{': '\ue001', '}': '\ue002', ',': '\ue003' }
const SHOWN: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(HIDDEN).map(([mark, hidden]) => [hidden, mark]))
const STAND_INS = /[\ue000-\ue003]/

export const holdsStandIn = (glob: string): boolean => STAND_INS.test(glob)

const hide = (part: string): string => part.replaceAll(/[\\{},]/g, (mark) => HIDDEN[mark] ?? mark)
const show = (part: string): string => part.replaceAll(/[\ue000-\ue003]/g, (mark) => SHOWN[mark] ?? mark)

/**
 * Expands `{a,b}` and `{1..3}`. An escaped brace, or one in a class, is literal. `{a}` means `a`, and also the literal name. `{{a}}` and
 * `{}` are literal, as in templates. A component without wildcards, such as `{a,b}.md`, also matches the literal name. Returns at most
 * `max` + 1 globs. @throws BraceError
 */
export function expandBraces(glob: string, max: number): string[] {
  if (!/[{}]/.test(glob)) return [glob]
  // Hide classes and escapes, because the library does not know classes and removes one level of escapes.
  const hidden = inNegations(glob.replaceAll(/\\[\s\S]|\[[!^]?\]?[^\]/]*\]/g, hide))
  const expanded = (braces: string): string[] => [...new Set(expand(braces, { max: max + 1 }).map(show))]
  const meant = expanded(withSingles(hidden))
  const components = outsideBraces(hidden)
  if (!components.some(isListName) || meant.length === 0 || meant.length > max) return meant
  const both = expanded(components.map((each) => (isListName(each) ? `{${withSingles(each)},${hide(each)}}` : withSingles(each))).join('/'))
  // If both together are too many, leave out the literal names.
  return both.length > max ? meant : both
}

/**
 * Converts a brace list within `!(...)` to alternatives inside the group. If braces were expanded there, each copy would match the names
 * that the other copies exclude.
 */
function inNegations(glob: string): string {
  const list = /(!\([^()/]*?)\{([^{}()/]*,[^{}()/]*)\}/
  let text = glob
  while (list.test(text))
    text = text.replace(list, (_, before: string, items: string) => `${before}\ue004${items.replaceAll(',', '|')}\ue005`)
  return text.replaceAll('\ue004', '@(').replaceAll('\ue005', ')')
}

/** Whether a component has unnested braces with a list, and no wildcards. */
const isListName = (component: string): boolean => /^(?:[^*?/{},]|\{[^{}*?/]*\})+$/.test(component) && /\{[^{}]*(?:,|\.\.)/.test(component)

/** Splits a glob into components. Ignores slashes inside braces. */
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

// Limits for braces. Each list at least doubles the number of globs or adds one, so valid globs stay far below these limits. Each level of
// nesting costs time in proportion to its length.
const MAX_BRACES = 100
const MAX_DEPTH = 10

const RANGE = /^(?:-?\d+\.\.-?\d+|[a-zA-Z]\.\.[a-zA-Z])(?:\.\.-?\d+)?$/

interface OpenBrace {
  /** The text as written. */
  raw: string
  /** The text for the library. */
  text: string
  /** Whether the braces directly contain a comma. */
  lists: boolean
}

/** Rewrites braces with a single item, which the library would treat as literal. */
function withSingles(glob: string): string {
  const open: OpenBrace[] = [{ raw: '', text: '', lists: true }]
  let braces = 0
  for (let i = 0; i < glob.length; i++) {
    const char = glob[i] as string
    const top = open[open.length - 1] as OpenBrace
    if (char === '{') {
      open.push({ raw: '', text: '', lists: false })
      if (++braces > MAX_BRACES) throw new BraceError(`it has more than ${MAX_BRACES} braces: use fewer`)
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
