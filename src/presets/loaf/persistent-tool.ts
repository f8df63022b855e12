import { lazy } from '../../core/lazy.js'
import { InputError } from '../../errors/index.js'
import type { ToolPlace } from '../../tools/custom/custom-registry.js'
import type { CustomToolsSettings } from '../../tools/custom/options.js'
import type { PersistentInput, PersistentOutput } from '../../tools/custom/persistent.js'
import type { AnyTool, ToolContext } from '../../types/tool.js'
import { type Args, seedSchema, stringOf } from '../shared/seed-schema.js'
import type { FindCaller } from './documented.js'
import { ReportedFailure } from './reported-failure.js'
import type { LoafToolRegistry } from './types.js'

/** Options of `createPersistentToolTool`. */
export interface PersistentToolOptions {
  /** The registry for new tools. */
  readonly registry: LoafToolRegistry
  /** Whether a new tool may not use this name. */
  readonly isBuiltinToolName: (name: string) => boolean
}

export const PERSISTENT_TOOL = 'create_persistent_tool'

export interface PersistentToolSettings {
  /** A virtual path. */
  readonly directory: string
  readonly settings: CustomToolsSettings
  /** The registry for the tools of a call. */
  readonly placeFor: (context: ToolContext) => Promise<ToolPlace>
  readonly caller?: FindCaller
}

const bodies = lazy(() => import('./custom-bodies.js'))

const SCHEMA = {
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

/**
 * Creates `create_persistent_tool`. A new tool needs a JavaScript adapter to run. Without an adapter, `create_persistent_tool` reports that
 * and creates nothing.
 */
export function persistentTool(options: PersistentToolSettings): AnyTool {
  return {
    name: PERSISTENT_TOOL,
    description: 'Dynamically creates and registers new tools at runtime',
    inputSchema: seedSchema(SCHEMA, readInput),
    annotations: { title: 'Make a tool', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: (input: PersistentInput, context) => make(options, input, context),
  }
}

/** Reads the fields. Validation happens on creation, in the documented order. */
function readInput(args: Args): PersistentInput {
  return {
    name: stringOf(args, 'name') ?? '',
    description: stringOf(args, 'description') ?? '',
    handler_code: stringOf(args, 'handler_code') ?? '',
    args_schema: args.args_schema,
    filename: stringOf(args, 'filename'),
    overwrite: args.overwrite === true,
  }
}

async function make(options: PersistentToolSettings, input: PersistentInput, context: ToolContext): Promise<PersistentOutput> {
  const { directory, settings, placeFor, caller } = options
  const { workspace, host, js, signal } = context
  if (!js && !settings.trusted)
    throw failed('unsupported', `${PERSISTENT_TOOL} unavailable: this runtime has no JavaScript adapter that loads tools`)
  const { makeCustomTool, makeTool } = await bodies()
  const place = await placeFor(context)
  try {
    const making = { workspace, js, trusted: settings.trusted?.(workspace), host, place, settings, directory, signal }
    return await makeTool({ ...making, make: (facts) => makeCustomTool(facts, settings, caller) }, input)
  } catch (error) {
    if (error instanceof InputError) throw error
    throw failed('error', error instanceof Error ? error.message : String(error))
  }
}

const failed = (status: string, message: string): ReportedFailure => new ReportedFailure({ output: { status, message }, error: message })
