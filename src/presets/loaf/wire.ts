import type { JsonValue, ToolCall, ToolError, ToolResult } from '../../types/tool.js'
import type { BashOutput } from './bash-run.js'
import { REPORTED, type Reported } from './reported-failure.js'
import type { LoafToolResult } from './types.js'

/** The same text as in `grep-files-run.ts`. That file loads lazily, so it is not imported here. */
const NO_MATCHES = 'No matches found.'

/** Tools whose failures repeat the message as output. */
const FILE_TOOLS: ReadonlySet<string> = new Set(['read_file', 'list_dir', 'grep_files', 'apply_patch'])

/** Tools whose output describes the end of a process. */
const PROCESSES: ReadonlySet<string> = new Set(['bash', 'run_js', 'run_js_module', 'install_js_packages'])

/** Codes of the runtime, as opposed to codes of tools. */
const OF_THE_RUNTIME: ReadonlySet<string> = new Set([
  'aborted',
  'timeout',
  'tool_threw',
  'tool_excluded',
  'rate_limited',
  'approval_required',
  'read_only',
  'unsupported',
])

/** Converts a result to the documented form `{ok, output, error?}`. A pure function. */
export function toWire(result: ToolResult, call: ToolCall): LoafToolResult {
  return result.ok ? success(result.output, call.name) : failure(result, call)
}

function success(output: JsonValue, tool: string): LoafToolResult {
  if (tool === 'grep_files' && output === NO_MATCHES) return { ok: false, output }
  if (!PROCESSES.has(tool) || !isProcessError(output)) return { ok: true, output }
  return { ok: false, output, error: processWords(output as unknown as ProcessEnd) }
}

function isProcessError(output: JsonValue): boolean {
  return typeof output === 'object' && output !== null && 'status' in output && output.status === 'error'
}

/** The fields about the end of a process, in the output of every tool that runs one. */
type ProcessEnd = Pick<BashOutput, 'aborted' | 'timed_out' | 'exit_code'>

function processWords({ aborted, timed_out, exit_code }: ProcessEnd): string {
  const code = exit_code === null ? 'no exit code' : `exit code ${exit_code}`
  return `process ${aborted ? 'aborted' : timed_out ? 'timed out' : 'failed'} (${code})`
}

function failure({ output, error }: ToolError, call: ToolCall): LoafToolResult {
  const reported = output[REPORTED] as Reported | undefined
  if (reported) return { ok: false, ...reported }
  const { status, code, tool } = output
  const structured = { callId: idOf(call), tool, status }
  if (code === 'unknown_tool' || OF_THE_RUNTIME.has(code)) return { ok: false, output: structured, error }
  if (FILE_TOOLS.has(tool)) return { ok: false, output: error, error }
  if (status === 'invalid_input') return { ok: false, output: { status, message: error }, error }
  if (tool === 'search_web' && code === 'http_status') return { ok: false, output: searchError(output), error }
  return { ok: false, output: structured, error }
}

/** Returns the id of a call; null if there is none. Calls arrive as JSON, so their types cannot be trusted. */
function idOf(call: ToolCall): string | null {
  const id: unknown = call?.id
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : null
}

const searchError = ({ query, type, num_results }: ToolError['output']): JsonValue =>
  ({ status: 'error', query, type, num_results }) as JsonValue
