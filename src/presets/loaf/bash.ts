import { defineTool } from '../../core/define-tool.js'
import { lazy } from '../../core/lazy.js'
import { NO_NUL, NOT_BLANK_NO_NUL } from '../../tools/schema.js'
import type { AnyTool } from '../../types/tool.js'
import { type Args, numberOf, type Refuse, seedSchema, stringOf } from '../shared/seed-schema.js'
import { COLS, ROWS, readStart } from './background-inputs.js'
import { trimmedOf } from './fields.js'
import type { BashInput, FindSession } from './inputs.js'

const DEFAULT_S = 120
const MOST_S = 1200
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

const body = lazy(() => import('./bash-run.js'))

const schema = seedSchema(
  {
    type: 'object',
    properties: {
      command: { type: 'string', pattern: NOT_BLANK_NO_NUL, description: 'Command to run' },
      timeout_seconds: { type: 'number', description: `Seconds until it is stopped, 1 to ${MOST_S} (default ${DEFAULT_S})` },
      cwd: { type: 'string', description: 'Directory to run in, from now on' },
      env: {
        type: 'object',
        propertyNames: { type: 'string', pattern: NAME.source },
        additionalProperties: { type: 'string', pattern: NO_NUL },
        description: 'Variables to set, from now on',
      },
      reset_session: { type: 'boolean', description: 'Forget directory and variables of earlier commands first' },
      run_in_background: {
        type: 'boolean',
        description:
          'Start it and answer at once, with a session_id for read_background_bash, write_background_bash and stop_background_bash',
      },
      session_name: { type: 'string', description: 'In the background: a name for the session' },
      reuse_session: {
        type: 'boolean',
        description: 'In the background: if a session of this name runs in this directory, give that one and run nothing (default true)',
      },
      full_terminal: {
        type: 'boolean',
        description: 'In the background: on a terminal, for interactive programs, where the shell has terminals (default true)',
      },
      terminal_cols: { type: 'number', description: `Columns of the terminal, ${COLS.min} to ${COLS.max} (default ${COLS.byDefault})` },
      terminal_rows: { type: 'number', description: `Rows of the terminal, ${ROWS.min} to ${ROWS.max} (default ${ROWS.byDefault})` },
    },
    required: ['command'],
  },
  readInput,
)

/**
 * Creates `bash`. It runs commands in the foreground, where fields such as `full_terminal` and `terminal_cols` have no effect, or in the
 * background.
 */
export function bash(sessionOf: FindSession): AnyTool {
  return defineTool({
    name: 'bash',
    description:
      'Execute shell commands with timeout and environment control. Directory and exported variables last from one command to the next. The files are those of the other tools; the shell may be a virtual one.',
    inputSchema: schema,
    annotations: { title: 'Run a command', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    requires: ['shell'],
    run: async (input, context) => (await body()).runBash(input, context, sessionOf),
  })
}

function readInput(args: Args, refuse: Refuse): BashInput {
  const command = stringOf(args, 'command') ?? ''
  if (command.trim() === '') refuse('command', 'bash requires a non-empty `command`.')
  if (command.includes('\0')) refuse('command', 'bash `command` must not contain a NUL character.')
  const seconds = Math.floor(numberOf(args, 'timeout_seconds') ?? 0)
  return {
    command,
    timeoutMs: 1000 * (seconds > 0 ? Math.min(seconds, MOST_S) : DEFAULT_S),
    cwd: trimmedOf(args, 'cwd'),
    env: readEnv(Object.hasOwn(args, 'env') ? args.env : undefined, refuse),
    reset: args.reset_session === true,
    background: args.run_in_background === true ? readStart(args) : undefined,
  }
}

function readEnv(given: unknown, refuse: Refuse): Readonly<Record<string, string>> {
  if (given === undefined || given === null) return {}
  if (typeof given !== 'object' || Array.isArray(given)) {
    refuse('env', 'bash `env` must be an object of string values.')
    return {}
  }
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string') refuse('env', `bash \`env.${name}\` must be a string.`)
    // Reject `__proto__`, because a record would drop it silently.
    else if (!NAME.test(name) || name === '__proto__') refuse('env', `bash \`env.${name}\` is no name of a variable.`)
    else if (value.includes('\0')) refuse('env', `bash \`env.${name}\` must not contain a NUL character.`)
    else env[name] = value
  }
  return env
}
