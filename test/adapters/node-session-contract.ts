import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspace } from 'toolport'
import { createNodeFs, createNodeShell } from 'toolport/adapters/node'
import { describe } from 'vitest'
import { sessionContract, type TestRunner } from '../contract/index.js'

export function nodeSessionContract(pty: boolean, it: TestRunner['it']): void {
  sessionContract(
    { describe, it },
    {
      name: pty ? 'node' : 'node, without terminals',
      create: () => {
        const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-shell-')))
        const workspace = createWorkspace({ fs: createNodeFs({ root }) })
        return { workspace, shell: createNodeShell({ pty })(workspace) }
      },
      without: pty ? [] : ['pty'],
      dispose: async ({ shell, workspace }) => {
        await shell.close?.()
        await workspace.close()
        rmSync(workspace.root, { recursive: true, force: true })
      },
    },
  )
}
