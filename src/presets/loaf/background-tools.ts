import { defineTool } from '../../core/define-tool.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool, JsonSchema, ToolAnnotations } from '../../types/tool.js'
import { seedSchema } from '../shared/seed-schema.js'
import { COLS, READ, REPEAT, ROWS, readList, readRead, readResize, readStop, readWrite } from './background-inputs.js'

const body = lazy(() => import('./background-run.js'))

const SESSION = { session_id: { type: 'string', description: 'Id that bash gave for run_in_background' } }

const objectOf = (properties: JsonSchema, required: readonly string[]): JsonSchema => ({ type: 'object', properties, required })

/** `read_background_bash` and the others of its family. */
export function backgroundTools(): readonly AnyTool[] {
  return [readTool, writeTool, stopTool, listTool, resizeTool]
}

const annotated = (title: string, more: ToolAnnotations = {}): ToolAnnotations => ({ title, readOnlyHint: false, ...more })

const readTool: AnyTool = defineTool({
  name: 'read_background_bash',
  description:
    'Read output from a background bash session: what came since the last read, the oldest first, without control sequences. Works after its end too.',
  inputSchema: seedSchema(
    objectOf(
      {
        ...SESSION,
        max_chars: { type: 'number', description: `Characters of each stream, 1 to ${READ.max} (default ${READ.byDefault})` },
        stream: { type: 'string', enum: ['both', 'stdout', 'stderr'], description: 'Which stream (default both)' },
        peek: { type: 'boolean', description: 'Look without counting it as read (default false)' },
      },
      ['session_id'],
    ),
    readRead,
  ),
  annotations: annotated('Read a background session', { readOnlyHint: true, idempotentHint: false, openWorldHint: false }),
  requires: ['shell', 'shell.spawn'],
  run: async (input, context) => (await body()).readBackground(input, context),
})

const writeTool: AnyTool = defineTool({
  name: 'write_background_bash',
  description: 'Send input to a background bash session: a text, or a key such as enter, up or ctrl+c.',
  inputSchema: seedSchema(
    objectOf(
      {
        ...SESSION,
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
  requires: ['shell', 'shell.spawn'],
  run: async (input, context) => (await body()).writeBackground(input, context),
})

const stopTool: AnyTool = defineTool({
  name: 'stop_background_bash',
  description: 'Stop a background bash session. It is asked to end; if it goes on, stop it again with force.',
  inputSchema: seedSchema(
    objectOf({ ...SESSION, force: { type: 'boolean', description: 'Do not ask: SIGKILL instead of SIGTERM (default false)' } }, [
      'session_id',
    ]),
    readStop,
  ),
  annotations: annotated('Stop a background session', { destructiveHint: true, idempotentHint: true, openWorldHint: false }),
  requires: ['shell', 'shell.spawn'],
  run: async (input, context) => (await body()).stopBackground(input, context),
})

const listTool: AnyTool = defineTool({
  name: 'list_background_bash',
  description: 'List active background bash sessions, the newest first, each with how much output is unread.',
  inputSchema: seedSchema(
    objectOf({ include_exited: { type: 'boolean', description: 'Those that have ended, too (default false)' } }, []),
    readList,
  ),
  annotations: annotated('List background sessions', { readOnlyHint: true, idempotentHint: true, openWorldHint: false }),
  requires: ['shell', 'shell.spawn'],
  run: async (input, context) => (await body()).listBackground(input, context),
})

const resizeTool: AnyTool = defineTool({
  name: 'resize_background_bash',
  description: 'Resize background bash terminal. Only for a session that has one: full_terminal true in its list entry.',
  inputSchema: seedSchema(
    objectOf(
      {
        ...SESSION,
        cols: { type: 'number', description: `Columns, ${COLS.min} to ${COLS.max}` },
        rows: { type: 'number', description: `Rows, ${ROWS.min} to ${ROWS.max}` },
      },
      ['session_id', 'cols', 'rows'],
    ),
    readResize,
  ),
  annotations: annotated('Resize a terminal', { destructiveHint: false, idempotentHint: true, openWorldHint: false }),
  requires: ['shell', 'shell.spawn'],
  run: async (input, context) => (await body()).resizeBackground(input, context),
})
