import type { AnyTool } from '../../types/tool.js'
import { bash } from './bash.js'

/** `bash`. */
export function shellTools(): AnyTool[] {
  return [bash]
}
