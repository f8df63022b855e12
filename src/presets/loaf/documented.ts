import { normaliseOutput } from '../../core/normalise-output.js'
import type { AnyTool, JsonValue, ToolContext } from '../../types/tool.js'
import { seedSchema } from '../shared/seed-schema.js'
import { ReportedFailure } from './reported-failure.js'
import type { LoafInputSchema, LoafToolContext, LoafToolDefinition, LoafToolResult } from './types.js'

/** Finds the context that the caller passed with a running call. */
export type FindCaller = (callId: string) => Partial<LoafToolContext> | undefined

/** The schema of documented tools: it accepts any input, because these tools validate input themselves. */
const ANY_INPUT = seedSchema({ type: 'object' }, (args) => args)

const originals = new WeakMap<LoafToolDefinition, AnyTool>()

/** Converts a Toolport tool to the documented form. `execute` runs the tool. */
export function toDocumented(tool: AnyTool, schema: LoafInputSchema, execute: LoafToolDefinition['run']): LoafToolDefinition {
  const documented: LoafToolDefinition = { name: tool.name, description: tool.description, inputSchema: schema, run: execute }
  originals.set(documented, tool)
  return documented
}

/**
 * Converts a documented tool to a Toolport tool. Returns the original of a converted tool, and wraps any other so that its results stay
 * unchanged.
 */
export function toOurs(tool: LoafToolDefinition, caller: FindCaller): AnyTool {
  if (typeof tool !== 'object' || tool === null) throw new TypeError('Cannot register a tool: it is not an object')
  const original = originals.get(tool)
  if (original) return original
  const { name, description } = tool
  if (typeof tool.run !== 'function') throw new TypeError(`Cannot register "${name}": "run" is not a function`)
  return {
    name,
    description,
    inputSchema: ANY_INPUT,
    run: async (input, context) => settle(await tool.run(input, contextFor(context, caller(context.callId)))),
  }
}

function contextFor(context: ToolContext, given: Partial<LoafToolContext> | undefined): LoafToolContext {
  const log = (message: string): void => {
    context.log(message)
    try {
      given?.log?.(message)
    } catch {
      // Ignore exceptions of the caller's log function.
    }
  }
  return { now: given?.now ?? context.now, log, signal: context.signal }
}

/**
 * Converts a returned value. An object with a boolean `ok` is a result; any other value is an output. @throws ReportedFailure for `ok:
 * false`
 */
function settle(returned: LoafToolResult): JsonValue {
  if (typeof returned !== 'object' || returned === null || typeof returned.ok !== 'boolean') return json(returned)
  const { ok, output, error } = returned
  if (ok) return json(output)
  throw new ReportedFailure({ output: json(output), ...(typeof error === 'string' && { error }) })
}

/** Converts values that JSON cannot represent to text. */
function json(value: unknown): JsonValue {
  const normal = normaliseOutput(value)
  return normal.ok ? normal.value : String(value)
}
