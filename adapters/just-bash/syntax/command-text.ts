import type { ParameterPart, WordNode } from '../library-types.js'

interface Token {
  readonly start: number
  readonly end: number
}

const REDIRECTION = /^(?:[<>]|>>|<<<|<>|>\||&>>?|>&|<&|<<-?)$/
/** Operators without a blank before their operand. */
const CLOSE = /^(?:[<>]&|<<-?)$/

interface Braces {
  readonly items: readonly { readonly type: string; readonly word?: WordNode }[]
}

/** Returns an error for words like `$y{1,2}`, which means `$y1 $y2`, or undefined for a valid word. */
export function mixedBraces({ parts, source = '' }: WordNode): string | undefined {
  for (const [at, part] of parts.entries()) {
    const next = parts[at + 1]
    if (part.type !== 'ParameterExpansion' || next?.type !== 'BraceExpansion') continue
    const { parameter, operation } = part as ParameterPart
    if (operation !== null || !/^[A-Za-z_]/.test(parameter) || !source.includes(`$${parameter}{`)) continue
    const joins = (next as unknown as Braces).items.some(({ word }) => {
      const [first] = word?.parts ?? []
      return first === undefined || (first.type === 'Literal' && 'value' in first && /^\w/.test(first.value))
    })
    if (joins) return `$${parameter}{...}: braces come before variables: write \${${parameter}}{...}`
  }
  return undefined
}

/** Formats a command like bash, with one blank between words. Built into the library (patches/sources.patch). */
export function commandText(tokens: readonly Token[], from: number, to: number, input: string): string {
  let text = ''
  let before = { raw: '', end: -1 }
  // Depth of nested array lists. Other parentheses count as words.
  let lists = 0
  for (const { start, end } of tokens.slice(from, to)) {
    const raw = input.slice(start, end)
    const isListEnd = raw === ')' && lists > 0
    if (isListEnd) lists--
    text += text === '' || text.endsWith('=(') || isListEnd || isClose(before, raw, start) ? raw : ` ${raw}`
    if (text.endsWith('=(')) lists++
    before = { raw, end }
  }
  return text
}

function isClose(before: { readonly raw: string; readonly end: number }, raw: string, start: number): boolean {
  if (REDIRECTION.test(before.raw)) return CLOSE.test(before.raw)
  if (REDIRECTION.test(raw)) return before.end === start && /^(?:\d+|\{\w+\})$/.test(before.raw)
  return before.end === start && before.raw !== '(' && raw !== ')'
}
