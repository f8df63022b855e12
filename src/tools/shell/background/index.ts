import { defineTool } from '../../../core/define-tool.js'
import { byDefault, type Field, object, oneOf, optional, text, whole } from '../../../core/fields.js'
import { lazy } from '../../../core/lazy.js'
import { SESSION_KEYS } from '../../../sessions/keys.js'
import type { AnyTool } from '../../../types/tool.js'
import { outputOf } from '../../outputs/load.js'
import { charactersAtMost, flag, integer } from '../../schema.js'
import { TERMINAL_COLS, TERMINAL_ROWS } from '../bash-defaults.js'
import { BASH, type BackgroundFamily } from './family.js'

/** Creates the tools `read_`, `write_`, `stop_` and `list_background_bash`, or the same tools for another kind of session. */
export function backgroundTools(family: BackgroundFamily): AnyTool[] {
  return [readBackground(family), writeBackground(family), stopBackground(family), listBackground(family)]
}

/** The input field that names the session. */
const sessionId = ({ starter, kind }: BackgroundFamily): Field<string> => text(`The session_id from ${starter} or list_background_${kind}.`)

const body = lazy(() => import('./run.js'))

function readBackground(family: BackgroundFamily): AnyTool {
  const { kind, title, requires } = family
  return defineTool({
    name: `read_background_${kind}`,
    description:
      'Read the output of a background session since the last read, as plain text, oldest first, and whether the session still runs. Set wait_ms instead of polling. Ended sessions can still be read. The last 300,000 characters of each stream are kept.',
    inputSchema: object({
      session_id: sessionId(family),
      max_chars: integer('Maximum characters per stream.', { min: 1, max: 120_000, byDefault: 8000 }),
      stream: byDefault(oneOf(['both', 'stdout', 'stderr'], 'Which stream to read; the other one stays unread.'), 'both'),
      peek: flag('Keep the text unread: the next read returns it again.', false),
      wait_ms: integer('If nothing is unread, wait up to this many milliseconds for output or the end.', {
        min: 0,
        max: 120_000,
        byDefault: 0,
      }),
    }),
    outputSchema: outputOf('read_background'),
    annotations: { title: `Read a ${title}`, readOnlyHint: true, openWorldHint: false },
    requires,
    run: async (input, context) => (await body()).runRead(family, input, context),
  })
}

const MIB = 1024 * 1024

function writeBackground(family: BackgroundFamily): AnyTool {
  const { kind, title, requires } = family
  return defineTool({
    name: `write_background_${kind}`,
    description: `Send text or a key to a background session: answer a prompt, enter a line in a REPL, interrupt with ctrl+c. Then read the output with read_background_${kind} and wait_ms. While input is unread, a write that would exceed 1 MiB of unread input is rejected.`,
    inputSchema: object({
      session_id: sessionId(family),
      input: optional(
        text('Text to send to its standard input; Enter is added (append_newline).', { maxLength: MIB }, [charactersAtMost(MIB)]),
      ),
      key: optional(
        text(
          `Instead of input, a key to press: ${SESSION_KEYS.join(', ')}. Without a terminal ctrl+c interrupts and ctrl+d ends the input.`,
        ),
      ),
      repeat: integer('Number of key presses.', { min: 1, max: 100, byDefault: 1 }),
      append_newline: flag('Press Enter after the input.', true),
    }),
    outputSchema: outputOf('write_background'),
    annotations: {
      title: `Write to a ${title}`,
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    requires,
    run: async (input, context) => (await body()).runWrite(family, input, context),
  })
}

const resizeInput = object({
  session_id: sessionId(BASH),
  cols: whole('Columns.', TERMINAL_COLS),
  rows: whole('Rows.', TERMINAL_ROWS),
})

export const resizeBackgroundBash: AnyTool = defineTool({
  name: 'resize_background_bash',
  description: 'Resize the terminal of a background session. Only for sessions with a terminal.',
  inputSchema: resizeInput,
  outputSchema: outputOf('resize_background_bash'),
  annotations: { title: 'Resize a terminal', readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  requires: ['shell.spawn'],
  run: async (input, context) => (await body()).runResize(input, context),
})

function stopBackground(family: BackgroundFamily): AnyTool {
  const { kind, title, requires } = family
  return defineTool({
    name: `stop_background_${kind}`,
    description:
      'Stop a background session and all its processes: ask it to end, then kill it if it does not. Its output can still be read.',
    inputSchema: object({
      session_id: sessionId(family),
      force: flag('Kill it at once.', false),
      grace_ms: integer('Milliseconds to end before it is killed.', { min: 0, max: 60_000, byDefault: 2000 }),
    }),
    outputSchema: outputOf('stop_background'),
    annotations: { title: `Stop a ${title}`, readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    requires,
    run: async (input, context) => (await body()).runStop(family, input, context),
  })
}

const listInput = object({
  include_exited: flag('Include ended sessions, whose output can still be read.', false),
})

function listBackground(family: BackgroundFamily): AnyTool {
  const { kind, whose, title, requires } = family
  return defineTool({
    name: `list_background_${kind}`,
    description: `List the background sessions of ${whose}, newest first, with the amount of unread output.`,
    inputSchema: listInput,
    outputSchema: outputOf('list_background'),
    annotations: { title: `List ${title}s`, readOnlyHint: true, openWorldHint: false },
    requires,
    run: async (input, context) => (await body()).runList(family, input, context),
  })
}
