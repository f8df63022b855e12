import type { ModelRequest, ScriptedModel } from 'toolport/testing'

/** What a model was told of one call: `type` and `value` of the tool result in its prompt. */
export interface Told {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly output: { readonly type: string; readonly value?: unknown }
}

/** What the model was told before its last answer. */
export function toldAtLast({ requests }: ScriptedModel): readonly Told[] {
  const { prompt } = (requests.at(-1) as ModelRequest).body as {
    readonly prompt: readonly { readonly content: readonly Told[] | string }[]
  }
  return prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool-result')))
}
