import { closestNames } from '../core/closest-names.js'
import type { RegisteredTool, ToolRegistry } from '../core/registry.js'
import { type Answered, failure } from '../core/result.js'
import { PolicyError } from '../errors/index.js'
import type { Requirement, ToolError } from '../types/tool.js'
import { missingPort, type Ports } from './ports.js'

/** The answer to a name that no tool has, with the names it may have been meant for. */
export function unknownTool(registry: ToolRegistry, call: Answered): ToolError {
  const closest = closestNames(
    call.tool,
    registry.list().map(({ name }) => name),
  )
  const [first] = closest
  const extra = first === undefined ? {} : { closest, hint: `Did you mean "${first}"?` }
  return failure('unknown_tool', `unknown tool: ${call.tool}`, call, extra)
}

/** @throws PolicyError for a disabled tool, UnsupportedError for one whose ports are missing */
export function checkOffered({ name, tool, disabled }: RegisteredTool, ports: Ports, available: ReadonlySet<Requirement>): void {
  if (disabled) {
    const why = disabled.reason === undefined ? '' : `: ${disabled.reason}`
    throw new PolicyError('tool_excluded', `Cannot run "${name}": it is disabled${why}`, 'disabled', disabled.reason)
  }
  const missing = tool.requires?.find((need) => !available.has(need))
  if (missing) throw missingPort(name, missing, ports)
}
