import type { LoafInputSchema, LoafToolDefinition, LoafToolRegistry } from './types.js'

export interface PersistentToolOptions {
  /** Where the tools that are made are registered. */
  readonly registry: LoafToolRegistry
  /** Names that no such tool may take. */
  readonly isBuiltinToolName: (name: string) => boolean
}

export const PERSISTENT_TOOL = 'create_persistent_tool'

const SCHEMA: LoafInputSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Name of the tool: letters, numbers, _ . : -' },
    description: { type: 'string', description: 'What it does' },
    handler_code: { type: 'string', description: 'Body of async run(input, context)' },
    args_schema: { type: 'object', description: 'JSON Schema of its input' },
    filename: { type: 'string', description: 'File name, with .js, .mjs or .cjs' },
    overwrite: { type: 'boolean', description: 'Replace a tool that is there (default false)' },
  },
  required: ['name', 'description', 'handler_code'],
}

/** `create_persistent_tool`. To run code that is written at run time takes a JavaScript adapter that loads tools: it says so, and makes nothing. */
export function createPersistentToolTool(_: PersistentToolOptions): LoafToolDefinition {
  const message = `${PERSISTENT_TOOL} unavailable: this runtime has no JavaScript adapter that loads tools`
  return {
    name: PERSISTENT_TOOL,
    description: 'Dynamically creates and registers new tools at runtime',
    inputSchema: SCHEMA,
    run: () => ({ ok: false, output: { status: 'unsupported', message }, error: message }),
  }
}
