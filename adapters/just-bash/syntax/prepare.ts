import type { ScriptText } from '../byte-text.js'
import type { Node, ScriptNode, SimpleCommandNode, StatementNode, TransformPlugin } from '../library-types.js'
import { literalText, visit } from './nodes.js'
import { type OutputFiles, streamOutput } from './streaming.js'

/**
 * Prepares scripts for a build without hooks. Makes the call's script stream its output. Rejects jobs, which such a build would run in the
 * foreground.
 */
export function preparation(script: string, files: OutputFiles, text: ScriptText): TransformPlugin {
  let first = true
  return {
    name: 'toolport',
    transform({ ast }): { ast: ScriptNode } {
      refuseJobs(ast)
      if (first) {
        first = false
        text.doubled = readsBytesAsText(ast, script)
        streamOutput(ast, script, files)
      }
      return { ast }
    },
  }
}

function refuseJobs(ast: ScriptNode): void {
  visit(ast, (node) => {
    if (node.type === 'Statement' && (node as StatementNode).background) throw new Error(NO_JOBS)
  })
}

const NO_JOBS = 'there are no background jobs (&) with another build of just-bash: leave out the "load" option, or run it in the foreground'

const READER = /\b(?:read|mapfile|readarray)\b/
/** Commands whose arguments may be a script or a command. */
const RUNNERS = new Set(['eval', 'bash', 'sh', 'builtin', 'command'])

/** Whether the script runs `read`, `mapfile` or `readarray`, which treat bytes as text. */
function readsBytesAsText(ast: ScriptNode, script: string): boolean {
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
