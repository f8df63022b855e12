import type {
  ContentPart,
  InferInput,
  JsonSchema,
  SchemaLike,
  ToolAnnotations,
  ToolContext,
  ToolDefinition,
  ToolReply,
} from '../types/tool.js'

/** A tool definition whose `input` is inferred from its schema. */
export interface ToolSource<S extends SchemaLike, Output> {
  readonly name: string
  readonly description: string
  readonly inputSchema: S
  readonly outputSchema?: SchemaLike | (() => Promise<SchemaLike>)
  readonly annotations?: ToolAnnotations
  readonly requires?: ToolDefinition['requires']
  /** Written behind `run`, it has its output's type inferred. */
  readonly toText?: (output: Output) => string
  readonly run: (input: InferInput<S>, context: ToolContext) => Output | ToolReply<Output> | Promise<Output | ToolReply<Output>>
}

/** Types a tool: `run` gets what the schema gives. Registering it checks name and schema. */
export function defineTool<const S extends SchemaLike, Output>(definition: ToolSource<S, Output>): ToolDefinition<InferInput<S>, Output> {
  // The schema's own output type is what `InferInput` reads, which TypeScript cannot relate to `SchemaLike<InferInput<S>>`.
  return definition as ToolSource<S, Output> & { readonly inputSchema: JsonSchema }
}

/** An output with words or images of its own for the model, in place of the JSON of the output. */
export function reply<Output>(output: Output, content: readonly ContentPart[]): ToolReply<Output> {
  return { kind: 'toolport.reply', output, content }
}
