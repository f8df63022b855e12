import { createFetch } from '../../../adapters/fetch/index.js'
import { type StandardOptions, standard } from '../../presets/standard.js'
import type { CreateRuntimeOptions } from '../../runtime/compose-runtime.js'

export interface DefaultToolsOptions extends Pick<CreateRuntimeOptions, 'tools' | 'preset' | 'fetch' | 'host'> {
  /** Adds `web_search`, and a fetch adapter that reaches its proxy and nothing else (docs/web-search.md). Default none. */
  readonly webSearch?: StandardOptions['webSearch']
  /**
   * What the tools for JavaScript grant to programs, and the registry of packages, to which a fetch adapter is added as for `webSearch`.
   * They are offered where there is a JavaScript adapter (`js`).
   */
  readonly jsTools?: StandardOptions['jsTools']
  /**
   * Where `create_persistent_tool` keeps its tools, and what they may do; `false` leaves it out. It needs a JavaScript adapter (`js`), or
   * `trusted`. `loadCustomTools(runtime)` brings back the tools of earlier runtimes.
   */
  readonly customTools?: StandardOptions['customTools']
}

/** The options of the standard tools, and what to add to tools of one's own instead. */
const STANDARD_ONLY = { webSearch: 'webTools', jsTools: 'jsTools', customTools: 'customTools' } as const

/**
 * The preset `standard`, unless tools or a preset are chosen.
 *
 * @throws TypeError for `webSearch`, `jsTools` or `customTools` beside tools or a preset, which bring their own
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
