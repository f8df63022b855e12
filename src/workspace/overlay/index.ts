export { type Branch, type BranchOptions, branchWorkspace } from './branch.js'
export type { CommitOptions, Committed } from './commit.js'
export type { CommitConflict } from './conflicts.js'
export { createOverlayFs, type OverlayChanges, type OverlayFs, type OverlayFsOptions } from './overlay-fs.js'
