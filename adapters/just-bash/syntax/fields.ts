// Splits a word into fields and expands the patterns in them. Keeps track of quoted parts, as in `'*'$x` and `"$a b"*`. Built into the
// library (patches/lists.patch), which itself tracks quoting only for words with one part.

interface Part {
  readonly type: string
}

interface Word {
  readonly parts: readonly Part[]
}

export interface FieldExpander {
  value(part: Part): Promise<string>
  /** Returns a part as a pattern, with `\` before quoted characters. */
  pattern(part: Part): Promise<string>
  /** Escapes a text as a pattern that matches only this text. */
  escape(text: string): string
  /** Returns the names that match. Without a match, returns the pattern itself, or nothing with nullglob. */
  glob(pattern: string): Promise<readonly string[]>
  /** The characters of IFS, which separate fields. */
  readonly separators: string
  readonly noglob: boolean
  readonly extglob: boolean
  /** Throws if there are too many fields. */
  check(fields: number): void
}

export interface Fields {
  readonly values: string[]
  readonly quoted: boolean
}

const SPLIT = new Set(['ParameterExpansion', 'CommandSubstitution', 'ArithmeticExpansion'])
const QUOTED = new Set(['SingleQuoted', 'DoubleQuoted', 'Escaped'])

/** Whether a word without braces has several parts, some of which are split or are patterns. */
export function hasFields({ parts }: Word): boolean {
  return (
    parts.length > 1 && parts.some(({ type }) => SPLIT.has(type) || type === 'Glob') && !parts.some(({ type }) => type === 'BraceExpansion')
  )
}

export async function fieldsOf({ parts }: Word, expander: FieldExpander): Promise<Fields> {
  const splitter = new Splitter(expander)
  for (const part of parts) {
    if (SPLIT.has(part.type)) splitter.split(await expander.value(part))
    else if (part.type === 'Glob') splitter.add(await expander.value(part), await expander.pattern(part), false)
    else {
      const value = await expander.value(part)
      splitter.add(value, part.type === 'Literal' ? value : expander.escape(value), QUOTED.has(part.type))
    }
  }
  const values: string[] = []
  for (const { text, pattern } of splitter.end()) {
    if (expander.noglob || !isPattern(pattern, expander.extglob)) values.push(text)
    else {
      const found = await expander.glob(pattern)
      const isUnmatched = found.length === 1 && found[0] === pattern
      if (isUnmatched) values.push(text)
      else for (const name of found) values.push(name)
    }
    expander.check(values.length)
  }
  return { values, quoted: splitter.quoted }
}

function isPattern(pattern: string, extglob: boolean): boolean {
  const active = pattern.replace(/\\./gs, '')
  return /[*?[]/.test(active) || (extglob && /[@+!]\(/.test(active))
}

interface Field {
  text: string
  pattern: string
}

/** Splits fields like POSIX (2.6.5). White space in IFS only ends a field that has begun. Any other separator also ends an empty field. */
class Splitter {
  quoted = false
  readonly #fields: Field[] = []
  readonly #separators: string
  readonly #check: FieldExpander['check']
  #field: Field | undefined
  /** Whether white space has just ended a field. A separator directly after it does not end another field. */
  #isOpen = false

  constructor({ separators, check }: FieldExpander) {
    this.#separators = separators
    this.#check = check
  }

  add(text: string, pattern: string, quoted: boolean): void {
    this.quoted ||= quoted
    if (text === '' && !quoted) return
    this.#field ??= { text: '', pattern: '' }
    this.#field.text += text
    this.#field.pattern += pattern
    this.#isOpen = false
  }

  split(value: string): void {
    let from = 0
    for (let at = 0; at < value.length; at++) {
      const character = value[at] as string
      if (!this.#separators.includes(character)) continue
      this.add(value.slice(from, at), value.slice(from, at), false)
      from = at + 1
      const isSpace = character === ' ' || character === '\t' || character === '\n'
      if (isSpace && !this.#field) continue
      if (!isSpace && !this.#field && this.#isOpen) this.#isOpen = false
      else this.#endField(isSpace)
    }
    this.add(value.slice(from), value.slice(from), false)
  }

  #endField(isOpen: boolean): void {
    this.#fields.push(this.#field ?? { text: '', pattern: '' })
    this.#check(this.#fields.length)
    this.#field = undefined
    this.#isOpen = isOpen
  }

  end(): readonly Field[] {
    if (this.#field) this.#fields.push(this.#field)
    return this.#fields
  }
}
