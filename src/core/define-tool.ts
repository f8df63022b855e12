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
  /** If `toText` follows `run`, TypeScript infers the type of its argument from `run`. */
  readonly toText?: (output: Output) => string
  readonly run: (input: InferInput<S>, context: ToolContext) => Output | ToolReply<Output> | Promise<Output | ToolReply<Output>>
}

/** Infers the type of `run`'s input from the schema. Registration checks the name and the schema. */
export function defineTool<const S extends SchemaLike, Output>(definition: ToolSource<S, Output>): ToolDefinition<InferInput<S>, Output> {
  // Cast: TypeScript cannot see that `S` is a `SchemaLike<InferInput<S>>`.
  return definition as ToolSource<S, Output> & { readonly inputSchema: JsonSchema }
}

/** Returns an output together with text or images for the model, instead of the output as JSON. */
export function reply<Output>(output: Output, content: readonly ContentPart[]): ToolReply<Output> {
  return { kind: 'toolport.reply', output, content }
}
