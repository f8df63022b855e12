// `${x-word}`, `${x=word}` and `${x+word}` outside of quotes: bash puts the word in their place, and then quotes, splits and expands it as if it
// stood there. Built into the library (patches/language.patch).

interface Part {
  readonly type: string
  readonly value?: string
  readonly parameter?: string
  /** Within double quotes. */
  readonly parts?: readonly Part[]
  readonly operation?: { readonly type: string; readonly word?: Word | null } | null
}

interface Word {
  readonly parts: readonly Part[]
}

const OPERATIONS = new Set(['DefaultValue', 'AssignDefault', 'UseAlternative'])

const isAlternative = ({ type, operation }: Part): boolean => type === 'ParameterExpansion' && !!operation && OPERATIONS.has(operation.type)

/**
 * The words that a word is with its alternatives in place; undefined: it has none.
 *
 * @param counts whether the variable of an alternative is set, and not empty where that matters
 * @param assign runs an alternative that assigns
 * @param separators characters of IFS
 */
export async function withAlternatives(
  word: Word,
  counts: (part: Part) => Promise<boolean>,
  assign: (part: Part) => Promise<unknown>,
  separators: string,
): Promise<readonly Word[] | undefined> {
  if (!word.parts.some((part) => isAlternative(part) || part.parts?.some(isAlternative))) return undefined
  const words: Part[][] = [[]]
  const add = (part: Part): unknown => words.at(-1)?.push(part)

  async function place(part: Part, isOperand: boolean): Promise<void> {
    if (isAlternative(part)) for (const each of await inPlace(part)) await place(each, each.operation !== null)
    else if (part.parts) add({ ...part, parts: (await Promise.all(part.parts.map(quoted))).flat() })
    else if (!isOperand || part.type !== 'Literal') add(part)
    else {
      for (const [index, value] of split(part.value ?? '', separators).entries()) {
        if (index > 0) words.push([])
        if (value !== '') add({ ...part, value })
      }
    }
  }

  /** What an alternative stands for: the parts of its word, or its variable alone. */
  async function inPlace(part: Part): Promise<readonly Part[]> {
    const type = part.operation?.type
    const isSet = await counts(part)
    if (isSet === (type === 'UseAlternative') && type !== 'AssignDefault') return part.operation?.word?.parts ?? []
    if (type === 'UseAlternative') return []
    if (!isSet) await assign(part)
    return [{ ...part, operation: null }]
  }

  /** Within quotes only the words of lists are kept (`"${@:-}"`, `"${1+"$@"}"`): all else is one text. */
  async function quoted(part: Part): Promise<readonly Part[]> {
    const isList = LIST.test(part.parameter ?? '') || part.operation?.word?.parts.some((each) => each.type === 'DoubleQuoted')
    if (!isAlternative(part) || !isList) return [part]
    return (await inPlace(part)).flatMap((each) => (each.type === 'DoubleQuoted' ? (each.parts ?? []) : [each]))
  }

  for (const part of word.parts) await place(part, false)
  return words.filter((parts) => parts.length > 0).map((parts) => ({ ...word, parts }))
}

const LIST = /^@$|\[@\]$/

function split(text: string, separators: string): string[] {
  const pieces = ['']
  for (const character of text) {
    if (separators.includes(character)) pieces.push('')
    else pieces[pieces.length - 1] += character
  }
  return pieces
}

/** Where the escape or the quoted text that begins at `start` ends. */
export function quotedEnd(text: string, start: number): number {
  const quote = text[start]
  if (quote === '\\') return Math.min(start + 2, text.length)
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === quote) return at + 1
    if (quote === '"' && text[at] === '\\') at++
  }
  return text.length
}
