import type { ScriptText } from '../byte-text.js'
import type { ScriptNode, TransformPlugin } from '../library-types.js'
import { readsBytesAsText } from './byte-readers.js'
import { type OutputFiles, streamOutput } from './streaming.js'

/** Prepares the script before it is run, and none that it runs itself (`bash -c`). */
export function preparation(script: string, files: OutputFiles, text: ScriptText): TransformPlugin {
  let first = true
  return {
    name: 'toolport',
    transform({ ast }): { ast: ScriptNode } {
      if (first) {
        first = false
        text.doubled = readsBytesAsText(ast, script)
        streamOutput(ast, script, files)
      }
      return { ast }
    },
  }
}
