import type { RegisteredTool } from '../core/tool-registry.js'
import { PolicyError } from '../errors/index.js'
import type { Requirement } from '../types/tool.js'
import { missingPort, type Ports } from './ports.js'

/** @throws PolicyError for a disabled tool, UnsupportedError for a tool whose ports are missing */
export function checkOffered({ name, tool, disabled }: RegisteredTool, ports: Ports, available: ReadonlySet<Requirement>): void {
  if (disabled) {
    const why = disabled.reason === undefined ? '' : `: ${disabled.reason}`
    throw new PolicyError('tool_excluded', `Cannot run "${name}": it is disabled${why}`, 'disabled', disabled.reason)
  }
  const missing = tool.requires?.find((need) => !available.has(need))
  if (missing) throw missingPort(name, missing, ports)
}
