// @module-tag node-shell
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspace } from 'toolport'
import { createNodeFs, createNodeShell } from 'toolport/adapters/node'
import { describe, it, vi } from 'vitest'
import { shellContract } from '../contract/index.js'

// A gigabyte of output takes a while on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

shellContract(
  { describe, it },
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
