import { jsCommands } from '../../../adapters/just-bash/index.js'
import type { PortOption } from '../../runtime/compose-runtime.js'
import type { JsToolsOptions } from '../../tools/js/index.js'
import type { JsAdapter } from '../../types/js.js'
import type { ShellCommandSource } from '../../types/shell.js'
import type { Workspace } from '../../types/workspace.js'

/**
 * Returns the commands `node` and `js` for a virtual shell. Their programs have the same access to files as those of the JavaScript tools,
 * but neither `fetch` nor tools. Returns no commands if the JavaScript tools would reject every program.
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
