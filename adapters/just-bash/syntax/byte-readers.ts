import type { Node, ScriptNode, SimpleCommandNode } from '../library-types.js'
import { literalText, visit } from './nodes.js'

const READER = /\b(?:read|mapfile|readarray)\b/
/** Their arguments are, or may be, a script or a command. */
const RUNNERS = new Set(['eval', 'bash', 'sh', 'builtin', 'command'])

/** Whether the script runs `read`, `mapfile` or `readarray`, which take bytes for text. */
export function readsBytesAsText(ast: ScriptNode, script: string): boolean {
  if (!READER.test(script)) return false
  let found = false
  visit(ast, (node) => {
    found ||= node.type === 'SimpleCommand' && isReader(node)
  })
  return found
}

function isReader(node: Node): boolean {
  const { name, args } = node as SimpleCommandNode
  const called = literalText(name) ?? ''
  return READER.test(called) || (RUNNERS.has(called) && READER.test(JSON.stringify(args)))
}
