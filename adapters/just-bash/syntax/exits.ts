import type { Node, PipelineNode } from '#just-bash'
import { command, group, literalText, statement, word } from './nodes.js'

/** Tells the host where the shell is and what it exports; its argument is the shell's number, 1 for the script's own. Keeps `$?`. */
export const STATE_COMMAND = '/usr/bin/__toolport_state'

const tell = command(STATE_COMMAND, word({ type: 'ParameterExpansion', parameter: 'BASHPID', operation: null }))

/** `exit N` becomes `{ __toolport_state $BASHPID; exit N; }`: after an `exit` the library answers with the state of the beginning. */
export function tellBeforeExit(node: Node): void {
  if (node.type !== 'Pipeline') return
  const { commands } = node as PipelineNode
  for (const [index, each] of commands.entries()) {
    if (each.type === 'SimpleCommand' && literalText(each.name) === 'exit') commands[index] = group([statement(tell, each)])
  }
}
