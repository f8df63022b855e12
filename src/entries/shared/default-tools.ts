import { standard } from '../../presets/standard.js'
import type { CreateRuntimeOptions } from '../../runtime/create-runtime.js'

/** The preset `standard`, unless tools or a preset are chosen. */
export function defaultTools({ tools, preset }: Pick<CreateRuntimeOptions, 'tools' | 'preset'>): Pick<CreateRuntimeOptions, 'preset'> {
  return tools || preset ? {} : { preset: standard() }
}
