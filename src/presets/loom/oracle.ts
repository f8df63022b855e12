import { defineTool } from '../../core/define-tool.js'
import { InputError } from '../../errors/index.js'
import type { ModelAdapter } from '../../types/ports.js'
import type { AnyTool } from '../../types/tool.js'
import { float, optional, serdeSchema, text, unsigned } from './serde.js'

const TOKENS = { least: 16, most: 4096, byDefault: 512 }
const TEMPERATURE = { least: 0, most: 2, byDefault: 0.2 }

export interface OracleOutput {
  readonly response: string
}

const schema = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What to ask' },
    max_tokens: {
      type: 'integer',
      minimum: TOKENS.least,
      maximum: TOKENS.most,
      description: 'Maximum tokens of the response (default: 512)',
    },
    temperature: {
      type: 'number',
      minimum: TEMPERATURE.least,
      maximum: TEMPERATURE.most,
      description: 'Sampling temperature (default: 0.2)',
    },
    system_prompt: { type: 'string', description: 'System prompt' },
  },
  required: ['query'],
}

const fields = {
  query: text,
  model: optional(text),
  max_tokens: optional(unsigned, TOKENS.byDefault),
  temperature: optional(float, TEMPERATURE.byDefault),
  system_prompt: optional(text),
}

/** The tool `oracle`, which asks a second model. The manifest contains the tool only if there is a model adapter. */
export const oracle: AnyTool = defineTool({
  name: 'oracle',
  description: 'Ask another model.',
  inputSchema: serdeSchema(schema, fields),
  annotations: { title: 'Ask a model', readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  requires: ['model'],
  async run({ query, model, max_tokens, temperature, system_prompt: system }, context) {
    if (query.trim() === '') throw new InputError('invalid_input', 'query must not be empty')
    // Reject a requested model: an answer by another model than the requested one would mislead.
    if (model !== undefined) throw new InputError('invalid_input', 'model cannot be chosen: the host set one up, leave the field out')
    const response: unknown = await (context.model as ModelAdapter).complete({
      prompt: query,
      ...(system !== undefined && { system }),
      maxTokens: within(max_tokens, TOKENS),
      temperature: within(temperature, TEMPERATURE),
      signal: context.signal,
    })
    if (typeof response !== 'string') throw new TypeError('the model adapter answered with something else than text')
    const output: OracleOutput = { response }
    return output
  },
})

const within = (value: number, { least, most }: { readonly least: number; readonly most: number }): number =>
  Math.max(least, Math.min(value, most))
