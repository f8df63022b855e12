import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { CallContext } from '../../types/runtime.js'
import type { ContentPart } from '../../types/tool.js'
import { anthropicTools } from '../anthropic-tools.js'

/** The memory commands of the model. Paths begin with `/memories`. */
export interface AnthropicMemoryCommands {
  readonly view: {
    command: 'view'
    path: string
    /** First and last line, one-based. A last line of -1 means the end. */
    view_range?: number[]
  }
  readonly create: { command: 'create'; path: string; file_text: string }
  readonly str_replace: { command: 'str_replace'; path: string; old_str: string; new_str: string }
  readonly insert: {
    command: 'insert'
    path: string
    /** The line after which to insert. 0 means before the first line. */
    insert_line: number
    insert_text: string
  }
  readonly delete: { command: 'delete'; path: string }
  readonly rename: { command: 'rename'; old_path: string; new_path: string }
}

type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'

/** One content block of a tool result in the Messages API. */
export type AnthropicMemoryBlock =
  | { type: 'text'; text: string }
  /** `data` is base64. */
  | { type: 'image'; source: { type: 'base64'; media_type: ImageType; data: string } }

/**
 * The `MemoryToolHandlers` of `@anthropic-ai/sdk`, for its `betaMemoryTool`. Each handler rejects with an Error whose message is for the
 * model.
 */
export type AnthropicMemory = {
  [Command in keyof AnthropicMemoryCommands]: (
    command: AnthropicMemoryCommands[Command],
    /** `betaMemoryTool` passes no context. */
    context?: CallContext,
  ) => Promise<string | AnthropicMemoryBlock[]>
}

/** Options of `anthropicMemory`. */
export interface AnthropicMemoryOptions {
  /** The workspace directory behind `/memories`; default `memories`. */
  readonly directory?: string
  /** Stops calls that have no signal of their own. `betaMemoryTool` passes no signal. */
  readonly signal?: AbortSignal
}

const IMAGES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] satisfies readonly ImageType[]

/**
 * Creates handlers for the memory tool of Anthropic's SDK: `betaMemoryTool(anthropicMemory(runtime))`. The workspace stores the files.
 * Every command calls the runtime's own tools (`anthropicTools` with `memory`).
 *
 * @throws TypeError if the runtime lacks a file tool; WorkspaceError for a directory outside the workspace
 */
export function anthropicMemory(runtime: ToolRuntime, { directory, signal }: AnthropicMemoryOptions = {}): AnthropicMemory {
  const tools = anthropicTools(runtime, { memory: directory === undefined ? true : { directory } })
  const handler =
    (command: keyof AnthropicMemoryCommands) =>
    async (input: object, context?: CallContext): Promise<string | AnthropicMemoryBlock[]> => {
      const { text, is_error, content } = await tools.execute('memory', { ...input, command }, { ...(signal && { signal }), ...context })
      // The SDK adds its own `Error: `.
      if (is_error) throw new Error(text.replace(/^Error: /, ''))
      return content ? content.map(toBlock) : text
    }
  return {
    view: handler('view'),
    create: handler('create'),
    str_replace: handler('str_replace'),
    insert: handler('insert'),
    delete: handler('delete'),
    rename: handler('rename'),
  }
}

function toBlock(part: ContentPart): AnthropicMemoryBlock {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { mediaType, data } = part
  if (!IMAGES.includes(mediaType)) return { type: 'text', text: `[${mediaType}]` }
  return { type: 'image', source: { type: 'base64', media_type: mediaType as ImageType, data } }
}
