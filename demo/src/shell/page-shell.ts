import type { JsAdapter, ShellAdapter, Workspace } from 'toolport'
import { createJustBashShell, jsCommands } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'

export interface ShellParts {
  readonly js: (workspace: Workspace) => JsAdapter
}

const MIB = 1024 * 1024
/** Of the shell's private directories, such as `/tmp`. */
const SCRATCH = { maxBytes: 64 * MIB, maxFiles: 10_000 }

export function createPageShell(workspace: Workspace, { js }: ShellParts): ShellAdapter {
  return createJustBashShell({ scratch: createMemoryFs(SCRATCH), worker: 'auto', commands: jsCommands(js) })(workspace)
}
