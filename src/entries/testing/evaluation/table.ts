import { required } from '../../../errors/required.js'
import type { EvaluationReport, EvaluationResult } from './types.js'

type Row = readonly string[]

const HEAD: Row = ['case', 'model', 'result', 'score', 'steps', 'calls', 'tokens in', 'tokens out', 'time']
const FIRST_NUMBER = HEAD.indexOf('score')

/**
 * Formats a report as Markdown that is also readable as plain text: a row per result, the number of passed cases per model, and the reasons
 * of the cases that did not pass.
 */
export function evaluationTable(report: EvaluationReport): string {
  const { results } = required('evaluationTable', 'the report of evaluate', report, 'results')
  const rows = [HEAD, ...results.map(rowOf)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => cellOf(row, column).length)))
  const line = (row: Row): string =>
    `| ${widths.map((width, column) => (column < FIRST_NUMBER ? cellOf(row, column).padEnd(width) : cellOf(row, column).padStart(width))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (column < FIRST_NUMBER ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  const models = [...new Set(results.map(({ model }) => model))]
  const sums = models.map((name) =>
    sumOf(
      name,
      results.filter(({ model }) => model === name),
    ),
  )
  const reasons = results.flatMap(reasonOf)
  return [[line(HEAD), rule, ...rows.slice(1).map(line)], sums, reasons]
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')
}

const rowOf = ({ case: name, model, status, score, steps, calls, tokens, ms }: EvaluationResult): Row => [
  ...[name, model, status, String(Number(score.toFixed(2))), String(steps), String(calls)],
  ...(tokens ? [String(tokens.input), String(tokens.output)] : ['', '']),
  `${(ms / 1000).toFixed(1)} s`,
]

const cellOf = (row: Row, column: number): string => (row[column] as string).replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')

const sumOf = (name: string, results: readonly EvaluationResult[]): string =>
  `- ${name}: ${results.filter(({ status }) => status === 'passed').length} of ${results.length} passed`

const reasonOf = ({ case: name, model, status, reason = '' }: EvaluationResult): string[] =>
  status === 'passed' ? [] : [`- ${name} (${model}): ${reason.replaceAll('\n', '\n  ')}`]
