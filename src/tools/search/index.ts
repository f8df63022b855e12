import type { AnyTool } from '../../types/tool.js'
import { glob } from './glob.js'
import { grep } from './grep.js'
import { listFiles } from './list-files.js'

/** `list_files glob grep`. */
export function searchTools(): AnyTool[] {
  return [listFiles, glob, grep]
}
