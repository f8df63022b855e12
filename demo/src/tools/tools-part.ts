import type { PresetChoice } from '../presets/choice.js'
import { presetChoices } from '../presets/choices.js'
import { createPresetSwitch, type PresetSwitch } from '../presets/preset-switch.js'
import { createToolsPane, type ToolsPane, type ToolsPaneOptions } from './tools-pane.js'

export interface ToolsPartOptions extends Omit<ToolsPaneOptions, 'presets' | 'onMissing' | 'onProblem'> {
  /** The presets to choose from; the first one is chosen. Default all. */
  readonly choices?: readonly PresetChoice[] | undefined
  /** Something is to be told; undefined: what was told before is over. */
  readonly onProblem: (text: string | undefined) => void
}

export interface ToolsPart {
  readonly tools: ToolsPane
  readonly presets: PresetSwitch
}

/** The tools and the choice of their preset. */
export function createToolsPart({ choices = presetChoices, ...options }: ToolsPartOptions): ToolsPart {
  const presets = createPresetSwitch({
    choices,
    loading: options.loading,
    onChange: (preset) => tools.usePreset(preset),
    onProblem: options.onProblem,
  })
  const tools = createToolsPane({ ...options, presets: presets.element, onMissing: presets.tellMissing })
  return { tools, presets }
}
