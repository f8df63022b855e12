import { failure, toFailure } from '../core/result.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'
import type { CallContext } from '../types/runtime.js'
import type { JsonSchema, ToolCall, ToolResult } from '../types/tool.js'
import type { CallRequest } from './call-requests.js'
import type { RanCall, RanToolCalls } from './call-results.js'
import { dialectOf } from './dialects.js'
import { aliasOf } from './gemini-names.js'
import type { MessagesOf } from './messages.js'
import { type StrictSchema, toStrict } from './openai-strict.js'

/** Options of `runToolCalls`. */
export interface RunToolCallsOptions extends CallContext {
  /** Whether the tools were converted for OpenAI's strict mode. Default true, the default of the conversion. */
  readonly strict?: boolean
  /**
   * Handlers by name, for calls of tools that the runtime does not have, such as tools that the provider defines (`own` of
   * `anthropicTools`). A handler takes precedence over a tool of the runtime with the same name. A handler for a custom tool of OpenAI
   * receives the text of the call; those for `shell`, `local_shell` and `apply_patch` receive `action` or `operation` of the call.
   */
  readonly own?: Readonly<Record<string, OwnTool>>
}

/** The second argument of an `OwnTool`. */
export interface OwnToolContext extends CallContext {
  /** The provider's id of the call. */
  readonly id: string
}

/** Handles calls of a tool that the runtime does not have. If it rejects, the call fails. */
export type OwnTool = (input: unknown, context: OwnToolContext) => ToolResult | Promise<ToolResult>

/**
 * Runs the calls of a complete model response (not a stream): a chat completion, a response or a message of OpenAI or Anthropic, or the
 * result of Gemini's `generateContent`. Runs read-only calls in parallel and other calls one after another, as `executeAll` does. The model
 * reads a failed call as an answer.
 *
 * @throws TypeError if `response` is not a model response
 */
export async function runToolCalls<ModelResponse>(
  runtime: ToolRuntime,
  response: ModelResponse,
  options: RunToolCallsOptions = {},
): Promise<RanToolCalls<MessagesOf<ModelResponse>['reply'], MessagesOf<ModelResponse>['result']>> {
  const dialect = dialectOf(response)
  const asked = dialect.calls
  const { own = {}, strict = true, ...context } = options
  const calls = asked.map((call) => callOf(runtime, call, dialect.provider, strict))
  const outcomes = await runAll(runtime, calls, asked, own, context)
  const ran = calls.map(({ id, name, input }, index): RanCall => {
    const result = outcomes[index] as ToolResult
    return { id, name: runtime.registry.find(name)?.name ?? name, input, result }
  })
  const { provider, reply, unanswered = [] } = dialect
  const results = dialect.render(ran)
  const done: RanToolCalls = { provider, calls: ran, unanswered, reply: [...reply], results, messages: [...reply, ...results] }
  return done as RanToolCalls<MessagesOf<ModelResponse>['reply'], MessagesOf<ModelResponse>['result']>
}

function callOf(runtime: ToolRuntime, asked: CallRequest, provider: RanToolCalls['provider'], strict: boolean): Required<ToolCall> {
  const { id, input } = asked
  // A call may also use the tool's own name.
  const name = (provider === 'gemini' ? aliasOf(asked.name, runtime) : undefined) ?? asked.name
  const entry = runtime.registry.find(name)
  return {
    id,
    name,
    input: entry && strict && provider.startsWith('openai') ? (strictOf(entry.validator.jsonSchema())?.restore(input) ?? input) : input,
  }
}

const known = new WeakMap<JsonSchema, { readonly strict: StrictSchema | undefined }>()

function strictOf(schema: JsonSchema): StrictSchema | undefined {
  const found = known.get(schema) ?? { strict: toStrict(schema) }
  known.set(schema, found)
  return found.strict
}

async function runAll(
  runtime: ToolRuntime,
  calls: readonly Required<ToolCall>[],
  asked: readonly CallRequest[],
  own: Readonly<Record<string, OwnTool>>,
  context: CallContext,
): Promise<ToolResult[]> {
  const results: (ToolResult | undefined)[] = calls.map(({ id, name }, index) => {
    const problem = asked[index]?.problem
    return problem === undefined ? undefined : failure('invalid_input', problem, { callId: id, tool: name })
  })
  /** Indexes of consecutive calls of the runtime's tools, which may run in parallel. */
  let waiting: number[] = []
  const settle = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    const settled = await runtime.executeAll(
      batch.map((index) => calls[index] as ToolCall),
      context,
    )
    for (const [at, index] of batch.entries()) results[index] = settled[at]
  }
  for (const [index, { id, name, input }] of calls.entries()) {
    if (results[index]) continue
    const tool = toolFor(runtime, asked[index], name, own)
    if (!tool) {
      waiting.push(index)
      continue
    }
    await settle()
    results[index] = await answerOf(tool, input, { ...context, id }).catch((error: unknown) => toFailure(error, { callId: id, tool: name }))
  }
  await settle()
  return results as ToolResult[]
}

/** Returns the handler of a call that the runtime's own tools do not answer. */
function toolFor(
  runtime: ToolRuntime,
  asked: CallRequest | undefined,
  name: string,
  own: Readonly<Record<string, OwnTool>>,
): OwnTool | undefined {
  if (Object.hasOwn(own, name)) return own[name]
  const run = asked?.run
  return run && ((_, context) => run(runtime, context))
}

async function answerOf(tool: OwnTool, input: unknown, context: OwnToolContext): Promise<ToolResult> {
  const result: unknown = await tool(input, context)
  if (typeof result === 'object' && result !== null && 'ok' in result && 'output' in result) return result as ToolResult
  throw new TypeError('the tool gave no result')
}
