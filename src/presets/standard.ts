import { type CustomToolMakerOptions, customTools } from '../tools/custom/index.js'
import { fileTools } from '../tools/files/index.js'
import { type JsToolsOptions, jsTools } from '../tools/js/index.js'
import { metaTools } from '../tools/meta/index.js'
import { searchTools } from '../tools/search/index.js'
import { shellTools } from '../tools/shell/index.js'
import { type WebToolsOptions, webTools } from '../tools/web/index.js'
import type { Preset } from '../types/preset.js'

export interface StandardOptions {
  /** Where `web_search` asks. Without it there is no such tool: no address is built in. */
  readonly webSearch?: WebToolsOptions
  /** What programs may do, and where packages come from. They run where the runtime has a JavaScript adapter (its port `js`). */
  readonly jsTools?: JsToolsOptions
  /** Where `create_persistent_tool` keeps its tools, and what they may do; false leaves it out. It needs a JavaScript adapter too. */
  readonly customTools?: CustomToolMakerOptions | false
}

/** Our own tools, all groups, strictly validated. */
export function standard({ webSearch, jsTools: js, customTools: custom = {} }: StandardOptions = {}): Preset {
  const web = webSearch ? webTools(webSearch) : []
  const tools = [
    ...fileTools(),
    ...searchTools(),
    ...shellTools(),
    ...jsTools(js),
    ...(custom ? customTools(custom) : []),
    ...metaTools(),
    ...web,
  ]
  return { name: 'standard', tools, validation: 'strict' }
}
