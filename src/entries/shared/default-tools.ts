import { createFetch } from '../../../adapters/fetch/index.js'
import { type StandardOptions, standard } from '../../presets/standard.js'
import type { CreateRuntimeOptions } from '../../runtime/compose-runtime.js'

export interface DefaultToolsOptions extends Pick<CreateRuntimeOptions, 'tools' | 'preset' | 'fetch' | 'host'> {
  /**
   * Adds `web_search`. Unless `fetch` is set, also adds a fetch adapter that reaches only the search proxy (docs/web-search.md). Default:
   * no web search.
   */
  readonly webSearch?: StandardOptions['webSearch']
  /**
   * The package registry of the JavaScript tools, and the grants of their programs. Unless `fetch` is set, also adds a fetch adapter that
   * reaches the registry. The tools need a JavaScript adapter (`js`).
   */
  readonly jsTools?: StandardOptions['jsTools']
  /**
   * The storage and the grants of tools that `create_persistent_tool` creates; `false` omits `create_persistent_tool`. Needs a JavaScript
   * adapter (`js`) or `trusted`. `loadCustomTools(runtime)` loads the tools of earlier runtimes.
   */
  readonly customTools?: StandardOptions['customTools']
}

/** For each option of the standard tools, the function that adds the same tools to a custom list. */
const STANDARD_ONLY = { webSearch: 'webTools', jsTools: 'jsTools', customTools: 'customTools' } as const

/**
 * Returns the preset `standard`, unless the caller passes tools or a preset.
 *
 * @throws TypeError for `webSearch`, `jsTools` or `customTools` together with tools or a preset
 */
export function defaultTools({
  tools,
  preset,
  fetch,
  host,
  ...options
}: DefaultToolsOptions): Pick<CreateRuntimeOptions, 'preset' | 'fetch'> {
  if (tools !== undefined || preset !== undefined) {
    refuseStandardOnly(options)
    return {}
  }
  const { webSearch, jsTools, customTools } = options
  const made = standard({ ...(webSearch && { webSearch }), ...(jsTools && { jsTools }), ...(customTools !== undefined && { customTools }) })
  const origins = [webSearch?.baseUrl, jsTools?.registry].flatMap((address) => (address === undefined ? [] : [new URL(address).origin]))
  if (fetch || origins.length === 0) return { preset: made, ...(fetch && { fetch }) }
  return { preset: made, fetch: createFetch({ origins, ...(host && { host }) }) }
}

function refuseStandardOnly(options: Pick<DefaultToolsOptions, keyof typeof STANDARD_ONLY>): void {
  for (const [name, instead] of Object.entries(STANDARD_ONLY)) {
    if (!options[name as keyof typeof STANDARD_ONLY]) continue
    throw new TypeError(`Cannot create a runtime: "${name}" is for the standard tools; add ${instead}(...) to yours`)
  }
}
