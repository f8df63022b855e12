import type { Dialect, ServerEvent } from './dialect.js'
import { openAiFailure } from './openai-chat.js'
import { callOf, type Fields, listOf, type ModelMessage, textOf } from './request.js'
import type { Answer } from './step.js'

const textPart = (text: string): Fields => ({ type: 'output_text', text, annotations: [], logprobs: [] })

const messageItem = ({ number, pieces, refusal }: Answer, status: string): Fields => ({
  id: `msg_${number}`,
  type: 'message',
  role: 'assistant',
  status,
  content: [...(pieces.length > 0 ? [textPart(pieces.join(''))] : []), ...(refusal === undefined ? [] : [{ type: 'refusal', refusal }])],
})

const callItem = ({ id, name, arguments: text }: Answer['calls'][number], status: string): Fields => ({
  id: `fc_${id}`,
  type: 'function_call',
  status,
  call_id: id,
  name,
  arguments: text,
})

const hasMessage = ({ pieces, refusal, calls }: Answer): boolean => pieces.length > 0 || refusal !== undefined || calls.length === 0

function responseOf(answer: Answer, { model = 'scripted', tools = [] }: Fields, status: string): Fields {
  const { number, calls, finish, usage } = answer
  const output = [...(hasMessage(answer) ? [messageItem(answer, 'completed')] : []), ...calls.map((call) => callItem(call, 'completed'))]
  return {
    id: `resp_${number}`,
    object: 'response',
    created_at: 0,
    status,
    error: null,
    incomplete_details: finish === 'length' ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    metadata: {},
    model,
    output: status === 'in_progress' ? [] : output,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools,
    top_p: 1,
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    },
  }
}

export const openAiResponses: Dialect = {
  api: 'openai-responses',
  path: '/responses',
  messages: ({ instructions, input }) => [
    ...(typeof instructions === 'string' ? [{ role: 'system' as const, text: instructions }] : []),
    ...(typeof input === 'string' ? [{ role: 'user' as const, text: input }] : listOf(input).flatMap(messagesOf)),
  ],
  tool: ({ name, type }) => name ?? type,
  answer: (answer, body) => responseOf(answer, body, endOf(answer)),
  events(answer, body) {
    let sequence = 0
    const event = (type: string, fields: Fields): ServerEvent => ({ event: type, data: { type, sequence_number: sequence++, ...fields } })
    const begun = responseOf(answer, body, 'in_progress')
    const content = [event('response.created', { response: begun }), event('response.in_progress', { response: begun })]
    if (hasMessage(answer)) content.push(...messageEvents(answer, event))
    const before = hasMessage(answer) ? 1 : 0
    for (const [index, call] of answer.calls.entries()) content.push(...callEvents(call, before + index, event))
    const status = endOf(answer)
    return { content, end: [event(`response.${status}`, { response: responseOf(answer, body, status) })] }
  },
  failure: openAiFailure,
  failed: (error) => ({
    event: 'error',
    data: { type: 'error', code: 'server_error', message: error.message, param: null, sequence_number: 0 },
  }),
}

const endOf = ({ finish }: Answer): string => (finish === 'length' ? 'incomplete' : 'completed')

type MakeEvent = (type: string, fields: Fields) => ServerEvent

function messageEvents(answer: Answer, event: MakeEvent): ServerEvent[] {
  const item = messageItem(answer, 'completed')
  const at = { output_index: 0, item_id: item.id }
  const parts = listOf(item.content).flatMap((part, index) => {
    const place = { ...at, content_index: index }
    const name = part.type === 'refusal' ? 'refusal' : 'output_text'
    const field = part.type === 'refusal' ? 'refusal' : 'text'
    const pieces = part.type === 'refusal' ? [part.refusal] : answer.pieces
    const logprobs = part.type === 'refusal' ? {} : { logprobs: [] }
    return [
      event('response.content_part.added', { ...place, part: { ...part, [field]: '' } }),
      ...pieces.map((delta) => event(`response.${name}.delta`, { ...place, delta, ...logprobs })),
      event(`response.${name}.done`, { ...place, [field]: part[field], ...logprobs }),
      event('response.content_part.done', { ...place, part }),
    ]
  })
  return [
    event('response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress', content: [] } }),
    ...parts,
    event('response.output_item.done', { output_index: 0, item }),
  ]
}

function callEvents(call: Answer['calls'][number], index: number, event: MakeEvent): ServerEvent[] {
  const item = callItem(call, 'completed')
  const at = { output_index: index, item_id: item.id }
  return [
    event('response.output_item.added', { output_index: index, item: { ...item, status: 'in_progress', arguments: '' } }),
    event('response.function_call_arguments.delta', { ...at, delta: call.arguments }),
    event('response.function_call_arguments.done', { ...at, name: call.name, arguments: call.arguments }),
    event('response.output_item.done', { output_index: index, item }),
  ]
}

function messagesOf({ type, role, content, call_id: id, name, arguments: text, output }: Fields): ModelMessage[] {
  if (type === 'function_call') return [{ role: 'assistant', text: '', calls: [callOf(id, name, text)] }]
  if (type === 'function_call_output') return [{ role: 'tool', text: textOf(output), callId: String(id) }]
  if (role === undefined) return []
  return [{ role: role === 'developer' ? 'system' : (role as ModelMessage['role']), text: textOf(content) }]
}
