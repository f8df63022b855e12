import type { CallContext, ToolResult, ToolRuntime } from 'toolport'

/** The runtime that makes a call. */
interface Caller {
  readonly preset: string
  readonly runtime: Pick<ToolRuntime, 'registry' | 'execute' | 'toWire'>
  /** Deadline, milliseconds. Default: the deadline of the runtime. */
  readonly deadlineMs?: number | undefined
}

/** A call of this session and its result. */
export interface CallRecord {
  readonly preset: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly result: ToolResult
  /** The result in the preset's wire format. */
  readonly wire: unknown
  /** Whether the tool is annotated as read-only. */
  readonly readOnly: boolean
  /** Duration, milliseconds. */
  readonly duration: number
}

let lastId = 0

/** A unique call id. Runtimes number nested calls with another prefix. */
export const nextCallId = (): string => `page_${++lastId}`

/** Runs a tool call. Never rejects. */
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
  /** `ok`, how a command failed, or the status of a failed call. */
  readonly words: string
  readonly isOk: boolean
}

/** Summarizes a call. A command that fails is not a success, although its call succeeded. */
export function outcomeOf({ result }: Pick<CallRecord, 'result'>): Outcome {
  if (!result.ok) return { words: result.output.status, isOk: false }
  const output: Readonly<Record<string, unknown>> = Object(result.output)
  // Results of the tools for background sessions contain a session id. Their exit code or signal does not mean that the call failed.
  if ('session_id' in output) return { words: 'ok', isOk: true }
  if (output.timed_out === true) return { words: 'timed out', isOk: false }
  if (output.aborted === true) return { words: 'stopped', isOk: false }
  const { exit_code: exit } = output
  return typeof exit === 'number' && exit !== 0 ? { words: `exit ${exit}`, isOk: false } : { words: 'ok', isOk: true }
}

/** The call as JSON, in the form that an agent sends. */
export function callJson({ tool, input }: Pick<CallRecord, 'tool' | 'input'>): string {
  return JSON.stringify({ name: tool, input }, null, 2)
}

const SUMMARY = 120

/** A short summary of the call: the first texts of its input. */
export function summaryOf({ input }: Pick<CallRecord, 'input'>): string {
  const words = Object.values(input).map((value) =>
    typeof value === 'string' ? value : Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(' ') : '',
  )
  // Cuts before further processing, because a patch may be megabytes long and the list is redrawn after every call.
  const first = words.filter(Boolean).slice(0, 2)
  return first
    .map((word) => word.slice(0, 4 * SUMMARY))
    .join(' → ')
    .replace(/\s+/g, ' ')
    .slice(0, SUMMARY)
}
