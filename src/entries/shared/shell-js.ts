import { jsCommands } from '../../../adapters/just-bash/index.js'
import type { PortOption } from '../../runtime/compose-runtime.js'
import type { JsToolsOptions } from '../../tools/js/index.js'
import type { JsAdapter } from '../../types/js.js'
import type { ShellCommandSource } from '../../types/shell.js'
import type { Workspace } from '../../types/workspace.js'

/**
 * The commands `node` and `js` of a virtual shell. Their programs reach the files that those of the tools reach; they have neither `fetch`
 * nor tools. None where the tools would refuse to run a program.
 */
export function shellJs(
  js: PortOption<JsAdapter> | undefined,
  { grants: { fs = 'write' } = {} }: JsToolsOptions = {},
): (workspace: Workspace) => readonly ShellCommandSource[] {
  return (workspace) => {
    if (!js) return []
    const adapter = typeof js === 'function' ? js(workspace) : js
    const granted = workspace.readOnly && fs === 'write' ? 'read' : fs
    if (granted !== 'write' && !adapter.can.isolated) return []
    return jsCommands(adapter, { grants: { fs: granted } })
  }
}
