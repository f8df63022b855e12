import { toModelText as rendered } from '../core/result.js'
import type { ContentPart, ToolResult } from '../types/tool.js'
import type { RanCall, RanToolCalls } from './ran.js'
import { isRecord } from './schema-walk.js'

/** A call as the model has written it. */
export interface AskedCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
  /** Why it cannot be run: told to the model. */
  readonly problem?: string
}

/** A response, read. */
export interface Dialect {
  readonly provider: RanToolCalls['provider']
  readonly calls: readonly AskedCall[]
  readonly reply: readonly unknown[]
  render(ran: readonly RanCall[]): unknown[]
}

/** @throws TypeError for what is no response of a provider that is known */
export function dialectOf(response: unknown): Dialect {
  if (isRecord(response)) {
    if (Array.isArray(response.choices)) return chat(response.choices)
    if (Array.isArray(response.output)) return responses(response.output)
    if (Array.isArray(response.candidates)) return gemini(response.candidates)
    if (response.role === 'assistant' && Array.isArray(response.content)) return anthropic(response.content)
    if (response.type === 'message' && Array.isArray(response.content)) return anthropic(response.content)
  }
  throw new TypeError(
    'Cannot run tool calls: expected a response of OpenAI ("choices" or "output"), Anthropic ("content" with the role "assistant") or Gemini ("candidates"), whole and not a stream',
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const recordsOf = (value: unknown): readonly Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Models write arguments as text, which need not be JSON. None at all stand for no properties. */
function parsed(text: unknown): Pick<AskedCall, 'input' | 'problem'> {
  if (typeof text !== 'string') return { input: text ?? {} }
  if (text.trim() === '') return { input: {} }
  try {
    return { input: JSON.parse(text) as unknown }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { input: text, problem: `The arguments are not JSON (${reason}): send them again, whole` }
  }
}

/** What all of them show; Gemini has its own list. Others stay a word in the text: one that is refused breaks the conversation. */
const SHOWN = ['image/png', 'image/jpeg', 'image/webp']
const GIF = 'image/gif'
type Image = Extract<ContentPart, { readonly type: 'image' }>

const imagesOf = (result: ToolResult, types: readonly string[] = [...SHOWN, GIF]): readonly Image[] =>
  result.ok ? (result.content ?? []).filter((part): part is Image => part.type === 'image' && types.includes(part.mediaType)) : []

/** Half a character is no JSON to them. */
const toModelText = (result: ToolResult): string => rendered(result).replaceAll(/\p{Surrogate}/gu, '\ufffd')
const urlOf = ({ mediaType, data }: { readonly mediaType: string; readonly data: string }): string => `data:${mediaType};base64,${data}`

/** Messages of tools take text only: images follow in a message of the user. */
function chat(choices: readonly unknown[]): Dialect {
  const [choice] = recordsOf(choices)
  const message = isRecord(choice?.message) ? choice.message : undefined
  const calls = recordsOf(message?.tool_calls).map(({ id, function: called, custom }, index) => {
    const own = isRecord(custom) ? custom : {}
    const asked = isRecord(called) ? { name: called.name, ...parsed(called.arguments) } : { name: own.name, input: own.input }
    return { id: textOf(id) || String(index), ...asked, name: textOf(asked.name) }
  })
  return {
    provider: 'openai-chat',
    calls,
    reply: message ? [message] : [],
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
  const calls = recordsOf(output)
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id, id, name, arguments: given }, index) => ({
      id: textOf(call_id) || textOf(id) || String(index),
      name: textOf(name),
      ...parsed(given),
    }))
  return {
    provider: 'openai-responses',
    calls,
    reply: output,
    render: (ran) =>
      ran.map(({ id, result }) => {
        const images = imagesOf(result)
        const text = toModelText(result)
        const parts = [
          { type: 'input_text', text },
          ...images.map((image) => ({ type: 'input_image', image_url: urlOf(image), detail: 'auto' })),
        ]
        return { type: 'function_call_output', call_id: id, output: images.length === 0 ? text : parts }
      }),
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
  const images = imagesOf(result).map(({ mediaType, data }) => ({
    type: 'image',
    source: { type: 'base64', media_type: mediaType, data },
  }))
  const text = toModelText(result)
  return {
    type: 'tool_result',
    tool_use_id: id,
    // Empty text blocks are refused.
    content: images.length === 0 ? text : [...(text.trim() === '' ? [] : [{ type: 'text', text }]), ...images],
    ...(!result.ok && { is_error: true }),
  }
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
        imagesOf(result, SHOWN).map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } })),
      )
      return [{ role: 'user', parts: [...answers, ...images] }]
    },
  }
}
