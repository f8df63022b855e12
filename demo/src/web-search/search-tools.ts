import type { Preset } from 'toolport'
import { standard } from 'toolport/presets/standard'
import type { CodeCall } from '../code/code-call.js'
import type { LoadedPreset, PresetChoice } from '../presets/choice.js'
import type { GuardedAgent } from '../session.js'
import type { SearchProxy } from './proxy-store.js'
import { standardSearch } from './search-options.js'
import type { SearchSource } from './search-source.js'

type Runtime = GuardedAgent['runtime']

interface Given {
  readonly proxy: SearchProxy | undefined
  /** Tools by name, as registered. */
  readonly tools: ReadonlyMap<string, ReturnType<Runtime['registry']['get']>>
}

const given = new WeakMap<Runtime, Given>()

/** Whether the page added this tool to the runtime for web search, and nothing has replaced it since. */
export function isSearchTool(runtime: Runtime, name: string): boolean {
  const tool = given.get(runtime)?.tools.get(name)
  return tool !== undefined && runtime.registry.get(name) === tool
}

/** Names of the search tools that the proxy's services support. */
export function searchToolNames({ searches }: PresetChoice, proxy: SearchProxy): readonly string[] {
  const asked = Object.entries(searches?.tools ?? {})
  return asked.filter(([, services]) => services.some((one) => proxy.services.includes(one))).map(([name]) => name)
}

/** Adds the preset's search tools to an agent, or removes them, to match the current proxy. */
export function giveSearchTools({ runtime, gate }: GuardedAgent, preset: LoadedPreset, source: SearchSource): void {
  const { proxy } = source
  const before = given.get(runtime)
  const isThere = !proxy || searchToolNames(preset.choice, proxy).every((name) => runtime.registry.has(name))
  if (before?.proxy === proxy && isThere) return
  for (const name of before?.tools.keys() ?? []) if (isSearchTool(runtime, name)) runtime.registry.unregister(name)
  // Keeps a workspace tool that has the same name.
  const tools = proxy ? source.connected(toolsOf(preset, proxy)).filter(({ name }) => !runtime.registry.has(name)) : []
  runtime.registry.registerMany(tools)
  given.set(runtime, { proxy, tools: new Map(tools.map(({ name }) => [name, runtime.registry.get(name)])) })
  gate.searches((name) => isSearchTool(runtime, name))
}

/** The search options for generated code. Contains a placeholder instead of the token. */
export function codeOfSearch({ searches }: PresetChoice, proxy: SearchProxy): CodeCall['search'] {
  const options = searches?.options({ ...proxy, token: proxy.token && 'YOUR_TOKEN' })
  return options && { origin: new URL(proxy.address).origin, options }
}

function toolsOf({ choice, parts }: LoadedPreset, proxy: SearchProxy): Preset['tools'] {
  const names = searchToolNames(choice, proxy)
  if (names.length === 0) return []
  const { tools } = parts ? parts({}, async () => false, proxy).preset : standard(standardSearch(proxy))
  return tools.filter(({ name }) => names.includes(name))
}
