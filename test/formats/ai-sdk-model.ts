import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'

/** What the model answers in one step: calls, or words. */
export type Step = string | readonly { readonly id: string; readonly name: string; readonly input: unknown }[]

/** What the model was told of one call: `type` and `value` of the tool result in its prompt. */
export interface Told {
  readonly toolCallId: string
  readonly output: { readonly type: string; readonly value?: unknown }
}

type Model = InstanceType<typeof MockLanguageModelV4>
type Prompt = Model['doGenerateCalls'][number]['prompt']
type StreamPart = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model that streams one call, then words. */
export function streaming(call: { readonly id: string; readonly name: string; readonly input: unknown }): Model {
  let asked = 0
  const { id, name, input } = call
  return new MockLanguageModelV4({
    doStream: async () => ({
      stream: convertArrayToReadableStream<StreamPart>(
        asked++ === 0
          ? [
              { type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) },
              { type: 'finish', finishReason: { unified: 'tool-calls', raw: undefined }, usage },
            ]
          : [
              { type: 'text-start', id: '1' },
              { type: 'text-delta', id: '1', delta: 'Done.' },
              { type: 'text-end', id: '1' },
              { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage },
            ],
      ),
    }),
  })
}

/** A model that decides from the results it was told so far. */
export function scripted(next: (told: readonly Told[]) => Step): Model {
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const step = next(resultsIn(prompt))
      const words = typeof step === 'string'
      return {
        content: words
          ? [{ type: 'text', text: step }]
          : step.map(({ id, name, input }) => ({
              type: 'tool-call' as const,
              toolCallId: id,
              toolName: name,
              input: JSON.stringify(input),
            })),
        finishReason: { unified: words ? 'stop' : 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      }
    },
  })
}

export function resultsIn(prompt: Prompt): readonly Told[] {
  return prompt.flatMap((message) =>
    message.role === 'tool' ? message.content.flatMap((part) => (part.type === 'tool-result' ? [part as unknown as Told] : [])) : [],
  )
}

/** What the model was told before its last answer. */
export const toldAtLast = (model: Model): readonly Told[] => resultsIn(model.doGenerateCalls.at(-1)?.prompt ?? [])
