import type { PresetChoice } from '../presets/choice.js'
import { presetChoices } from '../presets/choices.js'
import { createPresetSwitch, type PresetSwitch } from '../presets/preset-switch.js'
import { createToolsPane, type ToolsPane, type ToolsPaneOptions } from './tools-pane.js'

export interface ToolsPartOptions extends Omit<ToolsPaneOptions, 'presets' | 'onMissing' | 'onProblem'> {
  /** Available presets; the first one is selected. Default: all. */
  readonly choices?: readonly PresetChoice[] | undefined
  /** Shows a problem. Undefined: the last problem is obsolete. */
  readonly onProblem: (text: string | undefined) => void
}

export interface ToolsPart {
  readonly tools: ToolsPane
  readonly presets: PresetSwitch
}

/** The tools pane and its preset menu. */
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
