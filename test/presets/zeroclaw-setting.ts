import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { createWorkspaceMemory } from 'toolport/adapters/workspace-memory'
import { zeroclaw } from 'toolport/presets/zeroclaw'
import type { TableSetting } from './table.js'

/** Uses the virtual shell in every runtime, so that commands print the same. */
export const zeroclawSetting: Omit<TableSetting, 'open'> = {
  preset: () => zeroclaw(),
  options: { shell: createJustBashShell({ scratch: createMemoryFs() }), memory: createWorkspaceMemory() },
}
