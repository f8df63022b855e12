import { createFetch } from '../../../adapters/fetch/index.js'
import { standard } from '../../presets/standard.js'
import type { CreateRuntimeOptions } from '../../runtime/create-runtime.js'
import type { JsToolsOptions } from '../../tools/js/index.js'
import type { WebToolsOptions } from '../../tools/web/index.js'

export interface DefaultToolsOptions extends Pick<CreateRuntimeOptions, 'tools' | 'preset' | 'fetch' | 'host'> {
  /** Adds `web_search`, and a fetch adapter that reaches its proxy and nothing else (docs/web-search.md). Default none. */
  readonly webSearch?: WebToolsOptions
  /**
   * What the tools for JavaScript grant to programs, and the registry of packages, to which a fetch adapter is added as for `webSearch`.
   * They are offered where there is a JavaScript adapter (`js`).
   */
  readonly jsTools?: JsToolsOptions
}

/**
 * The preset `standard`, unless tools or a preset are chosen.
 *
 * @throws TypeError for `webSearch` or `jsTools` beside tools or a preset, which bring their own
 */
export function defaultTools({
  tools,
  preset,
  fetch,
  host,
  webSearch,
  jsTools,
}: DefaultToolsOptions): Pick<CreateRuntimeOptions, 'preset' | 'fetch'> {
  const chosen = tools !== undefined || preset !== undefined
  if (chosen && webSearch) throw new TypeError('Cannot create a runtime: "webSearch" is for the standard tools; add webTools(...) to yours')
  if (chosen && jsTools) throw new TypeError('Cannot create a runtime: "jsTools" is for the standard tools; add jsTools(...) to yours')
  if (chosen) return {}
  const made = standard({ ...(webSearch && { webSearch }), ...(jsTools && { jsTools }) })
  const origins = [webSearch?.baseUrl, jsTools?.registry].flatMap((address) => (address === undefined ? [] : [new URL(address).origin]))
  if (fetch || origins.length === 0) return { preset: made, ...(fetch && { fetch }) }
  return { preset: made, fetch: createFetch({ origins, ...(host && { host }) }) }
}
