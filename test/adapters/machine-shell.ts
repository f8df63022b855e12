import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspace } from 'toolport'
import { createNodeFs, createNodeShell } from 'toolport/adapters/node'
import type { ShellUnderTest } from '../contract/index.js'

/** This machine's shell in a new directory. */
export function createGood(): ShellUnderTest {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-shell-')))
  const workspace = createWorkspace({ fs: createNodeFs({ root }) })
  return { workspace, shell: createNodeShell()(workspace) }
}

export async function dispose({ shell, workspace }: ShellUnderTest): Promise<void> {
  await shell.close?.()
  await workspace.close()
  rmSync(workspace.root, { recursive: true, force: true })
}
