import wasm from 'jq-wasm/jq.wasm?url'
import type { LocalServers, ShellAdapter, ShellCommandSource, Workspace } from 'toolport'
import { createJustBashShell, curlCommand, jsCommands } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { pageGit } from './git-command.js'
import { npmCommand } from './npm-command.js'
import { type ViteParts, viteCommand } from './vite-command.js'

export interface ShellParts extends ViteParts {
  readonly servers: LocalServers
}

const MIB = 1024 * 1024
/** Quota of the shell's private directories, such as `/tmp`. */
const SCRATCH = { maxBytes: 64 * MIB, maxFiles: 10_000 }

export function createPageShell(workspace: Workspace, { js, servers, ...parts }: ShellParts): ShellAdapter {
  const vite = viteCommand(workspace, { ...parts, js })
  const commands: ShellCommandSource[] = [pageGit, curlCommand(servers), vite]
  for (const source of jsCommands(js)) {
    const command = typeof source === 'function' ? source(workspace) : source
    commands.push(command, ...(command.name === 'node' ? [npmCommand({ node: command, vite, install: parts.install })] : []))
  }
  return createJustBashShell({ scratch: createMemoryFs(SCRATCH), worker: 'auto', commands, jq: { wasm } })(workspace)
}
