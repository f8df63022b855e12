import type { Dialect, ServerEvent } from './dialect.js'
import { callOf, type Fields, fieldsOf, listOf, type ModelMessage, textOf } from './request.js'
import type { Answer, ScriptedError } from './step.js'

const REASONS = { stop: 'stop', calls: 'tool_calls', length: 'length', refusal: 'stop' } as const

export const openAiFailure = ({ status, message }: Required<ScriptedError>): Fields => ({
  error: { message, type: status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'server_error', code: null },
})

const usageOf = ({ usage: { input, output } }: Answer): Fields => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
})

const headOf = ({ number }: Answer, { model = 'scripted' }: Fields, object: string): Fields => ({
  id: `chatcmpl-${number}`,
  object,
  created: 0,
  model,
})

const callOfAnswer = ({ id, name, arguments: text }: Answer['calls'][number]): Fields => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})

export const openAiChat: Dialect = {
  api: 'openai-chat',
  path: '/chat/completions',
  messages: ({ messages }) => listOf(messages).map(messageOf),
  tool: ({ function: named, custom }) => fieldsOf(named ?? custom).name,
  answer(answer, body) {
    const { pieces, calls, refusal = null, finish } = answer
    const message = {
      role: 'assistant',
      content: pieces.length > 0 ? pieces.join('') : null,
      refusal,
      ...(calls.length > 0 && { tool_calls: calls.map(callOfAnswer) }),
    }
    return {
      ...headOf(answer, body, 'chat.completion'),
      choices: [{ index: 0, message, logprobs: null, finish_reason: REASONS[finish] }],
      usage: usageOf(answer),
    }
  },
  events(answer, body) {
    const chunk = (fields: Fields): ServerEvent => ({ data: { ...headOf(answer, body, 'chat.completion.chunk'), ...fields } })
    const delta = (given: Fields, reason: string | null = null): ServerEvent =>
      chunk({ choices: [{ index: 0, delta: given, logprobs: null, finish_reason: reason }] })
    const calls = answer.calls.flatMap((call, index) => [
      delta({ tool_calls: [{ index, ...callOfAnswer({ ...call, arguments: '' }) }] }),
      delta({ tool_calls: [{ index, function: { arguments: call.arguments } }] }),
    ])
    const content = [
      delta({ role: 'assistant', content: '' }),
      ...answer.pieces.map((text) => delta({ content: text })),
      ...(answer.refusal === undefined ? [] : [delta({ refusal: answer.refusal })]),
      ...calls,
    ]
    const wantsUsage = fieldsOf(body.stream_options).include_usage === true
    const usage = wantsUsage ? [chunk({ choices: [], usage: usageOf(answer) })] : []
    return { content, end: [delta({}, REASONS[answer.finish]), ...usage, { data: '[DONE]' }] }
  },
  failure: openAiFailure,
  failed: (error) => ({ data: openAiFailure(error) }),
}

function messageOf({ role, content, tool_calls: asked, tool_call_id: callId }: Fields): ModelMessage {
  if (role === 'tool') return { role, text: textOf(content), callId: String(callId) }
  const calls = listOf(asked).map(({ id, function: called }) => callOf(id, fieldsOf(called).name, fieldsOf(called).arguments))
  const known = role === 'developer' ? 'system' : (role as ModelMessage['role'])
  return { role: known, text: textOf(content), ...(calls.length > 0 && { calls }) }
}
