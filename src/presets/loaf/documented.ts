import { normaliseOutput } from '../../core/normalise-output.js'
import type { AnyTool, JsonValue, ToolContext } from '../../types/tool.js'
import { seedSchema } from '../shared/seed-schema.js'
import { ReportedFailure } from './reported-failure.js'
import type { LoafInputSchema, LoafToolContext, LoafToolDefinition, LoafToolResult } from './types.js'

/** What the caller of a running call gave besides the call. */
export type FindCaller = (callId: string) => Partial<LoafToolContext> | undefined

/** Tools in the documented form take any input: what is wrong with it is for them to say. */
const ANY_INPUT = seedSchema({ type: 'object' }, (args) => args)

const originals = new WeakMap<LoafToolDefinition, AnyTool>()

/** A tool of ours in the documented form. `execute` runs it. */
export function toDocumented(tool: AnyTool, schema: LoafInputSchema, execute: LoafToolDefinition['run']): LoafToolDefinition {
  const documented: LoafToolDefinition = { name: tool.name, description: tool.description, inputSchema: schema, run: execute }
  originals.set(documented, tool)
  return documented
}

/** A documented tool as the runtime has it: ours as it was, any other wrapped, so that its results come through as they are. */
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
      // A listener that throws is no fault of the tool's.
    }
  }
  return { now: given?.now ?? context.now, log, signal: context.signal }
}

/** An object with a boolean `ok` is a result; anything else is the output of one. @throws ReportedFailure for `ok: false` */
function settle(returned: LoafToolResult): JsonValue {
  if (typeof returned !== 'object' || returned === null || typeof returned.ok !== 'boolean') return json(returned)
  const { ok, output, error } = returned
  if (ok) return json(output)
  throw new ReportedFailure({ output: json(output), ...(typeof error === 'string' && { error }) })
}

/** What JSON cannot hold is told as text. */
function json(value: unknown): JsonValue {
  const normal = normaliseOutput(value)
  return normal.ok ? normal.value : String(value)
}
