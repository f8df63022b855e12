import type { CreateRuntimeOptions, JsToolsOptions, Preset, RuntimePolicy } from 'toolport'
import type { ExampleTable, Known } from '../tools/examples/known.js'
import type { SearchProxy, SearchService } from '../web-search/proxy-store.js'

/** What a preset brings to a runtime over the workspace of the page. */
export interface PresetParts extends Pick<CreateRuntimeOptions, 'memory' | 'policy'> {
  readonly preset: Preset
  /** Its tools ask for approvals by themselves; those of a `policy` are known. */
  readonly asks?: boolean
}

/**
 * Makes the parts of a preset for one workspace. `jsTools`: what programs may do there, and where packages come from. `approve`: asks the
 * person, for a preset that asks by itself. `proxy`: it has the tools that search the web through it; default none.
 */
export type MakeParts = (jsTools: JsToolsOptions, approve: NonNullable<RuntimePolicy['approve']>, proxy?: SearchProxy) => PresetParts

/** Tools that a preset has only where it is given a service to ask: its registry does not know of them before. */
export interface PresetSearches {
  /** Their names, and the services of which each needs one. */
  readonly tools: Readonly<Record<string, readonly SearchService[]>>
  /** What the function takes for them that makes the preset. */
  readonly options: (proxy: SearchProxy) => object
}

/** One line of the chooser. */
export interface PresetChoice {
  /** Shown, and kept in the page's address. */
  readonly name: string
  /** What it is, in a few words. */
  readonly about: string
  /** Loads the preset. Absent: the standard tools, which are always there. */
  readonly load?: () => Promise<MakeParts>
  readonly searches?: PresetSearches
  /** Examples for its tools that work on the files of the workspace. */
  readonly examples?: (known: Known) => ExampleTable
}

/** A choice whose code is there. */
export interface LoadedPreset {
  readonly choice: PresetChoice
  readonly parts?: MakeParts
}

export const STANDARD = 'standard'
