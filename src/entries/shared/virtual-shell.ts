import { createJustBashShell, type JustBashShellOptions } from '../../../adapters/just-bash/index.js'
import { createMemoryFs } from '../../../adapters/memory/index.js'
import type { ShellAdapter } from '../../types/shell.js'
import type { Workspace } from '../../types/workspace.js'

/** Of the virtual shell. `scratch`, the storage of its private directories, is in memory unless given, up to 64 MiB (in a Worker 16). */
export type VirtualShellOptions = Partial<JustBashShellOptions>

const MIB = 1024 * 1024

/** The bash in JavaScript. just-bash itself loads with the first command. */
export function virtualShell(options: VirtualShellOptions = {}, scratchBytes: number = 64 * MIB): (workspace: Workspace) => ShellAdapter {
  return (workspace) => {
    const scratch = options.scratch ?? createMemoryFs({ now: () => workspace.host.now(), maxBytes: scratchBytes, maxFiles: 10_000 })
    return createJustBashShell({ ...options, scratch })(workspace)
  }
}
