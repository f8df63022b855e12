import type { CallContext, ToolResult } from 'toolport'
import type { Agent } from './session.js'

/** One call of this session, with what came of it. */
export interface CallRecord {
  readonly preset: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly result: ToolResult
  /** The result in the preset's own shape. */
  readonly wire: unknown
  /** The tool says of itself that it changes nothing. */
  readonly readOnly: boolean
  /** Milliseconds. */
  readonly duration: number
}

let lastId = 0

/** No other call has it: what tools call themselves is numbered by their runtime, with another word before the number. */
export const nextCallId = (): string => `page_${++lastId}`

/** Makes a call. Never rejects. */
export async function callTool(
  { preset, runtime, deadlineMs }: Agent,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  context: CallContext,
  id: string = nextCallId(),
): Promise<CallRecord> {
  const readOnly = runtime.registry.get(tool)?.annotations?.readOnlyHint === true
  const began = performance.now()
  const call = { id, name: tool, input }
  const result = await runtime.execute(call, { ...(deadlineMs !== undefined && { deadlineMs }), ...context })
  const duration = performance.now() - began
  return { preset, tool, input, result, wire: runtime.toWire(result, call), readOnly, duration }
}

/** `ok`, or the failure's status. */
export function statusOf({ result }: CallRecord): string {
  return result.ok ? 'ok' : result.output.status
}

/** The call as an agent would send it. */
export function callJson({ tool, input }: Pick<CallRecord, 'tool' | 'input'>): string {
  return JSON.stringify({ name: tool, input }, null, 2)
}

const SUMMARY = 120

/** What the call is about, in a few words: its first texts. */
export function summaryOf({ input }: Pick<CallRecord, 'input'>): string {
  const words = Object.values(input).map((value) =>
    typeof value === 'string' ? value : Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(' ') : '',
  )
  // Cut before they are worked on: a patch may have megabytes, and the list is drawn after every call.
  const first = words.filter(Boolean).slice(0, 2)
  return first
    .map((word) => word.slice(0, 4 * SUMMARY))
    .join(' → ')
    .replace(/\s+/g, ' ')
    .slice(0, SUMMARY)
}
