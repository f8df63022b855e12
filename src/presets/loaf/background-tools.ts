import { defineTool } from '../../core/define-tool.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool, JsonSchema, ToolAnnotations } from '../../types/tool.js'
import { seedSchema } from '../shared/seed-schema.js'
import { BASH, JS, type LoafFamily } from './background-family.js'
import { COLS, READ, REPEAT, ROWS, readList, readRead, readResize, readStop, readWrite, readWriteJs } from './background-inputs.js'

const body = lazy(() => import('./background-run.js'))

const sessionOf = ({ source }: LoafFamily): JsonSchema => ({ session_id: { type: 'string', description: `Id that ${source}` } })

const objectOf = (properties: JsonSchema, required: readonly string[]): JsonSchema => ({ type: 'object', properties, required })

/** Creates `read_background_bash` and related tools. */
export function backgroundBashTools(): readonly AnyTool[] {
  return [readTool(BASH), writeBashTool(), stopTool(BASH), listTool(BASH), resizeTool()]
}

/** Creates `read_background_js` and related tools. */
export function backgroundJsTools(): readonly AnyTool[] {
  return [readTool(JS), writeJsTool(), stopTool(JS), listTool(JS)]
}

const annotated = (title: string, more: ToolAnnotations = {}): ToolAnnotations => ({ title, readOnlyHint: false, ...more })

const readTool = (family: LoafFamily): AnyTool =>
  defineTool({
    name: `read_background_${family.kind}`,
    description: `Read output from a background ${family.noun}: what came since the last read, the oldest first, without control sequences. Works after its end too.`,
    inputSchema: seedSchema(
      objectOf(
        {
          ...sessionOf(family),
          max_chars: { type: 'number', description: `Characters of each stream, 1 to ${READ.max} (default ${READ.byDefault})` },
          stream: { type: 'string', enum: ['both', 'stdout', 'stderr'], description: 'Which stream (default both)' },
          peek: { type: 'boolean', description: 'Look without counting it as read (default false)' },
        },
        ['session_id'],
      ),
      readRead,
    ),
    annotations: annotated(`Read a ${family.title}`, { readOnlyHint: true, idempotentHint: false, openWorldHint: false }),
    requires: family.requires,
    run: async (input, context) => (await body()).readBackground(family, input, context),
  })

const writeBashTool = (): AnyTool =>
  defineTool({
    name: 'write_background_bash',
    description: 'Send input to a background bash session: a text, or a key such as enter, up or ctrl+c.',
    inputSchema: seedSchema(
      objectOf(
        {
          ...sessionOf(BASH),
          input: { type: 'string', description: 'Text to type' },
          key: {
            type: 'string',
            description:
              'Key to press instead: enter, tab, esc, up, down, left, right, home, end, pgup, pgdown, backspace, delete, ctrl+c, ctrl+d, ctrl+z',
          },
          repeat: { type: 'number', description: `Times to press the key, 1 to ${REPEAT.max} (default ${REPEAT.byDefault})` },
          append_newline: { type: 'boolean', description: 'End the text with a line break (default true)' },
        },
        ['session_id'],
      ),
      readWrite,
    ),
    annotations: annotated('Write to a background session', { destructiveHint: true, idempotentHint: false, openWorldHint: true }),
    requires: BASH.requires,
    run: async (input, context) => (await body()).writeBackground(BASH, input, context),
  })

const writeJsTool = (): AnyTool =>
  defineTool({
    name: 'write_background_js',
    description: 'Send input to a background JavaScript process: text for its standard input.',
    inputSchema: seedSchema(
      objectOf(
        {
          ...sessionOf(JS),
          input: { type: 'string', description: 'Text to send; may be empty' },
          append_newline: { type: 'boolean', description: 'End the text with a line break (default true)' },
        },
        ['session_id', 'input'],
      ),
      readWriteJs,
    ),
    annotations: annotated('Write to a background JavaScript process', {
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    }),
    requires: JS.requires,
    run: async (input, context) => (await body()).writeBackground(JS, input, context),
  })

const stopTool = (family: LoafFamily): AnyTool =>
  defineTool({
    name: `stop_background_${family.kind}`,
    description: `Stop a background ${family.noun}. It is asked to end; if it goes on, stop it again with force.`,
    inputSchema: seedSchema(
      objectOf(
        { ...sessionOf(family), force: { type: 'boolean', description: 'Do not ask: SIGKILL instead of SIGTERM (default false)' } },
        ['session_id'],
      ),
      readStop,
    ),
    annotations: annotated(`Stop a ${family.title}`, { destructiveHint: true, idempotentHint: true, openWorldHint: false }),
    requires: family.requires,
    run: async (input, context) => (await body()).stopBackground(family, input, context),
  })

const listTool = (family: LoafFamily): AnyTool =>
  defineTool({
    name: `list_background_${family.kind}`,
    description: `List active background ${family.nouns}, the newest first, each with how much output is unread.`,
    inputSchema: seedSchema(
      objectOf({ include_exited: { type: 'boolean', description: 'Those that have ended, too (default false)' } }, []),
      readList,
    ),
    annotations: annotated(`List ${family.titles}`, { readOnlyHint: true, idempotentHint: true, openWorldHint: false }),
    requires: family.requires,
    run: async (input, context) => (await body()).listBackground(family, input, context),
  })

const resizeTool = (): AnyTool =>
  defineTool({
    name: 'resize_background_bash',
    description: 'Resize background bash terminal. Only for a session that has one: full_terminal true in its list entry.',
    inputSchema: seedSchema(
      objectOf(
        {
          ...sessionOf(BASH),
          cols: { type: 'number', description: `Columns, ${COLS.min} to ${COLS.max}` },
          rows: { type: 'number', description: `Rows, ${ROWS.min} to ${ROWS.max}` },
        },
        ['session_id', 'cols', 'rows'],
      ),
      readResize,
    ),
    annotations: annotated('Resize a terminal', { destructiveHint: false, idempotentHint: true, openWorldHint: false }),
    requires: BASH.requires,
    run: async (input, context) => (await body()).resizeBackground(input, context),
  })
