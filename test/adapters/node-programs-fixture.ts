import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createWorkspace, type Workspace, type WorkspaceOptions } from 'toolport'
import { createNodeFs } from 'toolport/adapters/node'

/** A new directory for each test. */
export let root: string
const closing: (() => Promise<void> | undefined)[] = []
const workspaces: Workspace[] = []

export function freshRoot(): void {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-')))
}

/** Closes the adapter after the test, before its workspace. */
export function closedLater<Adapter extends { close?(): Promise<void> }>(adapter: Adapter): Adapter {
  closing.push(() => adapter.close?.())
  return adapter
}

export async function cleanUp(): Promise<void> {
  for (const close of closing.splice(0)) await close()
  for (const workspace of workspaces.splice(0)) await workspace.close()
  rmSync(root, { recursive: true, force: true })
}

export function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

/** A workspace at the directory's real path, unless `given.root` sets another root. */
export function workspaceOf(given: Partial<WorkspaceOptions> = {}): Workspace {
  const workspace = createWorkspace({ fs: createNodeFs({ root }), ...given })
  workspaces.push(workspace)
  return workspace
}

/** Process flag in `/proc/<pid>/stat`: the process is exiting. */
const EXITING = 0x4
/** Bit of SIGKILL in a signal mask. */
const KILL = 0x100n

/** Whether a process still runs. Zombies and processes with a pending SIGKILL do not count. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    if (!existsSync('/proc/self/stat')) return true
    const [state = '', , , , , , flags] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    const masks = readFileSync(`/proc/${pid}/status`, 'latin1').matchAll(/^(?:Sig|Shd)Pnd:\t([0-9a-f]+)$/gm)
    const isKilled = [...masks].some(([, mask]) => (BigInt(`0x${mask}`) & KILL) !== 0n)
    return !'ZX'.includes(state) && (Number(flags) & EXITING) === 0 && !isKilled
  } catch {
    return false
  }
}

export async function rejection(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => new Error(`Expected a failure, got ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
}
