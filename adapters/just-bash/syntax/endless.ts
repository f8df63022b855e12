import { quantity } from '../commands/quantity.js'
import { SEQ_WANTED } from '../commands/repaired/seq.js'
import { YES_WANTED } from '../commands/yes.js'
import type { CommandNode, PipelineNode, ScriptNode, SimpleCommandNode } from '../library-types.js'
import { literal, literalText, visit } from './nodes.js'

const DEFAULT_LINES = 10

/**
 * Tells each `yes` and `seq` that is read by another command how much that reads: the parts of a pipe run one after the other, each to its end, and
 * theirs may be far.
 */
export function boundEndless(ast: ScriptNode): void {
  visit(ast, (node) => {
    if (node.type !== 'Pipeline') return
    const { commands } = node as PipelineNode
    for (const [at, command] of commands.slice(0, -1).entries()) {
      const wanted = wantedBy(commands[at + 1] as CommandNode)
      if (isCall(command, 'seq') && wanted !== 'some') command.args.unshift(literal(SEQ_WANTED + wanted))
      if (isCall(command, 'yes')) command.args.unshift(literal(YES_WANTED + wanted))
    }
  })
}

function isCall(command: CommandNode, name: string): command is SimpleCommandNode {
  return command.type === 'SimpleCommand' && literalText(command.name) === name
}

/** `some`: that cannot be seen. */
function wantedBy(reader: CommandNode): string {
  if (!isCall(reader, 'head')) return 'some'
  const args = reader.args.map(literalText)
  if (args.length === 0) return `lines:${DEFAULT_LINES}`
  const [, short, attached] = /^(?:-([nc])|--lines=|--bytes=|-(?=\d))(\d\w*)?$/.exec(args[0] ?? '') ?? []
  const text = attached ?? (args.length === 2 ? args[1] : undefined)
  const count = text === undefined ? undefined : quantity(text)
  if (count === undefined || args.length > (attached === undefined ? 2 : 1)) return 'some'
  return `${short === 'c' || args[0]?.startsWith('--bytes') ? 'bytes' : 'lines'}:${count}`
}
