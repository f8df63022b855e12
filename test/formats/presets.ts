import { createRuntime, type ManifestEntry, type Preset, type ToolResult } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { loaf } from 'toolport/presets/loaf'
import { loom } from 'toolport/presets/loom'
import { loomElixir } from 'toolport/presets/loom-elixir'
import { standard } from 'toolport/presets/standard'
import { zeroclaw } from 'toolport/presets/zeroclaw'

const BASE = 'http://127.0.0.1:8787'

export type PresetName = 'standard' | 'loom' | 'loaf' | 'loom-elixir' | 'zeroclaw'

const PRESETS: readonly Preset[] = [
  standard({ webSearch: { provider: 'exa', baseUrl: BASE } }),
  loom({ webSearch: { baseUrl: BASE } }),
  loaf({ exa: { url: `${BASE}/proxy/exa`, headers: {} } }),
  loomElixir(),
  zeroclaw({ fileTools: true }),
]

export interface PresetTool {
  readonly label: string
  readonly preset: PresetName
  readonly entry: ManifestEntry
  /** Calls the tool in a runtime of the preset. Its `run` does nothing, so a failure means rejected input. */
  readonly call: (input: unknown) => Promise<ToolResult>
}

/** Every tool of every preset, including tools whose required adapters are missing. */
export const ALL_TOOLS: readonly PresetTool[] = PRESETS.flatMap((preset) => {
  const tools = preset.tools.map(({ requires: _, toText: __, ...tool }) => ({ ...tool, run: () => 'taken' }))
  const runtime = createRuntime({ fs: createMemoryFs(), preset: { ...preset, tools } })
  return runtime.getModelManifest().map((entry) => ({
    label: `${preset.name}: ${entry.name}`,
    preset: preset.name as PresetName,
    entry,
    call: (input: unknown) => runtime.execute({ name: entry.name, input }),
  }))
})
