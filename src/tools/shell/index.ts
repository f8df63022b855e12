import type { AnyTool } from '../../types/tool.js'
import { listBackgroundBash } from './background/list.js'
import { readBackgroundBash } from './background/read.js'
import { resizeBackgroundBash } from './background/resize.js'
import { stopBackgroundBash } from './background/stop.js'
import { writeBackgroundBash } from './background/write.js'
import { bash } from './bash.js'

/** `bash`, and the sessions that it starts in the background: `read_ write_ stop_ list_ resize_background_bash`. */
export function shellTools(): AnyTool[] {
  return [bash, readBackgroundBash, writeBackgroundBash, stopBackgroundBash, listBackgroundBash, resizeBackgroundBash]
}
