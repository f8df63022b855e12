import { compilePattern } from '../../ops/compile-pattern.js'
import { normalized } from '../../ops/unicode-form.js'
import type { ToolContext } from '../../types/tool.js'
import { collect } from './grep-collect.js'
import type { GrepInput, GrepOutput } from './grep-output.js'

/** The body of `grep`. */
export interface PatternInput {
  readonly pattern: string
  readonly literal: boolean
  readonly ignore_case: boolean
  readonly multiline: boolean
}

export async function runGrep(input: GrepInput & PatternInput, context: ToolContext): Promise<GrepOutput> {
  const { pattern, literal, ignore_case, multiline } = input
  const answer = await collect(input, context, await compilePattern(pattern, { literal, ignoreCase: ignore_case, multiline }))
  const found = answer.matches ?? answer.files ?? answer.counts ?? []
  const hints = found.length > 0 || input.cursor !== undefined ? [] : hintsFor(input)
  return hints.length === 0 ? answer : { ...answer, hint: [...(answer.hint === undefined ? [] : [answer.hint]), ...hints].join('; ') }
}

/** Returns why a pattern may find nothing although the text exists. */
function hintsFor({ pattern, literal }: PatternInput): string[] {
  const [composed, apart] = [normalized(pattern, 'NFC'), normalized(pattern, 'NFD')]
  const form = pattern === composed ? 'NFC' : pattern === apart ? 'NFD' : 'mixed forms'
  const isBounded = !literal && /\\b[^\0-\x7f]|[^\0-\x7f]\\b/.test(pattern)
  return [
    ...(composed === apart ? [] : [`The pattern is in ${form}: the same letters in another Unicode form (NFC, NFD) do not match`]),
    ...(isBounded ? ['"\\b" handles ASCII letters only: remove it next to other letters'] : []),
  ]
}
