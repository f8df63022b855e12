import type { CallContext, ToolResult } from 'toolport'
import type { Session } from './session.js'

/** One call of this session, with what came of it. */
export interface CallRecord {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly result: ToolResult
  /** The tool says of itself that it changes nothing. */
  readonly readOnly: boolean
  /** Milliseconds. */
  readonly duration: number
}

/** Makes a call. Never rejects. */
export async function callTool(
  { runtime }: Session,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  context: CallContext,
): Promise<CallRecord> {
  const readOnly = runtime.registry.get(tool)?.annotations?.readOnlyHint === true
  const began = performance.now()
  const result = await runtime.execute({ name: tool, input }, context)
  return { tool, input, result, readOnly, duration: performance.now() - began }
}

/** `ok`, or the failure's status. */
export function statusOf({ result }: CallRecord): string {
  return result.ok ? 'ok' : result.output.status
}

/** The call as an agent would send it. */
export function callJson({ tool, input }: Pick<CallRecord, 'tool' | 'input'>): string {
  return JSON.stringify({ name: tool, input }, null, 2)
}

/** What the call is about, in a few words: its first texts. */
export function summaryOf({ input }: CallRecord): string {
  const words = Object.values(input).map((value) =>
    typeof value === 'string' ? value : Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(' ') : '',
  )
  return words.filter(Boolean).slice(0, 2).join(' → ').replace(/\s+/g, ' ').slice(0, 120)
}
