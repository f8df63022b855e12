// @module-tag node-shell
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspace } from 'toolport'
import { createNodeFs, createNodeShell } from 'toolport/adapters/node'
import { describe, it, vi } from 'vitest'
import { sessionContract } from '../contract/index.js'

vi.setConfig({ testTimeout: 120_000 })

for (const pty of [true, false]) {
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
