import { isRecord } from '../ops/is-record.js'
import type { ToolResult } from '../types/tool.js'
import { type CallRequest, IMAGE_TYPES, imagesOf, parseArguments, recordsOf, textOf, toModelText, urlOf } from './call-requests.js'
import type { RanCall, RanToolCalls, UnansweredItem } from './call-results.js'
import type { AnthropicImageType, AnthropicResultPart } from './messages.js'
import { itemsOf } from './openai-items.js'

/** A parsed response. */
export interface Dialect {
  readonly provider: RanToolCalls['provider']
  readonly calls: readonly CallRequest[]
  readonly reply: readonly unknown[]
  /** Items that only the program can answer. */
  readonly unanswered?: readonly UnansweredItem[]
  render(ran: readonly RanCall[]): unknown[]
}

/** Recognises the provider of a response and parses it. @throws TypeError if no known provider sends such a response */
export function dialectOf(response: unknown): Dialect {
  if (isRecord(response)) {
    const [choice] = recordsOf(response.choices)
    const [candidate] = recordsOf(response.candidates)
    if (Array.isArray(response.choices)) return unlessCut(chat(response.choices), choice?.finish_reason)
    if (Array.isArray(response.output)) return unlessCut(responses(response.output), response.status)
    if (Array.isArray(response.candidates)) return unlessCut(gemini(response.candidates), candidate?.finishReason)
    if ((response.role === 'assistant' || response.type === 'message') && Array.isArray(response.content))
      return unlessCut(anthropic(response.content), response.stop_reason)
  }
  throw new TypeError(
    'Cannot run tool calls: expected a response of OpenAI ("choices" or "output"), Anthropic ("content" with the role "assistant") or Gemini ("candidates"), whole and not a stream',
  )
}

/** The values by which providers report that a response reached a token limit. */
const CUT = new Set<unknown>(['length', 'incomplete', 'MAX_TOKENS', 'max_tokens', 'model_context_window_exceeded'])

/** Rejects the last call of a truncated response: its arguments may be incomplete although they parse. */
function unlessCut(dialect: Dialect, reason: unknown): Dialect {
  const last = dialect.calls.at(-1)
  if (!last || !CUT.has(reason)) return dialect
  const problem = 'The response reached its token limit, which cut off this call: send the call again in smaller parts'
  return { ...dialect, calls: [...dialect.calls.slice(0, -1), { ...last, problem }] }
}

/** Parses a chat completion. Tool messages contain only text, so images follow in a user message. */
function chat(choices: readonly unknown[]): Dialect {
  const [choice] = recordsOf(choices)
  const message = isRecord(choice?.message) ? choice.message : undefined
  const calls = recordsOf(message?.tool_calls).map(({ id, function: called, custom }, index) => {
    const own = isRecord(custom) ? custom : {}
    const asked = isRecord(called) ? { name: called.name, ...parseArguments(called.arguments) } : { name: own.name, input: own.input }
    return { id: textOf(id) || String(index), ...asked, name: textOf(asked.name) }
  })
  return {
    provider: 'openai-chat',
    calls,
    reply: message ? [message] : [],
    // `function_call` is older than `tool_calls`. Its answers have no id.
    unanswered: isRecord(message?.function_call) ? [{ type: 'function_call', id: textOf(message.function_call.name) }] : [],
    render(ran) {
      const answers = ran.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: toModelText(result) }))
      const images = ran.flatMap(({ name, id, result }) =>
        imagesOf(result).flatMap((image) => [
          { type: 'text', text: `Image of ${name} (${id}):` },
          { type: 'image_url', image_url: { url: urlOf(image) } },
        ]),
      )
      return images.length === 0 ? answers : [...answers, { role: 'user', content: images }]
    },
  }
}

function responses(output: readonly unknown[]): Dialect {
  const { items, unanswered } = itemsOf(recordsOf(output))
  return {
    provider: 'openai-responses',
    calls: items.map(({ call }) => call),
    reply: output,
    unanswered,
    render: (ran) => ran.map(({ result }, index) => items[index]?.answer(result)),
  }
}

function anthropic(content: readonly unknown[]): Dialect {
  const calls = recordsOf(content)
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }, index) => ({ id: textOf(id) || String(index), name: textOf(name), input: input ?? {} }))
  return {
    provider: 'anthropic',
    calls,
    reply: content.length === 0 ? [] : [{ role: 'assistant', content }],
    render(ran) {
      if (ran.length === 0) return []
      return [{ role: 'user', content: ran.map(anthropicResult) }]
    },
  }
}

function anthropicResult({ id, result }: RanCall): unknown {
  return { type: 'tool_result', tool_use_id: id, content: anthropicContent(result), ...(!result.ok && { is_error: true }) }
}

/** Returns the text of a result, or its text and images. */
export function anthropicContent(result: ToolResult): string | AnthropicResultPart[] {
  const images = imagesOf(result).map(({ mediaType, data }): AnthropicResultPart => {
    return { type: 'image', source: { type: 'base64', media_type: mediaType as AnthropicImageType, data } }
  })
  const text = toModelText(result)
  if (images.length === 0) return text
  // The API rejects empty text blocks.
  return text.trim() === '' ? images : [{ type: 'text', text }, ...images]
}

function gemini(candidates: readonly unknown[]): Dialect {
  const [candidate] = recordsOf(candidates)
  const content = isRecord(candidate?.content) ? candidate.content : undefined
  const asked = recordsOf(content?.parts).flatMap(({ functionCall }) => (isRecord(functionCall) ? [functionCall] : []))
  const calls = asked.map(({ id, name, args }, index) => ({
    id: textOf(id) || String(index),
    name: textOf(name),
    input: args ?? {},
  }))
  return {
    provider: 'gemini',
    calls,
    reply: recordsOf(content?.parts).length > 0 ? [content] : [],
    render(ran) {
      if (ran.length === 0) return []
      const answers = ran.map(({ result }, index) => {
        const { id, name } = asked[index] ?? {}
        const text = toModelText(result)
        return {
          functionResponse: { ...(typeof id === 'string' && { id }), name, response: result.ok ? { output: text } : { error: text } },
        }
      })
      const images = ran.flatMap(({ result }) =>
        imagesOf(result, IMAGE_TYPES).map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } })),
      )
      return [{ role: 'user', parts: [...answers, ...images] }]
    },
  }
}
