import { createFetch } from '../../../adapters/fetch/index.js'
import { standard } from '../../presets/standard.js'
import type { CreateRuntimeOptions } from '../../runtime/create-runtime.js'
import type { WebToolsOptions } from '../../tools/web/index.js'

export interface DefaultToolsOptions extends Pick<CreateRuntimeOptions, 'tools' | 'preset' | 'fetch' | 'host'> {
  /** Adds `web_search`, and a fetch adapter that reaches its proxy and nothing else (docs/web-search.md). Default none. */
  readonly webSearch?: WebToolsOptions
}

/**
 * The preset `standard`, unless tools or a preset are chosen.
 *
 * @throws TypeError for `webSearch` beside tools or a preset, which bring their own
 */
export function defaultTools({
  tools,
  preset,
  fetch,
  host,
  webSearch,
}: DefaultToolsOptions): Pick<CreateRuntimeOptions, 'preset' | 'fetch'> {
  const chosen = tools !== undefined || preset !== undefined
  if (chosen && webSearch) throw new TypeError('Cannot create a runtime: "webSearch" is for the standard tools; add webTools(...) to yours')
  if (chosen) return {}
  if (!webSearch) return { preset: standard() }
  const made = standard({ webSearch })
  return { preset: made, fetch: fetch ?? createFetch({ origins: [new URL(webSearch.baseUrl).origin], ...(host && { host }) }) }
}
