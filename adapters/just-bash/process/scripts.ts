import type { CommandResult, Context, ScriptNode, StatementNode, WordNode } from '../library-types.js'
import { literal, statement } from '../syntax/nodes.js'
import { asText } from './results.js'

/** Runs a text in the shell of the context, as `eval` does. */
export function evaluate(context: Context, text: string): Promise<CommandResult> {
  context.place.untraced = context.state.options.xtrace === true
  const word: WordNode = { type: 'Word', parts: [{ type: 'SingleQuoted', value: text } as WordNode['parts'][number]] }
  return context.executeScript(
    scriptOf(statement({ type: 'SimpleCommand', assignments: [], name: literal('eval'), args: [word], redirections: [] })),
  )
}

export const scriptOf = (only: StatementNode): ScriptNode => ({ type: 'Script', statements: [only] })

/** Sets the exit status that `$?` shows. */
export function setStatus({ state }: Context, status: number): void {
  state.lastExitCode = status
  state.env.set('?', String(status))
}

interface Failure {
  readonly exitCode?: unknown
  readonly stdout?: unknown
  readonly stderr?: unknown
  prependOutput?(stdout: string, stderr: string): void
}

/** Returns the output and the status of a command that threw an error. */
export function resultOf(error: unknown): CommandResult {
  const { exitCode, stdout, stderr } = error as Failure
  return {
    stdout: typeof stdout === 'string' ? stdout : '',
    stderr: typeof stderr === 'string' ? stderr : `bash: ${error instanceof Error ? error.message : String(error)}\n`,
    exitCode: typeof exitCode === 'number' ? exitCode : 1,
  }
}

/** Drops the standard output of an error. */
export function dropOutput(error: unknown): void {
  if (typeof (error as Failure | undefined)?.stdout === 'string') Object.assign(error as object, { stdout: '' })
}

/** Prepends earlier output to the output of an error. */
export function prependTo(error: unknown, result: CommandResult): void {
  const { stdout, stderr } = asText(result)
  if (stdout !== '' || stderr !== '') (error as Failure).prependOutput?.(stdout, stderr)
}
