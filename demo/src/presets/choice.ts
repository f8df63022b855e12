import type { CreateRuntimeOptions, Preset } from 'toolport'
import type { ExampleTable, Known } from '../tools/examples/known.js'

/** What a preset brings to a runtime over the workspace of the page. */
export type PresetParts = { readonly preset: Preset } & Pick<CreateRuntimeOptions, 'memory' | 'policy'>

/** One line of the chooser. */
export interface PresetChoice {
  /** Shown, and kept in the page's address. */
  readonly name: string
  /** What it is, in a few words. */
  readonly about: string
  /** Loads the preset; the function makes its parts for one workspace. Absent: the standard tools, which are always there. */
  readonly load?: () => Promise<() => PresetParts>
  /** Examples for its tools that work on the files of the workspace. */
  readonly examples?: (known: Known) => ExampleTable
}

/** A choice whose code is there. */
export interface LoadedPreset {
  readonly choice: PresetChoice
  readonly parts?: () => PresetParts
}

export const STANDARD = 'standard'
