import type { TreeDiff } from '../../types/checkpoint.js'
import type { Quotas, Workspace } from '../../types/workspace.js'
import { createWorkspace } from '../create-workspace.js'
import { parsePath } from '../parse-path.js'
import { viewOf } from '../state.js'
import type { CommitOptions, Committed } from './commit.js'
import { createOverlayFs } from './overlay-fs.js'

/** Options of `branchWorkspace`. */
export interface BranchOptions {
  /** Quotas of the branch. A commit also respects the quotas of the workspace. Default: only the limit for one file. */
  readonly quotas?: Quotas
}

/** A separate copy of a workspace, as `branchWorkspace` returns it. */
export interface Branch {
  /** Shows the workspace and keeps its own changes. Closing the branch leaves the workspace open. */
  readonly workspace: Workspace
  /** Lists the differences from the current workspace. */
  changes(): Promise<TreeDiff>
  /**
   * Applies all changes to the workspace, or none. Afterwards the branch shows the committed state. If somebody else has changed the same
   * paths in the workspace, the result lists the conflicts and nothing changes. @throws as `OverlayFs.commit`
   */
  commit(options?: CommitOptions): Promise<Committed>
  /** Drops the changes and the branch's own checkpoints. */
  discard(): Promise<void>
}

/**
 * Opens a branch for a dry run: a workspace with the same content, paths and rules. Its changes reach the original only with `commit`.
 * Several branches can exist in parallel. A branch starts without checkpoints.
 */
export function branchWorkspace(workspace: Workspace, { quotas }: BranchOptions = {}): Branch {
  const { tree } = viewOf(workspace)
  const { fs: live, host, rules, policy, maxSymlinks, checkpointLimits } = tree
  const fs = createOverlayFs({ lower: live.adapter, now: () => host.now() })
  const own = createWorkspace({
    fs,
    host,
    ...rules,
    ...(policy.given && { policy: policy.given }),
    quotas: { fileBytes: tree.quota.fileBytes, ...quotas },
    checkpoints: checkpointLimits,
    maxSymlinks,
  })
  return {
    workspace: own,
    async changes() {
      const diff = await fs.changes()
      return {
        changes: diff.changes.map((change) => ({ ...change, path: live.toVirtual(change.path) })),
        read: async (path, side) => diff.read(live.toAdapter(parsePath(path, rules).path), side),
      }
    },
    commit: (options) => fs.commit(workspace, options),
    discard: () => fs.discard(),
  }
}
