import wasm from 'jq-wasm/jq.wasm?url'
import type { JsAdapter, LocalServers, ShellAdapter, ShellCommandSource, Workspace } from 'toolport'
import { createJustBashShell, curlCommand, jsCommands } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { pageGit } from './git-command.js'
import { npmCommand } from './npm-command.js'

export interface ShellParts {
  readonly js: (workspace: Workspace) => JsAdapter
  readonly servers: LocalServers
}

const MIB = 1024 * 1024
/** Of the shell's private directories, such as `/tmp`. */
const SCRATCH = { maxBytes: 64 * MIB, maxFiles: 10_000 }

export function createPageShell(workspace: Workspace, { js, servers }: ShellParts): ShellAdapter {
  const commands: ShellCommandSource[] = [pageGit, curlCommand(servers)]
  for (const source of jsCommands(js)) {
    const command = typeof source === 'function' ? source(workspace) : source
    commands.push(command, ...(command.name === 'node' ? [npmCommand(command)] : []))
  }
  return createJustBashShell({ scratch: createMemoryFs(SCRATCH), worker: 'auto', commands, jq: { wasm } })(workspace)
}
