import type { ShellAdapter, Workspace } from 'toolport'
import { createNodeShell, type NodeShellOptions } from 'toolport/adapters/node'
import { closedLater, workspaceOf } from './node-programs-fixture.js'

export { cleanUp, freshRoot, isRunning, rejection, root, workspaceOf } from './node-programs-fixture.js'

export function shellOf(options?: NodeShellOptions, workspace: Workspace = workspaceOf()): ShellAdapter {
  return closedLater(createNodeShell(options)(workspace))
}

/** The process ids that a command printed, one per line. */
export function pidsIn(output: string): number[] {
  return [...output.matchAll(/^\d+$/gm)].map(([pid]) => Number(pid))
}
