/** One message of a request, in the same form for every API. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** Text parts joined; of a tool, what the model reads of the result. */
  readonly text: string
  /** Of an assistant. */
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[]
  /** Of a tool: the call that it answers. */
  readonly callId?: string
}

/** What a model was asked. */
export interface ModelRequest {
  readonly api: 'ai-sdk' | 'openai-chat' | 'openai-responses' | 'anthropic'
  readonly stream: boolean
  readonly messages: readonly ModelMessage[]
  /** Names of the tools that were offered. */
  readonly tools: readonly string[]
  /** The JSON body of the request, or the options of `doGenerate` and `doStream`. */
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}

export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** The parts of a content, which may be one string. */
export const partsOf = (content: unknown): readonly Fields[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)

/** The text of a content. A part of another kind is named: `[image]`. */
export const textOf = (content: unknown): string =>
  partsOf(content)
    .map(({ type, text, refusal }) => String(text ?? refusal ?? `[${String(type)}]`))
    .join('')

/** The input of a call, or its text where that is no JSON. */
export function inputOf(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

export const callOf = (id: unknown, name: unknown, input: unknown): NonNullable<ModelMessage['calls']>[number] => ({
  id: String(id),
  name: String(name),
  input: inputOf(input),
})
