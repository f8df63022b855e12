import type { CStyleForNode, ForNode, Node, StatementNode, WhileNode } from '#just-bash'
import { command, literal, statement } from './nodes.js'

/** A file that is there, in the filesystem that the shell is given: asking for it is a turn. */
export const TURN_PATH = '/dev/.toolport-turn'
/** A turn that keeps `$?`, ten times as slow. By its whole path, whatever `PATH` is. */
export const TURN_COMMAND = '/usr/bin/__toolport_turn'

const ask: StatementNode = statement({
  type: 'ConditionalCommand',
  expression: { type: 'CondUnary', operator: '-e', operand: literal(TURN_PATH) } as Node,
  redirections: [],
})
const askKeeping: StatementNode = statement(command(TURN_COMMAND))

const LOOPS = new Set(['For', 'CStyleFor', 'While', 'Until'])

/**
 * Gives way at the head of each turn of a loop: the library itself never does. `asksStatus`: the script may read `$?` there, which is 0 in
 * a `while` but in other loops is that of the last command.
 */
export function addTurn(node: Node, asksStatus: boolean): void {
  if (!LOOPS.has(node.type)) return
  const { body } = node as WhileNode | ForNode | CStyleForNode
  body.unshift(asksStatus && node.type !== 'While' ? askKeeping : ask)
}
