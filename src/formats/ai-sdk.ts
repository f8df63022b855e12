import { createToolRules } from '../core/policy.js'
import { toModelText } from '../core/result.js'
import { required } from '../errors/required.js'
import { codePointBoundary } from '../ops/utf8.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import type { ApprovalRequest, RuntimePolicy } from '../types/runtime.js'
import type { ContentPart, JsonSchema, JsonValue, ManifestEntry, ToolCall, ToolResult } from '../types/tool.js'

/** A preliminary result of a running tool. Each preliminary result replaces the previous one, so it contains everything to show. */
export interface AiSdkProgress {
  readonly running: true
  /** The latest update of the tool. */
  readonly update: JsonValue
  /** The last 4,096 characters of the printed text of all updates so far (their `text`). */
  readonly text: string
}

/** The output of `execute`: progress, then the runtime's result. Plain JSON, so that message histories can store it. */
export type AiSdkOutput = ToolResult | AiSdkProgress

/** The part of AI SDK's execution options that the tools use. */
export interface AiSdkCallOptions {
  /** Becomes the id of the call in the runtime's events. */
  readonly toolCallId: string
  readonly abortSignal?: AbortSignal | undefined
  /** The message history, in which `approval` looks for the approval of this call. */
  readonly messages?: readonly unknown[]
}

/** The output in the form that AI SDK 7 sends to the model. */
export type AiSdkModelOutput =
  | { type: 'text'; value: string }
  /** The text of a failure, which says what to change. */
  | { type: 'error-text'; value: string }
  /** For results with images. `data` is base64. */
  | {
      type: 'content'
      value: ({ type: 'text'; text: string } | { type: 'file'; mediaType: string; data: { type: 'data'; data: string } })[]
    }

/**
 * A JSON Schema in the forms that AI SDK accepts: with AI SDK's own symbol, and as a Standard JSON Schema. Its `validate` accepts every
 * input. The runtime validates input, so that the model reads the runtime's messages.
 */
export interface AiSdkSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'toolport'
    readonly validate: (value: unknown) => { readonly value: Record<string, unknown> }
    readonly types?: { readonly input: unknown; readonly output: Record<string, unknown> }
    readonly jsonSchema: { readonly input: () => Record<string, unknown>; readonly output: () => Record<string, unknown> }
  }
}

/** One tool for `tools` of `generateText` and `streamText`. */
export interface AiSdkTool {
  readonly description: string
  readonly inputSchema: AiSdkSchema
  /** The tool's own name and its hints, for the program. AI SDK does not send them to the model. */
  readonly metadata: { name: string; title?: string; readOnly: boolean; destructive: boolean }
  /** Never rejects. A failure is an output, and the model reads its text. */
  readonly execute: (input: unknown, options: AiSdkCallOptions) => AsyncIterable<AiSdkOutput> | Promise<AiSdkOutput>
  /** Present only with the option `approval`. */
  readonly needsApproval?: (input: unknown, options: { readonly toolCallId: string }) => Promise<boolean>
  readonly toModelOutput: (options: { readonly output: AiSdkOutput }) => AiSdkModelOutput
}

/** Options of `toAiSdkTools`. */
export interface AiSdkToolsOptions {
  /** The names of the tools to offer; default all tools of the manifest. */
  readonly tools?: readonly string[]
  /**
   * Tools that stream progress as preliminary results: names, or all (`true`), or none (`false`). AI SDK streams the result of such a tool
   * twice, as the last preliminary and as the final result. Default: all tools without `readOnlyHint`.
   */
  readonly preliminary?: boolean | readonly string[]
  /**
   * The result of `aiSdkApproval`, with which AI SDK asks for the approvals that the runtime's policy requires. Default: the runtime calls
   * the policy's `approve` during the call.
   */
  readonly approval?: AiSdkApproval
}

/**
 * Converts the tools of a runtime for AI SDK 7, by their aliases, which every provider accepts. The result contains the current manifest:
 * call again after you add or remove tools.
 *
 * @throws TypeError for a name that the manifest lacks
 */
export function toAiSdkTools(runtime: ToolRuntime, options: AiSdkToolsOptions = {}): Record<string, AiSdkTool> {
  const manifest = required('toAiSdkTools', 'a ToolRuntime', runtime, 'getModelManifest').getModelManifest()
  const offered = options.tools === undefined ? manifest : chosen(manifest, options.tools)
  return Object.fromEntries(offered.map((entry) => [entry.alias, toAiSdkTool(runtime, entry, options)]))
}

function chosen(manifest: readonly ManifestEntry[], names: readonly string[]): readonly ManifestEntry[] {
  const missing = names.find((wanted) => !manifest.some(({ name }) => name === wanted))
  if (missing !== undefined) throw new TypeError(`Cannot offer "${missing}": the manifest of the runtime does not have it`)
  return manifest.filter(({ name }) => names.includes(name))
}

function toAiSdkTool(runtime: ToolRuntime, entry: ManifestEntry, { preliminary, approval }: AiSdkToolsOptions): AiSdkTool {
  const { name, description, inputSchema, annotations = {} } = entry
  const { title, readOnlyHint = false, destructiveHint = false } = annotations
  const streams = typeof preliminary === 'object' ? preliminary.includes(name) : (preliminary ?? !readOnlyHint)
  const run = (
    input: unknown,
    { toolCallId, abortSignal, messages }: AiSdkCallOptions,
    onProgress?: (update: JsonValue) => void,
  ): Promise<ToolResult> => {
    const call = { id: toolCallId, name, input }
    const execute = (): Promise<ToolResult> => runtime.execute(call, { signal: abortSignal, onProgress })
    return approval && isApproved(messages, toolCallId) ? approval.granted(call, execute) : execute()
  }
  return {
    description,
    inputSchema: toAiSdkSchema(inputSchema),
    metadata: { name, ...(title !== undefined && { title }), readOnly: readOnlyHint, destructive: destructiveHint },
    execute: streams ? (input, given) => withProgress((onProgress) => run(input, given, onProgress)) : (input, given) => run(input, given),
    ...(approval && { needsApproval: (input, { toolCallId }) => approval.asks({ id: toolCallId, name, input }) }),
    toModelOutput: ({ output }) => toAiSdkModelOutput(output),
  }
}

/**
 * AI SDK recognises its own schemas by this symbol. To all other schemas it adds `additionalProperties: false`, which changes what they
 * accept.
 */
const AI_SCHEMA = Symbol.for('vercel.ai.schema')

function toAiSdkSchema(schema: JsonSchema): AiSdkSchema {
  const copy = (): Record<string, unknown> => JSON.parse(JSON.stringify(schema)) as Record<string, unknown>
  const own = { [AI_SCHEMA]: true, jsonSchema: copy(), validate: undefined }
  return {
    ...own,
    '~standard': {
      version: 1,
      vendor: 'toolport',
      validate: (value) => ({ value: value as Record<string, unknown> }),
      jsonSchema: { input: copy, output: copy },
    },
  }
}

const SHOWN_TEXT = 4096

/** Yields the updates of a call, then its result. If several updates arrive while the consumer is busy, yields only the latest. */
async function* withProgress(execute: (onProgress: (update: JsonValue) => void) => Promise<ToolResult>): AsyncGenerator<AiSdkOutput> {
  const state: { news?: AiSdkProgress | undefined; result?: ToolResult; wake: () => void } = { wake: () => {} }
  let text = ''
  const onProgress = (update: JsonValue): void => {
    text += printedText(update)
    text = text.slice(codePointBoundary(text, Math.max(0, text.length - SHOWN_TEXT)))
    state.news = { running: true, update, text }
    state.wake()
  }
  void execute(onProgress).then((result) => {
    state.result = result
    state.wake()
  })
  while (state.result === undefined) {
    const { news } = state
    state.news = undefined
    if (news) yield news
    else
      await new Promise<void>((resolve) => {
        state.wake = resolve
      })
  }
  yield state.result
}

function printedText(update: JsonValue): string {
  if (typeof update === 'string') return update
  const text: unknown = typeof update === 'object' && update !== null && 'text' in update ? update.text : undefined
  return typeof text === 'string' ? text : ''
}

/** Converts an output to the parts that the model reads: its text and images, or the error as text. Any other value becomes JSON. */
export function toAiSdkModelOutput(output: AiSdkOutput): AiSdkModelOutput {
  if (typeof output !== 'object' || output === null || !('ok' in output || 'running' in output))
    return { type: 'text', value: JSON.stringify(output) ?? '' }
  // The message history was stored while this call was running.
  if ('running' in output) return { type: 'error-text', value: `Error: The call did not finish. Output so far: ${output.text}` }
  if (!output.ok) return { type: 'error-text', value: toModelText(output) }
  const { content } = output
  if (!content?.some(({ type }) => type === 'image')) return { type: 'text', value: toModelText(output) }
  return { type: 'content', value: content.map(toPart) }
}

function toPart(part: ContentPart): Extract<AiSdkModelOutput, { type: 'content' }>['value'][number] {
  if (part.type === 'text') return { type: 'text', text: part.text }
  return { type: 'file', mediaType: part.mediaType, data: { type: 'data', data: part.data } }
}

/** A policy whose approvals AI SDK requests before a call runs. */
export interface AiSdkApproval<Policy extends RuntimePolicy = RuntimePolicy> {
  /** For `createRuntime`: the given policy, with an `approve` that accepts calls approved through AI SDK. */
  readonly policy: Policy
  /** Whether a tool rule or the command policy asks for approval of this call. */
  readonly asks: (call: ToolCall & { readonly id: string }) => Promise<boolean>
  /** Runs a call that was approved. */
  readonly granted: <T>(call: ToolCall & { readonly id: string }, run: () => Promise<T>) => Promise<T>
}

/**
 * Connects a policy to the approvals of AI SDK: pass its `policy` to `createRuntime`, and the object itself to `toAiSdkTools`. AI SDK then
 * requests approval for a call if a tool rule, or the command policy for the `command` in its input, answers `ask`. The call runs only if
 * the last message approves it. Questions about a path, or about a command that a tool composes itself, arise only during the call: the
 * policy's own `approve` answers them. Without `approve`, they are denied.
 * @throws TypeError for invalid rules
 */
export function aiSdkApproval<Policy extends RuntimePolicy>(policy: Policy): AiSdkApproval<Policy> {
  const decide = createToolRules(required('aiSdkApproval', 'the policy of the runtime', policy).tools)
  const running = new Map<string, ToolCall>()
  const approve = async (request: ApprovalRequest): Promise<boolean> => {
    const call = running.get(request.callId)
    if (call && isAbout(call, request)) return true
    return (await policy.approve?.(request)) === true
  }
  return {
    policy: { ...policy, approve },
    async asks(call) {
      const { action } = decide(call.name)
      return action === 'ask' || (action === 'allow' && (await asksAboutCommand(policy, call)))
    },
    async granted(call, run) {
      running.set(call.id, call)
      try {
        return await run()
      } finally {
        running.delete(call.id)
      }
    },
  }
}

/** Whether an approval of the call covers the request as well: the same tool, no path, and no command but that of the call. */
const isAbout = ({ name, input }: ToolCall, { tool, path, command }: ApprovalRequest): boolean =>
  tool === name && path === undefined && (command === undefined || command === textField(input, 'command'))

async function asksAboutCommand({ commands }: RuntimePolicy, { id, name, input }: ToolCall & { readonly id: string }): Promise<boolean> {
  const command = textField(input, 'command')
  if (!commands || command === undefined) return false
  const env: unknown = Reflect.get(input as object, 'env')
  const request = {
    callId: id,
    tool: name,
    command,
    cwd: textField(input, 'cwd'),
    stdin: textField(input, 'stdin'),
    ...(typeof env === 'object' && env !== null && { env: env as Record<string, string> }),
  }
  try {
    const verdict = await commands({ ...request, signal: new AbortController().signal })
    return (typeof verdict === 'string' ? verdict : verdict.action) === 'ask'
  } catch {
    // Do not ask if the policy fails: it then denies the command when the call runs.
    return false
  }
}

function textField(input: unknown, name: string): string | undefined {
  const value: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, name) : undefined
  return typeof value === 'string' ? value : undefined
}

/**
 * Whether the last message approves this call. Approvals in earlier messages do not count: they have been used, and call ids may repeat.
 */
function isApproved(messages: readonly unknown[] | undefined, toolCallId: string): boolean {
  const answers = partsOf(messages?.at(-1)).filter(({ type, approved }) => type === 'tool-approval-response' && approved === true)
  if (answers.length === 0) return false
  const questions = (messages ?? [])
    .flatMap(partsOf)
    .filter((part) => part.type === 'tool-approval-request' && part.toolCallId === toolCallId)
  return questions.some((question) => answers.some(({ approvalId }) => approvalId === question.approvalId))
}

interface MessagePart {
  readonly type?: unknown
  readonly toolCallId?: unknown
  readonly approvalId?: unknown
  readonly approved?: unknown
}

function partsOf(message: unknown): readonly MessagePart[] {
  const content: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'content') : undefined
  return Array.isArray(content) ? content.filter((part): part is MessagePart => typeof part === 'object' && part !== null) : []
}
