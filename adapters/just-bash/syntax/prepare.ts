import type { ScriptNode, TransformPlugin } from '#just-bash'
import { tellBeforeExit } from './exits.js'
import { visit } from './nodes.js'
import { freeDescriptor, openSafely } from './redirects.js'
import { streamOutput } from './streaming.js'
import { addTurn } from './turns.js'

const ASKS_STATUS = /\$\{?\?|\b(?:exit|return)\b/

/**
 * Prepares the script, and each script that it runs in a shell of its own (`bash -c`), before it is run. What `eval` and `source` read is
 * not seen.
 */
export function preparation(script: string): TransformPlugin {
  const fd = freeDescriptor(script)
  let first = true
  return {
    name: 'toolport',
    transform({ ast }): { ast: ScriptNode } {
      const own = first
      first = false
      if (own) streamOutput(ast, script)
      const asksStatus = !own || ASKS_STATUS.test(script)
      visit(ast, (node) => {
        addTurn(node, asksStatus)
        openSafely(node, fd)
        if (own) tellBeforeExit(node)
      })
      return { ast }
    },
  }
}
