import { callOf, type Fields, fieldsOf, listOf, type ModelMessage, partsOf, textOf } from './request.js'
import type { Script } from './script.js'
import type { Answer, ScriptedError } from './step.js'
import { aborted, streamOf } from './streaming.js'

/** The part of AI SDK's `LanguageModelV4CallOptions` that the scripted model reads. */
export interface LanguageModelOptions {
  readonly prompt: readonly unknown[]
  readonly tools?: readonly { readonly name: string }[] | undefined
  readonly abortSignal?: AbortSignal | undefined
}

interface Finish {
  finishReason: { unified: 'stop' | 'length' | 'content-filter' | 'tool-calls'; raw: string | undefined }
  usage: {
    inputTokens: { total: number; noCache: number; cacheRead: number; cacheWrite: number }
    outputTokens: { total: number; text: number; reasoning: number }
  }
}

interface CallPart {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: string
}

/**
 * The result of `doGenerate`: text and tool calls, with finish reason and usage. It has the shape of AI SDK's
 * `LanguageModelV4GenerateResult`.
 */
export interface LanguageModelResult extends Finish {
  content: ({ type: 'text'; text: string } | CallPart)[]
  warnings: never[]
}

/** One part of the stream of `doStream`. It has the shape of AI SDK's `LanguageModelV4StreamPart`. */
export type LanguageModelPart =
  | { type: 'stream-start'; warnings: never[] }
  | { type: 'text-start' | 'text-end'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'tool-input-start'; id: string; toolName: string }
  | { type: 'tool-input-delta'; id: string; delta: string }
  | { type: 'tool-input-end'; id: string }
  | CallPart
  | ({ type: 'finish' } & Finish)
  | { type: 'error'; error: unknown }

/** The shape of AI SDK's `LanguageModelV4`. */
export interface ScriptedLanguageModel {
  readonly specificationVersion: 'v4'
  readonly provider: string
  readonly modelId: string
  readonly supportedUrls: Record<string, RegExp[]>
  doGenerate(options: LanguageModelOptions): Promise<LanguageModelResult>
  doStream(options: LanguageModelOptions): Promise<{ stream: ReadableStream<LanguageModelPart> }>
}

export function languageModel(script: Script): ScriptedLanguageModel {
  const ask = (options: LanguageModelOptions, stream: boolean): Promise<Answer> => {
    const { abortSignal: signal, ...body } = options
    const tools = (options.tools ?? []).map(({ name }) => name)
    return script.answer({ api: 'ai-sdk', stream, messages: options.prompt.flatMap(messagesOf), tools, body, signal })
  }
  return {
    specificationVersion: 'v4',
    provider: 'toolport',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate(options) {
      const answer = await ask(options, false)
      if (answer.error) throw apiCallError(answer.error)
      if (answer.stall) await aborted(options.abortSignal)
      const text = wordsOf(answer).join('')
      return {
        content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...answer.calls.map(callPart)],
        ...finishOf(answer),
        warnings: [],
      }
    },
    async doStream(options) {
      const answer = await ask(options, true)
      // As the `fetch` of a provider does. In workerd, AI SDK leaves the error of a stream that fails at its first part unhandled.
      options.abortSignal?.throwIfAborted()
      const words = wordsOf(answer)
      if (answer.error && words.length === 0) throw apiCallError(answer.error)
      const content: LanguageModelPart[] = [
        { type: 'stream-start', warnings: [] },
        ...(words.length === 0 ? [] : [{ type: 'text-start' as const, id: 'text' }]),
        ...words.map((delta) => ({ type: 'text-delta' as const, id: 'text', delta })),
        ...(words.length === 0 ? [] : [{ type: 'text-end' as const, id: 'text' }]),
        ...answer.calls.flatMap(callParts),
      ]
      const end: LanguageModelPart[] = [{ type: 'finish', ...finishOf(answer) }]
      const failed: LanguageModelPart[] = answer.error?.status ? [{ type: 'error', error: apiCallError(answer.error) }] : []
      return { stream: streamOf(answer, { content, end, failed }, options.abortSignal) }
    },
  }
}

const wordsOf = ({ pieces, refusal }: Answer): readonly string[] => (refusal === undefined ? pieces : [...pieces, refusal])

const callPart = ({ id, name, arguments: input }: Answer['calls'][number]): CallPart => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: name,
  input,
})

const callParts = (call: Answer['calls'][number]): LanguageModelPart[] => [
  { type: 'tool-input-start', id: call.id, toolName: call.name },
  { type: 'tool-input-delta', id: call.id, delta: call.arguments },
  { type: 'tool-input-end', id: call.id },
  callPart(call),
]

const REASONS = { stop: 'stop', calls: 'tool-calls', length: 'length', refusal: 'content-filter' } as const

const finishOf = ({ finish, usage: { input, output } }: Answer): Finish => ({
  finishReason: { unified: REASONS[finish], raw: finish },
  usage: {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  },
})

/** Creates an error with the markers by which AI SDK recognises its own errors. AI SDK retries an error that is marked as retryable. */
function apiCallError({ status, message, headers }: Required<ScriptedError>): Error {
  const error = Object.assign(new Error(message), {
    url: 'scripted:',
    requestBodyValues: {},
    statusCode: status || undefined,
    responseHeaders: headers,
    isRetryable: status === 0 || status === 408 || status === 409 || status === 429 || status >= 500,
    [Symbol.for('vercel.ai.error')]: true,
    [Symbol.for('vercel.ai.error.AI_APICallError')]: true,
  })
  error.name = 'AI_APICallError'
  return error
}

function messagesOf(message: unknown): ModelMessage[] {
  const { role, content } = fieldsOf(message)
  if (role === 'tool')
    return listOf(content)
      .filter(({ type }) => type === 'tool-result')
      .map(({ toolCallId, output }) => ({ role, text: outputText(fieldsOf(output)), callId: String(toolCallId) }))
  const parts = partsOf(content)
  const calls = parts.filter(({ type }) => type === 'tool-call').map((part) => callOf(part.toolCallId, part.toolName, part.input))
  const text = textOf(parts.filter(({ type }) => type !== 'tool-call'))
  return [{ role: role as ModelMessage['role'], text, ...(calls.length > 0 && { calls }) }]
}

function outputText({ type, value, reason }: Fields): string {
  if (type === 'content') return textOf(value)
  return typeof value === 'string' ? value : (JSON.stringify(value ?? reason) ?? '')
}
