import type { AnyTool } from '../../types/tool.js'
import { diffCheckpoint } from './diff-checkpoint.js'
import { listCheckpoints } from './list-checkpoints.js'
import { restoreCheckpoint } from './restore-checkpoint.js'

/** `list_checkpoints diff_checkpoint restore_checkpoint`. */
export function metaTools(): AnyTool[] {
  return [listCheckpoints, diffCheckpoint, restoreCheckpoint]
}
