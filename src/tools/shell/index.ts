import type { AnyTool } from '../../types/tool.js'
import { BASH } from './background/family.js'
import { backgroundTools, resizeBackgroundBash } from './background/index.js'
import { bash } from './bash.js'

const sessions = backgroundTools(BASH)

/** `bash`, and the sessions that it starts in the background: `read_ write_ stop_ list_ resize_background_bash`. */
export function shellTools(): AnyTool[] {
  return [bash, ...sessions, resizeBackgroundBash]
}
