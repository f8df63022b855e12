import { defineTool } from '../../core/define-tool.js'
import { anything, object, optional, record, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import { UnsupportedError } from '../../errors/index.js'
import type { AnyTool, ToolContext } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { flag } from '../schema.js'
import type { CustomToolsSettings } from './options.js'
import type { PersistentInput, PersistentOutput } from './persistent.js'

const bodies = lazy(() => import('./bodies.js'))

export const PERSISTENT_TOOL = 'create_persistent_tool'

const inputSchema = object({
  name: text('Name of the tool: letters, numbers, _ . : -'),
  description: text('What it does, for whoever calls it.'),
  handler_code: text(
    'JavaScript: the body of "async function run(input, context)". Return JSON; throw an Error for a failure. Modules: await import("...").',
  ),
  args_schema: optional(record(text(), anything(), 'JSON Schema of its input, with "type": "object" and "properties"; default any.')),
  filename: optional(text('Name of its file, with .js, .mjs or .cjs; default by its name.')),
  overwrite: flag('Replace a tool of yours with this name, or the file.', false),
})

/** `create_persistent_tool`: tools of the runtime it runs in, kept in `directory`. */
export function createPersistentTool(directory: string, settings: CustomToolsSettings): AnyTool {
  return defineTool({
    name: PERSISTENT_TOOL,
    description: `Make a tool of your own: it works from the next call on, and is kept as a file. Its code runs ${settings.trusted ? "in the host's own process" : 'in a sandbox, as that of run_js does'}. All of it is done, or nothing.`,
    inputSchema,
    outputSchema: outputOf('create_persistent_tool'),
    annotations: { title: 'Make a tool', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    requires: settings.trusted ? [] : ['js'],
    run: (input, context) => make(directory, settings, input, context),
  })
}

async function make(
  directory: string,
  settings: CustomToolsSettings,
  input: PersistentInput,
  context: ToolContext,
): Promise<PersistentOutput> {
  const { workspace, host, tools, signal } = context
  if (!tools) throw new UnsupportedError('tools', `Cannot run "${PERSISTENT_TOOL}": this runtime's tools cannot be changed`)
  const { customTool, makeTool, placeIn } = await bodies()
  return makeTool(
    {
      workspace,
      js: context.js,
      trusted: settings.trusted?.(workspace),
      host,
      place: placeIn(tools),
      settings,
      directory: workspace.resolve(directory),
      make: (facts) => customTool(facts, settings),
      signal,
    },
    input,
  )
}
