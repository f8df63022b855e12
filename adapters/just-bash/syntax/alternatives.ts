// Expands `${x-word}`, `${x=word}`, `${x+word}` and lists inside a word. Quoting, splitting and expansion treat the inserted parts like
// literal text. Built into the library (patches/lists.patch).
import { IN_PLACE, isPlainList, type List, mayBeList, type Operation } from './lists.js'

interface Part {
  readonly type: string
  readonly value?: string
  readonly parameter?: string
  /** The parts of a double-quoted string. */
  readonly parts?: readonly Part[]
  /** The items of a brace expansion: words and ranges. */
  readonly items?: readonly (Part & { readonly word?: Word })[]
  readonly operation?: (Operation & { readonly word?: Word | null }) | null
}

interface Word {
  readonly parts: readonly Part[]
}

const OPERATIONS = new Set(['DefaultValue', 'AssignDefault', 'UseAlternative'])

const isAlternative = ({ type, operation }: Part): boolean => type === 'ParameterExpansion' && !!operation && OPERATIONS.has(operation.type)

export interface Expander {
  /** Whether the variable of an alternative is set (and not empty, for the forms with a colon). */
  counts(part: Part): Promise<boolean>
  /** Expands an alternative that assigns, such as `${x=word}`. */
  assign(part: Part): Promise<unknown>
  /** The elements of a list, or undefined if the part is not a list. */
  list(part: Part): Promise<List | undefined>
  /** Returns the texts of a range in braces, such as `{1..3}`. */
  range(item: Part): readonly string[]
  /** Throws if braces create too many words. */
  check(words: number): void
  /** The characters of IFS, which separate fields. */
  readonly separators: string
  /** Text between the elements of `*` lists in double quotes. */
  readonly separator: string
}

const isReplaced = (part: Part): boolean => isAlternative(part) || mayBeList(part)

const isExpanded = ({ type }: Part): boolean => /^(?:ParameterExpansion|CommandSubstitution|ArithmeticExpansion|Glob)$/.test(type)
const isBraces = ({ type }: Part): boolean => type === 'BraceExpansion'

/** Whether any part satisfies `is`, also inside braces and double quotes. */
const hasPart = ({ parts }: Word, is: (part: Part) => boolean): boolean =>
  parts.some((part) => is(part) || part.parts?.some(is) || part.items?.some(({ word }) => word && hasPart(word, is)))

/** Whether braces expand before everything else: the word has braces and another expansion. */
const bracesGoFirst = (word: Word): boolean => word.parts.some(isBraces) && hasPart(word, isExpanded)

/** Whether `withAlternatives` must expand the word. */
export const hasAlternatives = (word: Word): boolean => bracesGoFirst(word) || word.parts.some((part) => isInPlace(word, part))

const isInPlace = (word: Word, part: Part): boolean => isPart(word, part) || part.parts?.some((each) => isPart(word, each)) === true

// The library itself handles a plain list that is the only part of a word.
const isPart = (word: Word, part: Part): boolean => isReplaced(part) || (isPlainList(part) && word.parts.length > 1)

/** Expands a word into words with alternatives and lists substituted. */
export async function withAlternatives(word: Word, expander: Expander): Promise<readonly Word[]> {
  if (!bracesGoFirst(word)) return inPlaceOf(word, expander)
  const words: Word[] = []
  for (const parts of withoutBraces(word.parts, expander)) words.push(...(await inPlaceOf({ ...word, parts }, expander)))
  return words
}

function withoutBraces(parts: readonly Part[], expander: Expander): (readonly Part[])[] {
  let found: (readonly Part[])[] = [[]]
  for (const part of parts) {
    const choices = isBraces(part) ? (part.items ?? []).flatMap((item) => choicesOf(item, expander)) : [[part]]
    expander.check(found.length * choices.length)
    found = found.flatMap((before) => choices.map((choice) => [...before, ...choice]))
  }
  return found
}

function choicesOf(item: Part & { readonly word?: Word }, expander: Expander): (readonly Part[])[] {
  if (item.word) return withoutBraces(item.word.parts, expander)
  return expander.range(item).map((value) => [{ type: 'Literal', value }])
}

async function inPlaceOf(word: Word, expander: Expander): Promise<readonly Word[]> {
  const { counts, assign, separators, separator } = expander
  if (!word.parts.some((part) => isInPlace(word, part))) return [word]
  const words: Part[][] = [[]]
  const add = (part: Part): unknown => words.at(-1)?.push(part)
  const addEach = (parts: readonly Part[]): void => {
    for (const [index, part] of parts.entries()) {
      if (index > 0) words.push([])
      add(part)
    }
  }

  async function place(part: Part, isOperand: boolean): Promise<void> {
    const list = isPart(word, part) && !isAlternative(part) ? await expander.list(part) : undefined
    if (list) addEach(list.values.map((value) => ({ type: 'ParameterExpansion', parameter: IN_PLACE + value, operation: null })))
    else if (isAlternative(part)) for (const each of await inPlace(part)) await place(each, each.operation !== null)
    else if (part.parts) addEach((await quotedGroups(part.parts)).map((parts) => ({ ...part, parts })))
    else if (!isOperand || part.type !== 'Literal') add(part)
    else {
      for (const [index, value] of split(part.value ?? '', separators).entries()) {
        if (index > 0) words.push([])
        if (value !== '') add({ ...part, value })
      }
    }
  }

  /** Returns the words that a double-quoted string makes. A string with only empty lists makes no word. */
  async function quotedGroups(parts: readonly Part[]): Promise<readonly (readonly Part[])[]> {
    const groups: Part[][] = [[]]
    let isEmptyList = false
    for (const part of parts) {
      const list = isPart(word, part) && !isAlternative(part) ? await expander.list(part) : undefined
      if (!list) {
        const inside = await quoted(part)
        groups.at(-1)?.push(...inside)
        // Without arguments, `"${@+x}"` gives no word, but `"${@-}"` and `"${*+x}"` give an empty word.
        if (inside.length === 0 && part.operation?.type === 'UseAlternative' && /@\]?$/.test(part.parameter ?? ''))
          isEmptyList ||= (await expander.list({ ...part, operation: null }))?.values.length === 0
        continue
      }
      const values = list.star ? [list.values.join(separator)] : list.values
      isEmptyList ||= values.length === 0
      for (const [index, value] of values.entries()) {
        if (index > 0) groups.push([])
        groups.at(-1)?.push({ type: 'Literal', value })
      }
    }
    return isEmptyList && groups.length === 1 && groups[0]?.length === 0 ? [] : groups
  }

  /** Returns the parts that replace an alternative: the parts of its word, or its variable without the operation. */
  async function inPlace(part: Part): Promise<readonly Part[]> {
    const type = part.operation?.type
    const isSet = await counts(part)
    if (isSet === (type === 'UseAlternative') && type !== 'AssignDefault') return part.operation?.word?.parts ?? []
    if (type === 'UseAlternative') return []
    if (!isSet) await assign(part)
    return [{ ...part, operation: null }]
  }

  /**
   * Returns the parts of an alternative inside quotes. Only list elements stay separate words (`"${@:-}"`, `"${1+"$@"}"`). Everything else
   * is one text.
   */
  async function quoted(part: Part): Promise<readonly Part[]> {
    const isList = LIST.test(part.parameter ?? '') || part.operation?.word?.parts.some((each) => each.type === 'DoubleQuoted')
    if (!isAlternative(part) || !isList) return [part]
    return (await inPlace(part)).flatMap((each) => (each.type === 'DoubleQuoted' ? (each.parts ?? []) : [each]))
  }

  for (const part of word.parts) await place(part, false)
  return words.filter((parts) => parts.length > 0).map((parts) => ({ ...word, parts }))
}

/** Lists whose elements stay separate words inside quotes. */
const LIST = /^[@*]$|\[[@*]\]$/

function split(text: string, separators: string): string[] {
  const pieces = ['']
  for (const character of text) {
    if (separators.includes(character)) pieces.push('')
    else pieces[pieces.length - 1] += character
  }
  return pieces
}
