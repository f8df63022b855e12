import { toFailure, toModelText } from '../core/result.js'
import { required } from '../errors/required.js'
import { headTail } from '../ops/truncate.js'
import { DATA_MARKER } from '../runtime/mark-data.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import type { CallContext } from '../types/runtime.js'
import type { ContentPart, ToolResult, ToolSuccess } from '../types/tool.js'
import { type Fields, fieldsOf, optionalText } from './anthropic-tools/input.js'
import { runMemory } from './anthropic-tools/memory.js'
import { Operations, Refused, textOnly } from './anthropic-tools/operations.js'
import { runTextEditor } from './anthropic-tools/text-editor.js'
import { checkTools } from './check-tools.js'
import type { OwnTool } from './run-tool-calls.js'

/** An entry of a request's `tools` for a tool that Anthropic defines. */
export type AnthropicToolEntry =
  | { readonly type: 'text_editor_20250728'; readonly name: 'str_replace_based_edit_tool'; readonly max_characters?: number }
  | { readonly type: 'bash_20250124'; readonly name: 'bash' }
  | { readonly type: 'memory_20250818'; readonly name: 'memory' }

/** Which of Anthropic's own tools to offer. */
export interface AnthropicToolsOptions {
  /**
   * Whether to offer the text editor, for the files of the workspace; default false. `maxCharacters` limits how much of a file `view`
   * shows.
   */
  readonly textEditor?: boolean | { readonly maxCharacters?: number }
  /** Whether to offer bash, with the runtime's shell; default false. */
  readonly bash?: boolean
  /** Whether to offer the memory tool; default false. `directory` is the workspace directory behind `/memories`; default `memories`. */
  readonly memory?: boolean | { readonly directory?: string }
}

/** The result of one call, for a `tool_result` block. */
export interface AnthropicToolOutcome {
  readonly text: string
  readonly is_error: boolean
  /** Text and images; present only if there are images. */
  readonly content?: readonly ContentPart[]
}

/** Options of one call of `AnthropicTools.execute`. */
export interface AnthropicToolContext extends CallContext {
  /**
   * The id of the `tool_use` block. The runtime's events show this id, with the suffix `.2`, `.3`, ... for further calls of the runtime's
   * tools.
   */
  readonly id?: string
}

/** Anthropic's own tools on top of a runtime's tools. */
export interface AnthropicTools {
  /** The entries for `tools` of the request. The memory tool also needs the beta header from Anthropic's documentation. */
  readonly tools: AnthropicToolEntry[]
  /** Whether `execute` handles calls of this name. */
  has(name: string): boolean
  /** The handlers for the option `own` of `runToolCalls`, which then answers a whole response, including calls of the runtime's tools. */
  readonly own: Readonly<Record<string, OwnTool>>
  /** Runs a call. Never rejects. A failure is text with `is_error`. */
  execute(name: string, input: unknown, context?: AnthropicToolContext): Promise<AnthropicToolOutcome>
}

const FILES = ['read_file', 'write_file', 'edit_file', 'list_files']
const MEMORIES = 'memories'

type Handler = (ops: Operations, input: unknown) => Promise<readonly ContentPart[]>

/**
 * Provides the text editor, bash and memory tools that Anthropic's models are trained on. Every step calls the runtime's own tools
 * (`read_file`, `write_file`, `edit_file`, `list_files`, `move_file`, `delete_file`, `bash`), so policy, approval, checkpoints, events and
 * limits apply. `str_replace` uses `edit_file`, which tolerates whitespace differences if the match is still unique.
 *
 * @throws TypeError if the runtime lacks a required tool; WorkspaceError for a memory directory outside the workspace
 */
export function anthropicTools(runtime: ToolRuntime, options: AnthropicToolsOptions = {}): AnthropicTools {
  required('A tool of Anthropic', 'a ToolRuntime', runtime, 'getModelManifest')
  const { textEditor = false, bash = false, memory = false } = options
  const entries: AnthropicToolEntry[] = []
  const handlers = new Map<string, Handler>()
  const add = (entry: AnthropicToolEntry, needs: readonly string[], handler: Handler): void => {
    checkTools(runtime, entry.name, needs)
    entries.push(entry)
    handlers.set(entry.name, handler)
  }
  if (textEditor) {
    const { maxCharacters } = textEditor === true ? {} : textEditor
    const limit = maxCharacters === undefined ? {} : { max_characters: maxCharacters }
    add({ type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', ...limit }, FILES, (ops, input) =>
      runTextEditor(ops, input, maxCharacters),
    )
  }
  if (bash) add({ type: 'bash_20250124', name: 'bash' }, ['bash'], runBash)
  if (memory) {
    const { directory = MEMORIES } = memory === true ? {} : memory
    const base = runtime.workspace.resolve(directory)
    add({ type: 'memory_20250818', name: 'memory' }, [...FILES, 'move_file', 'delete_file'], (ops, input) => runMemory(ops, base, input))
  }
  const execute: AnthropicTools['execute'] = async (name, input, context = {}) => {
    const handler = handlers.get(name)
    if (!handler) return refusal(`Error: Cannot run "${name}": it is not among ${entries.map((entry) => entry.name).join(', ')}`)
    try {
      return outcome(await handler(new Operations(runtime, context), input), runtime)
    } catch (error) {
      return refusal(error instanceof Refused ? error.message : toModelText(toFailure(error, { callId: context.id ?? null, tool: name })))
    }
  }
  const ownTool = (name: string): OwnTool => {
    return async (input, context) => toResult(await execute(name, input, context), name, context.id)
  }
  return {
    tools: entries,
    has: (name) => handlers.has(name),
    own: Object.fromEntries(entries.map(({ name }) => [name, ownTool(name)])),
    execute,
  }
}

/** Converts an outcome to a result for which `toModelText` returns the outcome's text. */
function toResult({ text, is_error, content }: AnthropicToolOutcome, tool: string, callId: string): ToolResult {
  if (!is_error) return { ok: true, output: text, ...(content && { content }) }
  const output = { status: 'error', code: 'tool_threw', callId, tool, recoverable: true } as const
  return { ok: false, output, error: text.replace(/^Error: /, '') }
}

const refusal = (text: string): AnthropicToolOutcome => ({ text, is_error: true })

function outcome(given: readonly ContentPart[], { limits, markData }: ToolRuntime): AnthropicToolOutcome {
  // The results of images and commands come from the runtime, so they already begin with this line.
  const parts = markData ? [DATA_MARKER, ...given.filter((part) => part !== DATA_MARKER)] : given
  const whole = parts.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n')
  const { text } = headTail(whole, limits.outputBytes, (bytes) => `\n[... ${bytes} bytes left out: request less in one call ...]\n`)
  return { text, is_error: false, ...(parts.some(({ type }) => type === 'image') && { content: parts }) }
}

/**
 * Runs a command in the session of the runtime's own `bash`. The session keeps the directory, the variables and other shell state until a
 * restart. A failing command is an ordinary result. A command that was stopped is an error.
 */
async function runBash(ops: Operations, given: unknown): Promise<readonly ContentPart[]> {
  const input = fieldsOf(given)
  const command = optionalText(input, 'command')
  const restart = isRestart(input)
  if (command === undefined && !restart) throw new Refused('Error: Parameter `command` is required, unless `restart` is true')
  const result = await ops.run('bash', { command: command ?? 'true', ...(restart && { reset_session: true }) })
  if (command === undefined) return textOnly('tool has been restarted.')
  if (wasStopped(result)) throw new Refused(toModelText(result))
  return result.content ?? textOnly(toModelText(result))
}

function isRestart({ restart }: Fields): boolean {
  if (restart === undefined || restart === null || typeof restart === 'boolean') return restart === true
  throw new Refused('Error: Parameter `restart` must be true or false')
}

function wasStopped({ output }: ToolSuccess): boolean {
  const { timed_out, aborted } = output as { readonly timed_out?: boolean; readonly aborted?: boolean }
  return timed_out === true || aborted === true
}
