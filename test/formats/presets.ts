import { createRuntime, type ManifestEntry, type Preset, type ToolRegistry } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { loaf } from 'toolport/presets/loaf'
import { loom } from 'toolport/presets/loom'
import { loomElixir } from 'toolport/presets/loom-elixir'
import { standard } from 'toolport/presets/standard'
import { zeroclaw } from 'toolport/presets/zeroclaw'

const BASE = 'http://127.0.0.1:8787'

const PRESETS: readonly Preset[] = [
  standard({ webSearch: { provider: 'exa', baseUrl: BASE } }),
  loom({ webSearch: { baseUrl: BASE } }),
  loaf({ exa: { url: `${BASE}/proxy/exa`, headers: {} } }),
  loomElixir(),
  zeroclaw(),
]

export interface PresetTool {
  readonly label: string
  readonly registry: ToolRegistry
  readonly entry: ManifestEntry
}

/** Every tool of every preset, whatever ports it needs. */
export const ALL_TOOLS: readonly PresetTool[] = PRESETS.flatMap((preset) => {
  const { registry } = createRuntime({ fs: createMemoryFs(), preset })
  const all = registry.getModelManifest(new Set(['shell', 'shell.spawn', 'js', 'js.spawn', 'fetch', 'model', 'memory']))
  return all.map((entry) => ({ label: `${preset.name}: ${entry.name}`, registry, entry }))
})
