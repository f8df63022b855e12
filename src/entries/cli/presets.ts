import { type StandardOptions, standard } from '../../presets/standard.js'
import type { Preset } from '../../types/preset.js'
import type { PresetName } from './names.js'
import { UsageError } from './options.js'

type PresetOptions = Pick<StandardOptions, 'jsTools'>

/** By the name of `--preset`; loaded when it is asked for. */
const PRESETS: Readonly<Record<PresetName, (options: PresetOptions) => Preset | Promise<Preset>>> = {
  standard,
  loom: async () => (await import('../../presets/loom.js')).loom(),
  loaf: async (options) => (await import('../../presets/loaf.js')).loaf(options),
  'loom-elixir': async () => (await import('../../presets/loom-elixir.js')).loomElixir(),
  zeroclaw: async () => (await import('../../presets/zeroclaw.js')).zeroclaw(),
}

/** @throws {UsageError} for a name that no preset has */
export async function presetNamed(name: string, options: PresetOptions = {}): Promise<Preset> {
  const make = Object.hasOwn(PRESETS, name) ? PRESETS[name as PresetName] : undefined
  if (!make) throw new UsageError(`There is no preset "${name}": use one of ${Object.keys(PRESETS).join(', ')}`)
  return make(options)
}
