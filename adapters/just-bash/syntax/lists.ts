// Applies an operation to each element of a list: `${a[@]^}`, `${@#x}`, `${!list%y}`. The elements stay separate words. Built into the
// library (patches/lists.patch), which supports only a few of these forms and treats the result of others as one text.

import { singleQuoted } from '../commands/shared/quoted-word.js'

export interface Operation {
  readonly type: string
  readonly operator?: string
  readonly innerOp?: Operation
  readonly array?: string
  readonly star?: boolean
  readonly offset?: { readonly expression: unknown } | null
  readonly length?: { readonly expression: unknown } | null
}

export interface Expansion {
  readonly type: string
  readonly parameter?: string
  readonly operation?: Operation | null
}

/** The functions of the interpreter that this file uses. */
export interface Library {
  entries(name: string): readonly (readonly [key: number | string, value: string])[]
  /** The value of a variable that is not an array. */
  scalar(name: string): string | undefined
  /** The positional parameters, starting with `$0`. */
  positional(): readonly string[]
  attributes(name: string): string
  value(parameter: string): Promise<string>
  number(expression: unknown): Promise<number>
  /** Applies the operation to one text. */
  apply(text: string, operation: Operation): Promise<string>
  /** Quotes a text with double quotes. */
  quoted(text: string): string
  /** Quotes a key as a subscript. */
  subscript(key: string): string
  fail(message: string): never
}

export interface List {
  readonly values: readonly string[]
  /** Whether the list is a `*` list, which becomes one word in double quotes. */
  readonly star: boolean
}

/** Prefix of a pseudo parameter. The rest of its name is its value. */
export const IN_PLACE = '\0'

const LIST = /^(?:([@*])|([a-zA-Z_][a-zA-Z0-9_]*)\[([@*])\])$/
const EACH = new Set(['PatternRemoval', 'PatternReplacement', 'CaseModification', 'Transform', 'Substring'])

/** An operation that changes nothing. */
const ALL: Operation = { type: 'Substring', offset: null }

/** Whether the expansion is a list without an operation. */
export const isPlainList = ({ type, parameter = '', operation }: Expansion): boolean =>
  type === 'ParameterExpansion' && !operation && LIST.test(parameter)

/** Whether an expansion may be an operation on a list. */
export function mayBeList({ type, parameter = '', operation }: Expansion): boolean {
  if (type !== 'ParameterExpansion' || !operation) return false
  if (operation.type === 'Indirection' || operation.type === 'ArrayKeys') return true
  return EACH.has(operation.type) && LIST.test(parameter)
}

/** Returns undefined if the expansion is not a list. */
export async function listOf(expansion: Expansion, library: Library): Promise<List | undefined> {
  const { parameter = '', operation } = expansion
  if (isPlainList(expansion)) return elements(LIST.exec(parameter) as RegExpExecArray, ALL, library)
  if (!operation || !mayBeList(expansion)) return undefined
  if (operation.type === 'ArrayKeys') {
    return { values: library.entries(operation.array ?? '').map(([key]) => String(key)), star: operation.star === true }
  }
  if (operation.type === 'Indirection') {
    // For an array, indirection applies to the name itself.
    const target = LIST.test(parameter) ? '' : await library.value(parameter)
    const found = LIST.exec(target)
    if (!found) return undefined
    const { innerOp } = operation
    if (innerOp && EACH.has(innerOp.type)) return elements(found, innerOp, library)
    const all = await elements(found, ALL, library)
    const isAlternative = innerOp && (innerOp.type === 'UseAlternative' || all.values.join('') === '')
    return isAlternative ? undefined : all
  }
  return elements(LIST.exec(parameter) as RegExpExecArray, operation, library)
}

async function elements([, positional, name, all]: RegExpExecArray, operation: Operation, library: Library): Promise<List> {
  const star = (positional ?? all) === '*'
  if (operation.type === 'Substring') {
    if (!operation.offset)
      return { values: name === undefined ? library.positional().slice(1) : entriesOf(name, library).map(valueIn), star }
    return { values: await sliced(name, operation, library), star }
  }
  if (operation.type === 'Transform') {
    const found = transformed(name, operation.operator ?? '', library)
    // For `${a[*]@A}`, bash joins the words of the command with blanks regardless of IFS. For positional parameters, it joins only the
    // first three words.
    const command = operation.operator === 'A' && star ? (name === undefined ? 3 : found?.length) : undefined
    if (found && command) return { values: [found.slice(0, command).join(' '), ...found.slice(command)], star }
    if (found) return { values: found, star }
  }
  const values: string[] = []
  const texts = name === undefined ? library.positional().slice(1) : entriesOf(name, library).map(valueIn)
  for (const text of texts) values.push(await library.apply(text, operation))
  return { values, star }
}

type Entry = readonly [key: number | string, value: string]
const valueIn = ([, value]: Entry): string => value

/** Returns the entries of an array. A scalar counts as an array with one element. */
function entriesOf(name: string, library: Library): readonly Entry[] {
  const entries = library.entries(name)
  const scalar = entries.length === 0 ? library.scalar(name) : undefined
  return scalar === undefined ? entries : [[0, scalar]]
}

async function sliced(name: string | undefined, operation: Operation, library: Library): Promise<readonly string[]> {
  const offset = await library.number(operation.offset?.expression)
  const length = operation.length ? await library.number(operation.length.expression) : undefined
  if (length !== undefined && length < 0) library.fail(`${length}: substring expression < 0`)
  const entries: readonly Entry[] = name === undefined ? library.positional().map((value, key) => [key, value]) : entriesOf(name, library)
  if (entries.some(([key]) => typeof key === 'string'))
    library.fail(`\${${name}[@]:...}: elements of an associative array have no order here`)
  const end = Number(entries.at(-1)?.[0] ?? -1) + 1
  const from = offset < 0 ? end + offset : offset
  if (from < 0) return []
  const start = entries.findIndex(([key]) => Number(key) >= from)
  return start < 0 ? [] : entries.slice(start, length === undefined ? undefined : start + length).map(valueIn)
}

/** Transformations that depend on more than an element's text. */
function transformed(name: string | undefined, operator: string, library: Library): readonly string[] | undefined {
  if (name === undefined) {
    const values = library.positional().slice(1)
    if (operator === 'a') return values.map(() => '')
    return operator === 'A' && values.length > 0 ? ['set', '--', ...values.map(singleQuoted)] : undefined
  }
  const entries = entriesOf(name, library)
  const flags = library.attributes(name)
  if (operator === 'a') return entries.map(() => flags)
  if (operator === 'k') return entries.flatMap(([key, value]) => [String(key), value])
  if (operator === 'K') {
    const pairs = entries.map(([key, value]) => `${library.subscript(String(key))} ${library.quoted(value)}`)
    return pairs.length === 0 ? [] : [pairs.join(' ') + (flags.includes('A') ? ' ' : '')]
  }
  if (operator !== 'A' || entries.length === 0) return undefined
  if (!/[aA]/.test(flags)) return [`${name}=${singleQuoted(entries[0]?.[1] ?? '')}`]
  const pairs = entries.map(([key, value]) => `[${library.subscript(String(key))}]=${library.quoted(value)}`)
  return ['declare', `-${flags}`, `${name}=(${pairs.join(' ')}${flags.includes('A') ? ' ' : ''})`]
}
