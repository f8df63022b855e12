import { failure } from '../core/result.js'
import { isRecord } from '../ops/is-record.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import type { JsonValue, ToolResult } from '../types/tool.js'
import type { RequestContext } from './call-requests.js'
import { openAiEditor } from './drop-ins/openai/editor.js'
import { openAiShell } from './drop-ins/openai/shell.js'
import type { OpenAiEditResult, OpenAiShellAction, OpenAiShellOutput } from './drop-ins/openai/types.js'

type Outcome = { readonly type: 'exit'; readonly exit_code: number } | { readonly type: 'timeout' }

/** What a `shell_call_output` says. */
export interface ShellAnswer {
  readonly output: readonly { readonly stdout: string; readonly stderr: string; readonly outcome: Outcome }[]
  readonly max_output_length?: number
}

/** What shells answer with for a command that cannot be run. */
const CANNOT_RUN = 126

/** A `shell_call` of the Responses API by `bash` of the runtime. */
export async function runShell(runtime: ToolRuntime, action: unknown, { signal, id }: RequestContext): Promise<ToolResult> {
  if (!isRecord(action) || !areTexts(action.commands)) return refused('shell', id, '"commands" has to be a list of texts')
  return shellResult(
    runtime,
    { signal },
    { commands: action.commands, timeoutMs: numberOf(action.timeout_ms), maxOutputLength: numberOf(action.max_output_length) },
  )
}

/** A `local_shell_call`, whose command is a list of arguments. */
export async function runLocalShell(runtime: ToolRuntime, action: unknown, { signal, id }: RequestContext): Promise<ToolResult> {
  if (!isRecord(action) || !areTexts(action.command)) return refused('local_shell', id, '"command" has to be a list of texts')
  const { working_directory: cwd, env, user } = action
  if (typeof user === 'string' && user !== '') return refused('local_shell', id, `Cannot run as "${user}": leave "user" out`)
  const options = { signal, ...(typeof cwd === 'string' && { cwd }), ...(isTexts(env) && { env }) }
  return shellResult(runtime, options, { commands: [action.command.map(quoted).join(' ')], timeoutMs: numberOf(action.timeout_ms) })
}

/** An `apply_patch_call` by the editor. */
export async function runApplyPatch(runtime: ToolRuntime, operation: unknown, { signal, id }: RequestContext): Promise<ToolResult> {
  if (!isRecord(operation) || typeof operation.path !== 'string') return refused('apply_patch', id, '"path" has to be a text')
  const { type, path, diff } = operation
  const editor = openAiEditor(runtime, signal && { signal })
  if (type === 'delete_file') return editResult(await editor.deleteFile({ type, path }), id)
  if (typeof diff !== 'string') return refused('apply_patch', id, '"diff" has to be a text')
  if (type === 'create_file') return editResult(await editor.createFile({ type, path, diff }), id)
  if (type === 'update_file') return editResult(await editor.updateFile({ type, path, diff }), id)
  return refused('apply_patch', id, `There is no operation "${String(type)}": use create_file, update_file or delete_file`)
}

async function shellResult(
  runtime: ToolRuntime,
  options: Parameters<typeof openAiShell>[1],
  action: OpenAiShellAction,
): Promise<ToolResult> {
  const { output, maxOutputLength } = await openAiShell(runtime, options).run(action)
  const answer: ShellAnswer = { output: output.map(chunkOf), ...(maxOutputLength !== undefined && { max_output_length: maxOutputLength }) }
  return { ok: true, output: answer as unknown as JsonValue }
}

function chunkOf({ stdout, stderr, outcome }: OpenAiShellOutput): ShellAnswer['output'][number] {
  return { stdout, stderr, outcome: outcome.type === 'timeout' ? outcome : { type: 'exit', exit_code: outcome.exitCode ?? CANNOT_RUN } }
}

/** In its own words, which say what to change. */
function editResult({ status, output }: OpenAiEditResult, callId: string): ToolResult {
  if (status === 'completed') return { ok: true, output }
  const failed = { status: 'error', code: 'tool_threw', callId, tool: 'apply_patch', recoverable: true } as const
  return { ok: false, output: failed, error: output.replace(/^Error: /, '') }
}

const refused = (tool: string, callId: string, message: string): ToolResult => failure('invalid_input', message, { callId, tool })

const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string')

const isTexts = (value: unknown): value is Record<string, string> =>
  isRecord(value) && Object.values(value).every((item) => typeof item === 'string')

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const quoted = (argument: string): string => (/^[\w./:=@%+,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`)
