import { toModelText } from '../../core/result.js'
import { required } from '../../errors/required.js'
import type { JsonValue, ToolCall, ToolResult } from '../../types/tool.js'
import { type LoomToolError, variantOf } from './tool-error.js'

/** How a call ended, as the seed writes it in JSON. */
export type LoomOutcome =
  | { readonly Success: { readonly call_id: string | null; readonly output: JsonValue } }
  | { readonly Error: { readonly call_id: string | null; readonly error: LoomToolError } }

/** What is sent back to the model. */
export interface LoomToolMessage {
  readonly role: 'tool'
  readonly tool_call_id: string | null
  /** `Error: File not found: /workspace/missing.txt`, or the JSON of the output. */
  readonly content: string
}

/** A result as the seed's outcome. A call without an id has null, or the id that the runtime gave it where it failed. Pure. */
export function toOutcome(result: ToolResult, call: ToolCall): LoomOutcome {
  const call_id = idOf(result, call)
  return result.ok ? { Success: { call_id, output: result.output } } : { Error: { call_id, error: variantOf(result) } }
}

/** A result as the message that answers the call. Pure. */
export function toolMessage(result: ToolResult, call: ToolCall): LoomToolMessage {
  return { role: 'tool', tool_call_id: idOf(result, call), content: toModelText(result) }
}

function idOf(result: ToolResult, call: ToolCall): string | null {
  required('The outcome of a call', 'its ToolResult', result, 'output')
  // Calls come off wires, whatever their type says.
  const id: unknown = call?.id
  if ((typeof id === 'string' && id !== '') || typeof id === 'number') return String(id)
  return result.ok ? null : result.output.callId
}
