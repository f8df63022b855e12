import type { TreeDiff } from '../../types/checkpoint.js'
import type { Quotas, Workspace } from '../../types/workspace.js'
import { createWorkspace } from '../create-workspace.js'
import { parsePath } from '../paths.js'
import { viewOf } from '../state.js'
import type { CommitOptions, Committed } from './commit.js'
import { createOverlayFs } from './overlay-fs.js'

export interface BranchOptions {
  /** Of the branch alone; when it is committed, those of the workspace hold too. Default: none but the size of one file. */
  readonly quotas?: Quotas
}

export interface Branch {
  /** Shows the workspace, and keeps what is changed in it to itself. Closing it leaves the workspace open. */
  readonly workspace: Workspace
  /** What differs from the workspace as it is now. */
  changes(): Promise<TreeDiff>
  /**
   * Makes the changes in the workspace; the branch goes on from there. All or nothing: where somebody else has changed there what was
   * changed here, that is listed, and nothing is changed anywhere. @throws as `OverlayFs.commit`
   */
  commit(options?: CommitOptions): Promise<Committed>
  /** Forgets the changes, and the branch's own checkpoints. */
  discard(): Promise<void>
}

/**
 * A dry run: a workspace with the same content, paths and rules, whose changes reach the other one when they are committed. Several can
 * go side by side. It begins without checkpoints.
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
