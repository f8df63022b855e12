import { createJustBashShell, type JustBashShellOptions } from '../../../adapters/just-bash/index.js'
import { createMemoryFs } from '../../../adapters/memory/index.js'
import type { ShellAdapter, ShellCommand, ShellCommandSource } from '../../types/shell.js'
import type { Workspace } from '../../types/workspace.js'

/**
 * Options of the virtual shell. `scratch` is the storage of the shell's private directories; default: in memory, up to 64 MiB (16 MiB in a
 * Worker).
 */
export type VirtualShellOptions = Partial<JustBashShellOptions>

export interface VirtualShellSetting {
  /** Maximum bytes of the private directories. Default 64 MiB. */
  readonly scratchBytes?: number
  /** Returns the default commands. A command of the same name in the options replaces a default. */
  readonly commands?: (workspace: Workspace) => readonly ShellCommandSource[]
}

const MIB = 1024 * 1024

/** Creates the virtual shell: a bash in JavaScript. Loads just-bash with the first command. */
export function virtualShell(
  options: VirtualShellOptions = {},
  { scratchBytes = 64 * MIB, commands }: VirtualShellSetting = {},
): (workspace: Workspace) => ShellAdapter {
  return (workspace) => {
    const scratch = options.scratch ?? createMemoryFs({ now: () => workspace.host.now(), maxBytes: scratchBytes, maxFiles: 10_000 })
    const own = made(options.commands ?? [], workspace)
    const names = new Set(own.map((command) => command?.name))
    const others = made(commands?.(workspace) ?? [], workspace).filter(({ name }) => !names.has(name))
    return createJustBashShell({ ...options, scratch, commands: [...own, ...others] })(workspace)
  }
}

const made = (sources: readonly ShellCommandSource[], workspace: Workspace): readonly ShellCommand[] =>
  sources.map((source) => (typeof source === 'function' ? source(workspace) : source))
