import type { ModelRequest, ScriptedModel } from 'toolport/testing'

/** A tool result in the model's prompt. */
export interface Told {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly output: { readonly type: string; readonly value?: unknown }
}

/** The tool results in the prompt of the last request. */
export function toldAtLast({ requests }: ScriptedModel): readonly Told[] {
  const { prompt } = (requests.at(-1) as ModelRequest).body as {
    readonly prompt: readonly { readonly content: readonly Told[] | string }[]
  }
  return prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool-result')))
}
