import type { ProviderKind } from '../../demo/src/agent/settings.js'

/** A call that the stand-in makes. `raw`: arguments that are not JSON, for protocols that transmit arguments as text. */
export interface ServedCall {
  readonly name: string
  readonly input?: unknown
  readonly raw?: string
}

/** One server-sent event. */
export interface Frame {
  readonly event?: string
  readonly data: unknown
}

interface Stream {
  begin(): Frame[]
  text(pieces: readonly string[]): Frame[]
  call(call: ServedCall, index: number): Frame[]
  finish(calls: boolean): Frame[]
  error(message: string): Frame[]
}

export function streamOf(kind: ProviderKind): Stream {
  return { openai, anthropic, google }[kind]()
}

const written = ({ input, raw }: ServedCall): string => raw ?? JSON.stringify(input ?? {})

function openai(): Stream {
  const chunk = (delta: unknown, finish_reason: string | null = null): Frame => ({
    data: { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'stand-in', choices: [{ index: 0, delta, finish_reason }] },
  })
  return {
    begin: () => [chunk({ role: 'assistant', content: '' })],
    text: (pieces) => pieces.map((content) => chunk({ content })),
    call: (call, index) => [
      chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: call.name, arguments: '' } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: written(call) } }] }),
    ],
    finish: (calls) => [chunk({}, calls ? 'tool_calls' : 'stop'), { data: '[DONE]' }],
    error: (message) => [{ data: { error: { message, type: 'overloaded', param: null, code: null } } }],
  }
}

function anthropic(): Stream {
  let block = 0
  const framed = (data: { readonly type: string }): Frame => ({ event: data.type, data })
  const one = (content_block: unknown, deltas: readonly unknown[]): Frame[] => {
    const index = block++
    return [
      framed({ type: 'content_block_start', index, content_block } as { type: string }),
      ...deltas.map((delta) => framed({ type: 'content_block_delta', index, delta } as { type: string })),
      framed({ type: 'content_block_stop', index } as { type: string }),
    ]
  }
  return {
    begin: () => [
      framed({
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'stand-in',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      } as { type: string }),
    ],
    text: (pieces) =>
      one(
        { type: 'text', text: '' },
        pieces.map((text) => ({ type: 'text_delta', text })),
      ),
    call: (call, index) =>
      one({ type: 'tool_use', id: `toolu_${index}`, name: call.name, input: {} }, [
        { type: 'input_json_delta', partial_json: written(call) },
      ]),
    finish: (calls) => [
      framed({
        type: 'message_delta',
        delta: { stop_reason: calls ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: 2 },
      } as { type: string }),
      framed({ type: 'message_stop' }),
    ],
    error: (message) => [framed({ type: 'error', error: { type: 'overloaded_error', message } } as { type: string })],
  }
}

function google(): Stream {
  const parts = (some: readonly unknown[], more?: object): Frame => ({
    data: { candidates: [{ content: { role: 'model', parts: some }, index: 0, ...more }] },
  })
  return {
    begin: () => [],
    text: (pieces) => pieces.map((text) => parts([{ text }])),
    call: ({ name, input = {} }) => [parts([{ functionCall: { name, args: input } }])],
    finish: () => [parts([{ text: '' }], { finishReason: 'STOP' })],
    error: (message) => [{ data: { error: { code: 503, message, status: 'UNAVAILABLE' } } }],
  }
}
