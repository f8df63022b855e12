import type { AnyTool } from '../../../types/tool.js'
import type { BackgroundFamily } from './family.js'
import { listBackground } from './list.js'
import { readBackground } from './read.js'
import { stopBackground } from './stop.js'
import { writeBackground } from './write.js'

/** `read_`, `write_`, `stop_` and `list_background_` of one kind of session. */
export function backgroundTools(family: BackgroundFamily): AnyTool[] {
  return [readBackground(family), writeBackground(family), stopBackground(family), listBackground(family)]
}
