import type { ScriptText } from '../byte-text.js'
import type { ScriptNode, StatementNode, TransformPlugin } from '../library-types.js'
import { readsBytesAsText } from './byte-readers.js'
import { visit } from './nodes.js'
import { type OutputFiles, streamOutput } from './streaming.js'

/**
 * Prepares the scripts of a build without hooks. That of the call is made to show its output; none may have jobs, which such a build would run
 * in the foreground.
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
