import type { CallContext, ToolResult, ToolRuntime } from 'toolport'

/** Whose call it is. */
interface Caller {
  readonly preset: string
  readonly runtime: Pick<ToolRuntime, 'registry' | 'execute' | 'toWire'>
  /** Milliseconds; default those of the runtime. */
  readonly deadlineMs?: number | undefined
}

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
  { preset, runtime, deadlineMs }: Caller,
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

export interface Outcome {
  /** `ok`, how a command ended that did not go well, or the failure's status. */
  readonly words: string
  readonly isOk: boolean
}

/** What came of a call. A command that ran and failed is no success, though the call is one. */
export function outcomeOf({ result }: Pick<CallRecord, 'result'>): Outcome {
  if (!result.ok) return { words: result.output.status, isOk: false }
  const output: Readonly<Record<string, unknown>> = Object(result.output)
  // How a job in the background ended is what was asked about: one that is stopped ends as it should.
  if ('session_id' in output) return { words: 'ok', isOk: true }
  if (output.timed_out === true) return { words: 'timed out', isOk: false }
  if (output.aborted === true) return { words: 'stopped', isOk: false }
  const { exit_code: exit } = output
  return typeof exit === 'number' && exit !== 0 ? { words: `exit ${exit}`, isOk: false } : { words: 'ok', isOk: true }
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
