import type { AnyTool } from '../../types/tool.js'
import { checkOptions, type WebToolsOptions } from './options.js'
import { webSearch } from './web-search.js'

export type { SecretHeaders, WebToolsOptions } from './options.js'

/** `web_search`. It needs a fetch adapter that allows the origin of `baseUrl`. */
export function webTools(options: WebToolsOptions): AnyTool[] {
  return [webSearch(checkOptions(options))]
}
