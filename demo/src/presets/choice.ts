import type { CreateRuntimeOptions, JsToolsOptions, Preset } from 'toolport'
import type { ExampleTable, Known } from '../tools/examples/known.js'

/** What a preset brings to a runtime over the workspace of the page. */
export type PresetParts = { readonly preset: Preset } & Pick<CreateRuntimeOptions, 'memory' | 'policy'>

/** Makes the parts of a preset for one workspace. `jsTools`: what programs may do there, and where packages come from. */
export type MakeParts = (jsTools: JsToolsOptions) => PresetParts

/** One line of the chooser. */
export interface PresetChoice {
  /** Shown, and kept in the page's address. */
  readonly name: string
  /** What it is, in a few words. */
  readonly about: string
  /** Loads the preset. Absent: the standard tools, which are always there. */
  readonly load?: () => Promise<MakeParts>
  /** Examples for its tools that work on the files of the workspace. */
  readonly examples?: (known: Known) => ExampleTable
}

/** A choice whose code is there. */
export interface LoadedPreset {
  readonly choice: PresetChoice
  readonly parts?: MakeParts
}

export const STANDARD = 'standard'
