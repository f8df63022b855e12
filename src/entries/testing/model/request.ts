/** One message of a request, in the same form for every API. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** The joined text parts; for a tool message, the tool result as the model reads it. */
  readonly text: string
  /** Tool calls of an assistant message. */
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[]
  /** For a tool message: the id of the call that it answers. */
  readonly callId?: string
}

/** A request to the model. */
export interface ModelRequest {
  readonly api: 'ai-sdk' | 'openai-chat' | 'openai-responses' | 'anthropic'
  readonly stream: boolean
  readonly messages: readonly ModelMessage[]
  /** Names of the offered tools. */
  readonly tools: readonly string[]
  /** The JSON body of the request, or the options of `doGenerate` and `doStream`. */
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}

export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** Returns the parts of a message's content. A plain string becomes one part. */
export const partsOf = (content: unknown): readonly Fields[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)

/** Returns the text of a message's content. Other parts appear as their type: `[image]`. */
export const textOf = (content: unknown): string =>
  partsOf(content)
    .map(({ type, text, refusal }) => String(text ?? refusal ?? `[${String(type)}]`))
    .join('')

/** Parses the input of a call. Returns text that is not JSON unchanged. */
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
