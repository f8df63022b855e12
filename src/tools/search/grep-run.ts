import { compilePattern } from '../../ops/regex.js'
import type { ToolContext } from '../../types/tool.js'
import { collect } from './grep-collect.js'
import type { GrepInput, GrepOutput } from './grep-output.js'

/** The body of `grep`: what is searched for, and how. */
export interface PatternInput {
  readonly pattern: string
  readonly literal: boolean
  readonly ignore_case: boolean
  readonly multiline: boolean
}

export async function runGrep(input: GrepInput & PatternInput, context: ToolContext): Promise<GrepOutput> {
  const { pattern, literal, ignore_case, multiline } = input
  return collect(input, context, await compilePattern(pattern, { literal, ignoreCase: ignore_case, multiline }))
}
