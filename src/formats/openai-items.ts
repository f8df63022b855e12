import { failure } from '../core/result.js'
import { isRecord } from '../ops/is-record.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import type { JsonValue, ToolResult } from '../types/tool.js'
import { type CallRequest, imagesOf, parseArguments, type RequestContext, textOf, toModelText, urlOf } from './call-requests.js'
import type { UnansweredItem } from './call-results.js'
import { openAiEditor } from './drop-ins/openai/editor.js'
import { openAiShell } from './drop-ins/openai/shell.js'
import type { OpenAiEditResult, OpenAiShellAction, OpenAiShellOutput } from './drop-ins/openai/types.js'

type Fields = Readonly<Record<string, unknown>>

/** The output of a successful command that printed nothing. */
const SILENT: ShellAnswer['output'][number] = { stdout: '', stderr: '', outcome: { type: 'exit', exit_code: 0 } }

/** A call in a response of the Responses API, and the item that answers it. */
interface Item {
  readonly call: CallRequest
  answer(result: ToolResult): Fields
}

const KINDS: Readonly<Record<string, (item: Fields, id: string) => Item>> = {
  function_call: (item, id) => ({
    call: { id, name: textOf(item.name), ...parseArguments(item.arguments) },
    answer: (result) => ({ type: 'function_call_output', call_id: id, output: partsOf(result) }),
  }),
  custom_tool_call: ({ name, input }, id) => ({
    call: { id, name: textOf(name), input },
    answer: (result) => ({ type: 'custom_tool_call_output', call_id: id, output: partsOf(result) }),
  }),
  shell_call: ({ action }, id) => ({
    call: { id, name: 'shell', input: action, run: (runtime, context) => runShell(runtime, action, context) },
    answer: (result) => ({ type: 'shell_call_output', call_id: id, ...shellAnswer(result) }),
  }),
  local_shell_call: ({ action }, id) => ({
    call: { id, name: 'local_shell', input: action, run: (runtime, context) => runLocalShell(runtime, action, context) },
    answer: (result) => ({ type: 'local_shell_call_output', id, output: JSON.stringify(shellAnswer(result).output[0] ?? SILENT) }),
  }),
  apply_patch_call: ({ operation }, id) => ({
    call: { id, name: 'apply_patch', input: operation, run: (runtime, context) => runApplyPatch(runtime, operation, context) },
    answer: (result) => ({
      type: 'apply_patch_call_output',
      call_id: id,
      status: result.ok ? 'completed' : 'failed',
      output: toModelText(result),
    }),
  }),
}

/**
 * Separates the calls that tools can answer from those that only the program can answer. Calls that the provider has run itself are in
 * neither list.
 */
export function itemsOf(output: readonly Fields[]): { readonly items: readonly Item[]; readonly unanswered: readonly UnansweredItem[] } {
  const answered = new Set(output.filter(({ type }) => textOf(type).endsWith('_output')).flatMap(({ call_id, id }) => [call_id, id]))
  const open = output.filter((item) => !isHosted(item) && !(answered.has(item.call_id) && item.call_id !== undefined))
  const items = open.flatMap((item) => (isKnown(item) ? [item] : [])).map(itemOf)
  const unanswered = open.filter((item) => !isKnown(item) && asksProgram(item))
  return { items, unanswered: unanswered.map(({ type, call_id, id }) => ({ type: textOf(type), id: textOf(call_id) || textOf(id) })) }
}

const isKnown = ({ type }: Fields): boolean => Object.hasOwn(KINDS, textOf(type))

function itemOf(item: Fields, index: number): Item {
  const { call, answer } = (KINDS[textOf(item.type)] as (typeof KINDS)[string])(
    item,
    textOf(item.call_id) || textOf(item.id) || String(index),
  )
  // If a program of the model made the call, the answer must repeat the call's `caller`.
  return { call, answer: (result) => ({ ...answer(result), ...(isRecord(item.caller) && { caller: item.caller }) }) }
}

/** Whether the call ran in the provider's container, or is a server-side tool search. */
const isHosted = ({ environment, execution }: Fields): boolean =>
  (isRecord(environment) && textOf(environment.type).startsWith('container')) || execution === 'server'

/** Whether an item needs an answer from the program. Items that the provider runs itself have no `call_id`. */
const asksProgram = ({ type, call_id }: Fields): boolean =>
  type === 'mcp_approval_request' || (textOf(type).endsWith('_call') && typeof call_id === 'string')

function partsOf(result: ToolResult): unknown {
  const images = imagesOf(result).map((image) => ({ type: 'input_image', image_url: urlOf(image), detail: 'auto' }))
  const text = toModelText(result)
  return images.length === 0 ? text : [{ type: 'input_text', text }, ...images]
}

/** Returns the output of `runShell`, or the text of another handler as a single stream. */
function shellAnswer(result: ToolResult): ShellAnswer {
  const { output } = result
  if (result.ok && isRecord(output) && Array.isArray(output.output) && output.output.every(isRecord))
    return output as unknown as ShellAnswer
  const text = toModelText(result)
  const outcome = { type: 'exit', exit_code: result.ok ? 0 : 1 } as const
  return { output: [{ stdout: result.ok ? text : '', stderr: result.ok ? '' : text, outcome }] }
}

type Outcome = { readonly type: 'exit'; readonly exit_code: number } | { readonly type: 'timeout' }

/** The content of a `shell_call_output`. */
interface ShellAnswer {
  readonly output: readonly { readonly stdout: string; readonly stderr: string; readonly outcome: Outcome }[]
  readonly max_output_length?: number
}

/** The shell's exit code for a command that cannot be executed. */
const CANNOT_RUN = 126

/** Runs a `shell_call` of the Responses API with the runtime's `bash`. */
async function runShell(runtime: ToolRuntime, action: unknown, { signal, id }: RequestContext): Promise<ToolResult> {
  if (!isRecord(action) || !areTexts(action.commands)) return refused('shell', id, '"commands" must be a list of strings')
  return shellResult(
    runtime,
    { signal },
    { commands: action.commands, timeoutMs: numberOf(action.timeout_ms), maxOutputLength: numberOf(action.max_output_length) },
  )
}

/** Runs a `local_shell_call`, whose command is a list of arguments. */
async function runLocalShell(runtime: ToolRuntime, action: unknown, { signal, id }: RequestContext): Promise<ToolResult> {
  if (!isRecord(action) || !areTexts(action.command)) return refused('local_shell', id, '"command" must be a list of strings')
  const { working_directory: cwd, env, user } = action
  if (typeof user === 'string' && user !== '') return refused('local_shell', id, `Cannot run as "${user}": leave "user" out`)
  const options = { signal, ...(typeof cwd === 'string' && { cwd }), ...(isTexts(env) && { env }) }
  return shellResult(runtime, options, { commands: [action.command.map(quoted).join(' ')], timeoutMs: numberOf(action.timeout_ms) })
}

/** Runs an `apply_patch_call` with the editor. */
async function runApplyPatch(runtime: ToolRuntime, operation: unknown, { signal, id }: RequestContext): Promise<ToolResult> {
  if (!isRecord(operation) || typeof operation.path !== 'string') return refused('apply_patch', id, '"path" must be a string')
  const { type, path, diff } = operation
  const editor = openAiEditor(runtime, signal && { signal })
  if (type === 'delete_file') return editResult(await editor.deleteFile({ type, path }), id)
  if (typeof diff !== 'string') return refused('apply_patch', id, '"diff" must be a string')
  if (type === 'create_file') return editResult(await editor.createFile({ type, path, diff }), id)
  if (type === 'update_file') return editResult(await editor.updateFile({ type, path, diff }), id)
  return refused('apply_patch', id, `Unknown operation "${String(type)}": use create_file, update_file or delete_file`)
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

/** Keeps the editor's own text, which says what to change. */
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
