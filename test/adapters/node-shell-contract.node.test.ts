// @module-tag node-shell
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspace } from 'toolport'
import { createNodeFs, createNodeShell } from 'toolport/adapters/node'
import { describe, it } from 'vitest'
import { shellContract } from '../contract/index.js'

// Concurrent, because the cases mostly wait.
shellContract(
  { describe, it: it.concurrent },
  {
    name: 'node',
    create: () => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolport-shell-')))
      const workspace = createWorkspace({ fs: createNodeFs({ root }) })
      return { workspace, shell: createNodeShell()(workspace) }
    },
    dispose: async ({ shell, workspace }) => {
      await shell.close?.()
      await workspace.close()
      rmSync(workspace.root, { recursive: true, force: true })
    },
  },
)
