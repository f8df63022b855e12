import type { Dialect, ServerEvent } from './dialect.js'
import { callOf, type Fields, inputOf, type ModelMessage, partsOf, textOf } from './request.js'
import type { Answer, ScriptedError } from './step.js'

const REASONS = { stop: 'end_turn', calls: 'tool_use', length: 'max_tokens', refusal: 'refusal' } as const

const ERRORS: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

const failureOf = ({ status, message }: Required<ScriptedError>): Fields => ({
  type: 'error',
  error: { type: ERRORS[status] ?? (status > 0 && status < 500 ? 'invalid_request_error' : 'api_error'), message },
})

const usageOf = ({ usage: { input, output } }: Answer): Fields => ({
  input_tokens: input,
  output_tokens: output,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
})

/** Returns the pieces of text to stream. Includes the text of a refusal as ordinary text, because the API has no field for refusals. */
const piecesOf = ({ pieces, refusal }: Answer): readonly string[] => (refusal === undefined ? pieces : [...pieces, refusal])

const messageOf = (answer: Answer, { model = 'scripted' }: Fields): Fields => ({
  id: `msg_${answer.number}`,
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: usageOf(answer),
})

export const anthropic: Dialect = {
  api: 'anthropic',
  path: '/messages',
  messages: ({ system, messages }) => [
    ...(system === undefined ? [] : [{ role: 'system' as const, text: textOf(system) }]),
    ...(Array.isArray(messages) ? messages.flatMap(messagesOf) : []),
  ],
  tool: ({ name }) => name,
  answer(answer, body) {
    const pieces = piecesOf(answer)
    const text = pieces.length > 0 ? [{ type: 'text', text: pieces.join(''), citations: null }] : []
    const calls = answer.calls.map(({ id, name, arguments: json }) => ({ type: 'tool_use', id, name, input: inputOf(json) }))
    return { ...messageOf(answer, body), content: [...text, ...calls], stop_reason: REASONS[answer.finish] }
  },
  events(answer, body) {
    const event = (type: string, fields: Fields): ServerEvent => ({ event: type, data: { type, ...fields } })
    const block = (index: number, start: Fields, deltas: readonly Fields[]): ServerEvent[] => [
      event('content_block_start', { index, content_block: start }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]
    const pieces = piecesOf(answer)
    const deltas = pieces.map((text) => ({ type: 'text_delta', text }))
    const text = pieces.length > 0 ? block(0, { type: 'text', text: '', citations: null }, deltas) : []
    const before = pieces.length > 0 ? 1 : 0
    const calls = answer.calls.flatMap(({ id, name, arguments: json }, index) =>
      block(before + index, { type: 'tool_use', id, name, input: {} }, [{ type: 'input_json_delta', partial_json: json }]),
    )
    return {
      content: [event('message_start', { message: messageOf(answer, body) }), ...text, ...calls],
      end: [
        event('message_delta', { delta: { stop_reason: REASONS[answer.finish], stop_sequence: null }, usage: usageOf(answer) }),
        event('message_stop', {}),
      ],
    }
  },
  failure: failureOf,
  failed: (error) => ({ event: 'error', data: failureOf(error) }),
}

function messagesOf(message: Fields): ModelMessage[] {
  const parts = partsOf(message.content)
  const results = parts.filter(({ type }) => type === 'tool_result')
  const calls = parts.filter(({ type }) => type === 'tool_use').map(({ id, name, input }) => callOf(id, name, input))
  const others = parts.filter(({ type }) => type !== 'tool_result' && type !== 'tool_use')
  const own: ModelMessage = { role: message.role as ModelMessage['role'], text: textOf(others), ...(calls.length > 0 && { calls }) }
  return [
    ...results.map(({ tool_use_id: id, content }): ModelMessage => ({ role: 'tool', text: textOf(content ?? ''), callId: String(id) })),
    ...(others.length > 0 || calls.length > 0 ? [own] : []),
  ]
}
