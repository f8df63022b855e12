import { lazy } from '../core/lazy.js'
import type { RuntimeHooks } from '../types/runtime.js'
import type { Workspace } from '../types/workspace.js'

type Checkpoint = NonNullable<RuntimeHooks['checkpoint']>

const labels = lazy(() => import('./checkpoint-label.js'))

/** It keeps the state before it by itself; and with as many as are kept, one made before it would drop the one that it is to bring back. */
const RESTORE = 'restore_checkpoint'

/** Makes a checkpoint before the host is told of the call. `reaches`: whether a tool can write past the workspace. */
export function automaticCheckpoint(
  workspace: Workspace,
  next: RuntimeHooks['checkpoint'],
  reaches: (tool: string) => boolean,
): Checkpoint {
  return async (call) => {
    if (call.name !== RESTORE) await workspace.checkpoint({ label: (await labels()).labelOf(call), reuse: true, scan: reaches(call.name) })
    await next?.(call)
  }
}
