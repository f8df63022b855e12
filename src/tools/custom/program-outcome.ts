import { shorten } from '../../core/field-path.js'
import type { JsResult } from '../../types/js.js'
import type { Workspace } from '../../types/workspace.js'
import { CustomToolFailed } from './failure.js'
import { virtualNames } from './virtual-names.js'

const LONGEST_WORDS = 500
const OUT_OF_MEMORY = 134

/**
 * Returns the value that the program returned, as untrusted JSON.
 *
 * @throws {CustomToolFailed} if the program returned nothing
 */
export function answerOf(result: JsResult, what: string, timeoutMs: number, workspace: Workspace): Readonly<Record<string, unknown>> {
  const { timedOut, aborted, exitCode } = result
  if (timedOut)
    throw new CustomToolFailed(
      `${what} did not end within ${timeoutMs} ms: a tool ends only after all its timers and reads of its input have ended`,
      'timeout',
    )
  if (aborted) throw new CustomToolFailed(`${what} was aborted`, 'aborted')
  if (exitCode === OUT_OF_MEMORY) throw new CustomToolFailed(`${what} exceeded its memory limit`, 'out_of_memory')
  const answer = parsed(result.result)
  if (answer) return answer
  throw new CustomToolFailed(
    `${what} ended without a result${exitCode === 0 ? '' : ` (exit code ${exitCode})`}${lastWords(result, workspace)}`,
  )
}

function parsed(result: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof result !== 'string') return undefined
  try {
    const answer: unknown = JSON.parse(result)
    return typeof answer === 'object' && answer !== null ? (answer as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}

/** Finds the error message in the error output. Node prints the line of the program before the error. */
function lastWords({ stderr }: JsResult, workspace: Workspace): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('Node.js '))
  const words = lines.find((line) => /^(?:Uncaught )?\w*Error\b/.test(line)) ?? lines.slice(0, 2).join(' ')
  return words === '' ? '' : `: ${shorten(virtualNames(words, workspace), LONGEST_WORDS)}`
}
