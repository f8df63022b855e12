import { failure } from '../../../core/result.js'
import { toAiSdkModelOutput } from '../../../formats/ai-sdk.js'
import { parseArguments } from '../../../formats/call-requests.js'
import type { ToolRuntime } from '../../../runtime/tool-runtime.js'
import type { ToolResult } from '../../../types/tool.js'
import { type Fields, fieldsOf } from '../model/request.js'
import type { EvaluatedModel, EvaluationRun } from './types.js'

interface Call {
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly problem?: string
}

/** Parts of a model response that the next prompt repeats. */
const REPEATED: ReadonlySet<unknown> = new Set(['text', 'reasoning', 'file', 'tool-call'])

/** Calls the model and executes its tool calls until a response has none. Returns the text of that response. */
export async function runModel({ model, case: task, system, runtime, signal, maxSteps, step }: EvaluationRun): Promise<string> {
  const tools = runtime.getModelManifest().map(({ alias, description, inputSchema }) => ({
    ...{ type: 'function', name: alias, description },
    inputSchema: structuredClone(inputSchema),
  }))
  const prompt: unknown[] = [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content: [{ type: 'text', text: task.prompt }] },
  ]
  for (let left = maxSteps; left > 0; left--) {
    const { content, usage } = await ask(model, { prompt: [...prompt], tools, toolChoice: { type: 'auto' }, abortSignal: signal })
    step({ ...told('input', usage.inputTokens), ...told('output', usage.outputTokens) })
    const calls = content.filter(({ type }) => type === 'tool-call').map(callOf)
    if (calls.length === 0) return content.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('')
    if (left === 1) break
    const results = await runCalls(runtime, calls, signal)
    prompt.push({ role: 'assistant', content: content.filter(({ type }) => REPEATED.has(type)).map(repeated) })
    prompt.push({ role: 'tool', content: calls.map((call, index) => resultPart(call, results[index] as ToolResult)) })
  }
  // This step is over the budget, so `step` throws.
  step()
  return ''
}

const ask = async (model: EvaluatedModel, options: object): Promise<{ readonly content: readonly Fields[]; readonly usage: Fields }> => {
  const { content, usage } = await model.doGenerate(options as never)
  return { content: content.map(fieldsOf), usage: fieldsOf(usage) }
}

/** Returns a token count as a number. Older versions of the interface report a plain number, newer ones an object with `total`. */
function told(name: 'input' | 'output', tokens: unknown): { input?: number; output?: number } {
  const total = typeof tokens === 'number' ? tokens : fieldsOf(tokens).total
  return typeof total === 'number' ? { [name]: total } : {}
}

const callOf = ({ toolCallId, toolName, input }: Fields): Call => ({
  id: String(toolCallId),
  name: String(toolName),
  ...parseArguments(input),
})

/** Providers return metadata, such as signatures of reasoning, as `providerMetadata`, and expect it in prompts as `providerOptions`. */
function repeated({ providerMetadata, ...part }: Fields): Fields {
  const input = part.type === 'tool-call' ? { input: parseArguments(part.input).input } : {}
  return { ...part, ...input, ...(providerMetadata !== undefined && { providerOptions: providerMetadata }) }
}

async function runCalls(runtime: ToolRuntime, calls: readonly Call[], signal: AbortSignal): Promise<readonly ToolResult[]> {
  const readable = calls.filter(({ problem }) => problem === undefined)
  const results = (await runtime.executeAll(readable, { signal }))[Symbol.iterator]()
  return calls.map(({ id, name, problem }) =>
    problem === undefined ? (results.next().value as ToolResult) : failure('invalid_input', problem, { callId: id, tool: name }),
  )
}

const resultPart = ({ id, name }: Call, result: ToolResult): Fields => ({
  ...{ type: 'tool-result', toolCallId: id, toolName: name },
  output: toAiSdkModelOutput(result),
})
