import type { ProviderKind } from '../../demo/src/agent/settings.js'

type Body = Readonly<Record<string, unknown>>

interface Said {
  readonly role: 'user' | 'model' | 'results'
  /** The ids of the calls, or of the calls that the results answer. */
  readonly ids: readonly string[]
}

/** The reason why a provider would reject this conversation, or undefined. */
export function invalidHistory(kind: ProviderKind, body: Body): string | undefined {
  const history = { openai: fromOpenAi, anthropic: fromAnthropic, google: fromGoogle }[kind](body)
  if (history[0]?.role !== 'user') return 'the first message is not the user’s'
  if (history.at(-1)?.role === 'model') return 'there is nothing to answer: the last message is the model’s own'
  for (const [index, { role, ids }] of history.entries()) {
    const before = history[index - 1]
    if (role === 'results' && String(before?.ids) !== String(ids)) return `message ${index} answers ${ids}, asked was ${before?.ids}`
    if (role !== 'results' && before?.role === 'model' && before.ids.length) return `message ${index}: nothing answers ${before.ids}`
    if (role === 'user' && before?.role === 'user') return `message ${index}: two messages of the user in a row`
  }
  const names = JSON.stringify(body).match(/"(?:name)":"([^"]*)"/g) ?? []
  const odd = names.find((name) => !/^"name":"[A-Za-z0-9_-]{1,64}"$/.test(name))
  return odd === undefined ? undefined : `a name is no name: ${odd}`
}

interface OpenAiMessage {
  readonly role: string
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly tool_call_id?: string
}

function fromOpenAi({ messages }: Body): Said[] {
  const said: Said[] = []
  for (const { role, tool_calls = [], tool_call_id = '' } of messages as OpenAiMessage[]) {
    const last = said.at(-1)
    if (role === 'tool' && last?.role === 'results') said[said.length - 1] = { role: 'results', ids: [...last.ids, tool_call_id] }
    else if (role === 'tool') said.push({ role: 'results', ids: [tool_call_id] })
    else if (role === 'assistant') said.push({ role: 'model', ids: tool_calls.map(({ id }) => id) })
    else if (role === 'user') said.push({ role: 'user', ids: [] })
  }
  return said
}

interface AnthropicMessage {
  readonly role: string
  readonly content: readonly { readonly type: string; readonly id?: string; readonly tool_use_id?: string }[]
}

function fromAnthropic({ messages }: Body): Said[] {
  return (messages as AnthropicMessage[]).map(({ role, content }) => {
    const results = content.flatMap((part) => (part.type === 'tool_result' ? [part.tool_use_id ?? ''] : []))
    if (results.length) return { role: 'results', ids: results }
    if (role !== 'assistant') return { role: 'user', ids: [] }
    return { role: 'model', ids: content.flatMap((part) => (part.type === 'tool_use' ? [part.id ?? ''] : [])) }
  })
}

interface GoogleContent {
  readonly role: string
  readonly parts: readonly { readonly functionCall?: { readonly name: string }; readonly functionResponse?: { readonly name: string } }[]
}

function fromGoogle({ contents }: Body): Said[] {
  return (contents as GoogleContent[]).map(({ role, parts }) => {
    const results = parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse.name] : []))
    if (results.length) return { role: 'results', ids: results }
    if (role !== 'model') return { role: 'user', ids: [] }
    return { role: 'model', ids: parts.flatMap(({ functionCall }) => (functionCall ? [functionCall.name] : [])) }
  })
}
