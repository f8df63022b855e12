import { fileTools } from '../tools/files/index.js'
import { metaTools } from '../tools/meta/index.js'
import { searchTools } from '../tools/search/index.js'
import { shellTools } from '../tools/shell/index.js'
import { type WebToolsOptions, webTools } from '../tools/web/index.js'
import type { Preset } from '../types/preset.js'

export interface StandardOptions {
  /** Where `web_search` asks. Without it there is no such tool: no address is built in. */
  readonly webSearch?: WebToolsOptions
}

/** Our own tools, all groups, strictly validated. */
export function standard({ webSearch }: StandardOptions = {}): Preset {
  const tools = [...fileTools(), ...searchTools(), ...shellTools(), ...metaTools(), ...(webSearch ? webTools(webSearch) : [])]
  return { name: 'standard', tools, validation: 'strict' }
}
