import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspace, type ShellAdapter, type Workspace, type WorkspaceOptions } from 'toolport'
import { createNodeFs, createNodeShell, type NodeShellOptions } from 'toolport/adapters/node'

/** A directory of its own for each test. */
export let root: string
const shells: ShellAdapter[] = []
const workspaces: Workspace[] = []

export function freshRoot(): void {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-shell-')))
}

export async function cleanUp(): Promise<void> {
  for (const shell of shells.splice(0)) await shell.close?.()
  for (const workspace of workspaces.splice(0)) await workspace.close()
  rmSync(root, { recursive: true, force: true })
}

/** On the machine's own path, unless `given.root` names the root otherwise. */
export function workspaceOf(given: Partial<WorkspaceOptions> = {}): Workspace {
  const workspace = createWorkspace({ fs: createNodeFs({ root }), ...given })
  workspaces.push(workspace)
  return workspace
}

export function shellOf(options?: NodeShellOptions, workspace: Workspace = workspaceOf()): ShellAdapter {
  const shell = createNodeShell(options)(workspace)
  shells.push(shell)
  return shell
}

/** Whether a process of this id does anything: one that waits to be collected by its parent does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = `/proc/${pid}/stat`
  return !existsSync(stat) || !/^\d+ \(.*\) Z/s.test(readFileSync(stat, 'utf8'))
}

/** The ids that a command printed, one a line. */
export function pidsIn(output: string): number[] {
  return [...output.matchAll(/^\d+$/gm)].map(([pid]) => Number(pid))
}

export async function rejection(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => new Error(`Expected a failure, got ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
}
