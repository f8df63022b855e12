import { UnsupportedError } from '../errors/index.js'
import type { Ports, Requirement } from '../types/tool.js'

export const PORTS = ['shell', 'js', 'fetch', 'model', 'memory', 'preview', 'bundler'] as const

/** Returns the requirements that these ports meet. */
export function availableOf(ports: Ports): ReadonlySet<Requirement> {
  const available = new Set<Requirement>(PORTS.filter((name) => ports[name] !== undefined))
  for (const name of ['shell', 'js'] as const) if (ports[name]?.spawn) available.add(`${name}.spawn`)
  return available
}

/** Creates the error for a tool that requires a missing port. */
export function missingPort(tool: string, need: Requirement, ports: Ports): UnsupportedError {
  const port = need.replace('.spawn', '') as (typeof PORTS)[number]
  const adapter = port === 'shell' || port === 'js' ? ports[port] : undefined
  if (adapter) {
    return new UnsupportedError(
      need,
      `Cannot run "${tool}": the ${port} adapter "${adapter.name}" has no background sessions`,
      adapter.name,
    )
  }
  return new UnsupportedError(need, `Cannot run "${tool}": this runtime has no ${port} adapter`)
}
