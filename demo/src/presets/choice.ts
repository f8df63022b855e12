import type { CreateRuntimeOptions, JsToolsOptions, Preset, RuntimePolicy } from 'toolport'
import type { ExampleTable, Known } from '../tools/examples/known.js'

/** What a preset brings to a runtime over the workspace of the page. */
export interface PresetParts extends Pick<CreateRuntimeOptions, 'memory' | 'policy'> {
  readonly preset: Preset
  /** Its tools ask for approvals by themselves; those of a `policy` are known. */
  readonly asks?: boolean
}

/**
 * Makes the parts of a preset for one workspace. `jsTools`: what programs may do there, and where packages come from. `approve`: asks the
 * person, for a preset that asks by itself.
 */
export type MakeParts = (jsTools: JsToolsOptions, approve: NonNullable<RuntimePolicy['approve']>) => PresetParts

/** One line of the chooser. */
export interface PresetChoice {
  /** Shown, and kept in the page's address. */
  readonly name: string
  /** What it is, in a few words. */
  readonly about: string
  /** Loads the preset. Absent: the standard tools, which are always there. */
  readonly load?: () => Promise<MakeParts>
  /** Tools that it has only where it is given a service to ask, and this page gives none: its registry does not know of them. */
  readonly searches?: readonly string[]
  /** Examples for its tools that work on the files of the workspace. */
  readonly examples?: (known: Known) => ExampleTable
}

/** A choice whose code is there. */
export interface LoadedPreset {
  readonly choice: PresetChoice
  readonly parts?: MakeParts
}

export const STANDARD = 'standard'
