// @module-tag virtual-shell
import { createWorkspace } from 'toolport'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, it } from 'vitest'
import { sessionContract } from '../contract/index.js'

sessionContract(
  { describe, it },
  {
    name: 'just-bash',
    create: () => {
      const workspace = createWorkspace({ fs: createMemoryFs() })
      return { workspace, shell: createJustBashShell({ scratch: createMemoryFs() })(workspace) }
    },
    without: ['processes', 'pty'],
  },
)
