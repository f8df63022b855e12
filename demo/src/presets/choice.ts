import type { CreateRuntimeOptions, JsToolsOptions, Preset, RuntimePolicy } from 'toolport'
import type { ExampleTable, Known } from '../tools/examples/known.js'
import type { SearchProxy, SearchService } from '../web-search/proxy-store.js'

/** What a preset contributes to a runtime on the page's workspace. */
export interface PresetParts extends Pick<CreateRuntimeOptions, 'memory' | 'policy'> {
  readonly preset: Preset
  /** Whether its tools ask for approval themselves. Approvals of a `policy` do not count. */
  readonly asks?: boolean
}

/**
 * Creates the parts of a preset for a workspace. `jsTools`: what programs may do, and the package registry. `approve`: asks the user, for
 * presets that ask themselves. `proxy`: enables the web search tools. Default: none.
 */
export type MakeParts = (jsTools: JsToolsOptions, approve: NonNullable<RuntimePolicy['approve']>, proxy?: SearchProxy) => PresetParts

/** Tools that a preset only has with a search service; its registry does not list them without one. */
export interface PresetSearches {
  /** Tool name -> services that can provide it. One of them is enough. */
  readonly tools: Readonly<Record<string, readonly SearchService[]>>
  /** Options for the function that creates the preset. */
  readonly options: (proxy: SearchProxy) => object
}

/** An entry of the preset menu. */
export interface PresetChoice {
  /** Shown in the menu and stored in the page's address. */
  readonly name: string
  /** Short description. */
  readonly about: string
  /** Loads the preset. Undefined: the standard tools, which are always loaded. */
  readonly load?: () => Promise<MakeParts>
  readonly searches?: PresetSearches
  /** Examples for its tools that use files of the workspace. */
  readonly examples?: (known: Known) => ExampleTable
}

/** A preset whose code is loaded. */
export interface LoadedPreset {
  readonly choice: PresetChoice
  readonly parts?: MakeParts
}

export const STANDARD = 'standard'
