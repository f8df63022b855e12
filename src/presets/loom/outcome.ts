import { toModelText } from '../../core/result.js'
import { required } from '../../errors/required.js'
import type { JsonValue, ToolCall, ToolResult } from '../../types/tool.js'
import { type LoomToolError, variantOf } from './tool-error.js'

/** The outcome of a call, in the JSON format of the original agent. */
export type LoomOutcome =
  | { readonly Success: { readonly call_id: string | null; readonly output: JsonValue } }
  | { readonly Error: { readonly call_id: string | null; readonly error: LoomToolError } }

/** The message for the model. */
export interface LoomToolMessage {
  readonly role: 'tool'
  readonly tool_call_id: string | null
  /** `Error: File not found: /workspace/missing.txt`, or the output as JSON. */
  readonly content: string
}

/**
 * Converts a result to an outcome. If the call has no id, the id is null, or for a failure the id from the runtime. Has no side effects.
 */
export function toOutcome(result: ToolResult, call: ToolCall): LoomOutcome {
  const call_id = idOf(result, call)
  return result.ok ? { Success: { call_id, output: result.output } } : { Error: { call_id, error: variantOf(result) } }
}

/** Converts a result to the message that answers the call. Has no side effects. */
export function toolMessage(result: ToolResult, call: ToolCall): LoomToolMessage {
  return { role: 'tool', tool_call_id: idOf(result, call), content: toModelText(result) }
}

function idOf(result: ToolResult, call: ToolCall): string | null {
  required('The outcome of a call', 'its ToolResult', result, 'output')
  // Calls arrive as JSON, so their types cannot be trusted.
  const id: unknown = call?.id
  if ((typeof id === 'string' && id !== '') || typeof id === 'number') return String(id)
  return result.ok ? null : result.output.callId
}
