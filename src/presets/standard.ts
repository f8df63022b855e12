import { type CustomToolMakerOptions, customTools } from '../tools/custom/index.js'
import { fileTools } from '../tools/files/index.js'
import { type JsToolsOptions, jsTools } from '../tools/js/index.js'
import { metaTools } from '../tools/meta/index.js'
import { previewTools } from '../tools/preview/index.js'
import { searchTools } from '../tools/search/index.js'
import { shellTools } from '../tools/shell/index.js'
import { type WebToolsOptions, webTools } from '../tools/web/index.js'
import type { Preset } from '../types/preset.js'

/** Options of the preset `standard`. */
export interface StandardOptions {
  /** The search proxy, which enables `web_search`. No proxy is built in. */
  readonly webSearch?: WebToolsOptions
  /** Grants of JavaScript programs, and the package registry. Requires a JavaScript adapter (port `js`). */
  readonly jsTools?: JsToolsOptions
  /**
   * Where `create_persistent_tool` stores new tools, and the grants of these tools; `false` omits the tool. Requires a JavaScript adapter.
   */
  readonly customTools?: CustomToolMakerOptions | false
}

/** Creates the preset with all of Toolport's own tools and strict validation. */
export function standard({ webSearch, jsTools: js, customTools: custom = {} }: StandardOptions = {}): Preset {
  const web = webSearch ? webTools(webSearch) : []
  const tools = [
    ...fileTools(),
    ...searchTools(),
    ...shellTools(),
    ...jsTools(js),
    ...(custom ? customTools(custom) : []),
    ...previewTools(),
    ...metaTools(),
    ...web,
  ]
  return { name: 'standard', tools, validation: 'strict' }
}
