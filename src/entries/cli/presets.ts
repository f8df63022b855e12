import { standard } from '../../presets/standard.js'
import type { Preset } from '../../types/preset.js'
import { UsageError } from './options.js'

/** By the name of `--preset`; loaded when it is asked for. */
const PRESETS: Readonly<Record<string, () => Preset | Promise<Preset>>> = {
  standard,
  loom: async () => (await import('../../presets/loom.js')).loom(),
  loaf: async () => (await import('../../presets/loaf.js')).loaf(),
  'loom-elixir': async () => (await import('../../presets/loom-elixir.js')).loomElixir(),
  zeroclaw: async () => (await import('../../presets/zeroclaw.js')).zeroclaw(),
}

/** @throws {UsageError} for a name that no preset has */
export async function presetNamed(name: string): Promise<Preset> {
  const make = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined
  if (!make) throw new UsageError(`There is no preset "${name}": use one of ${Object.keys(PRESETS).join(', ')}`)
  return make()
}
