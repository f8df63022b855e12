import { toModelText } from '../../core/result.js'
import type { ContentPart, ToolSuccess } from '../../types/tool.js'
import { type Fields, fieldsOf, optionalText } from './input.js'
import { type Operations, Refused, textOnly } from './operations.js'

/**
 * One command in the session that the runtime's own `bash` has: directory, variables and what else the shell keeps last from command to
 * command, until a restart. A command that fails is an answer; one that was stopped before its end is an error.
 */
export async function runBash(ops: Operations, given: unknown): Promise<readonly ContentPart[]> {
  const input = fieldsOf(given)
  const command = optionalText(input, 'command')
  const restart = isRestart(input)
  if (command === undefined && !restart) throw new Refused('Error: Parameter `command` is required, unless `restart` is true')
  const result = await ops.run('bash', { command: command ?? 'true', ...(restart && { reset_session: true }) })
  if (command === undefined) return textOnly('tool has been restarted.')
  if (wasStopped(result)) throw new Refused(toModelText(result))
  return textOnly(toModelText(result))
}

function isRestart({ restart }: Fields): boolean {
  if (restart === undefined || restart === null || typeof restart === 'boolean') return restart === true
  throw new Refused('Error: Parameter `restart` must be true or false')
}

function wasStopped({ output }: ToolSuccess): boolean {
  const { timed_out, aborted } = output as { readonly timed_out?: boolean; readonly aborted?: boolean }
  return timed_out === true || aborted === true
}
