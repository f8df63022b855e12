import { defineTool } from '../../core/define-tool.js'
import { object, optional, record, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { charactersAtMost, flag, integer, NO_NUL, NOT_BLANK_NO_NUL, notBlank, refuse } from '../schema.js'
import { BASH } from './background/family.js'
import { backgroundTools, resizeBackgroundBash } from './background/index.js'
import { TERMINAL_COLS, TERMINAL_ROWS, TIMEOUT_MS } from './bash-defaults.js'
import { sessionName } from './session-name.js'

const sessions = backgroundTools(BASH)

/** Creates the tool `bash`, and the tools of background sessions: `read_ write_ stop_ list_ resize_background_bash`. */
export function shellTools(): AnyTool[] {
  return [bash, ...sessions, resizeBackgroundBash]
}

const body = lazy(() => import('./bash-run.js'))

const MIB = 1024 * 1024

/** Rejects a NUL, which no system accepts. */
const noNul = refuse((value) => value.includes('\0'), 'must not contain a NUL character')

const PROTO = '__proto__'

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const variables = record(
  text(undefined, { pattern: NAME.source }, [
    (name) => (NAME.test(name) ? undefined : { code: 'invalid_format', format: 'regex', pattern: String(NAME) }),
  ]),
  text(undefined, { pattern: NO_NUL }, [noNul]),
  'Variables to export, also for later commands.',
)

/**
 * The environment variables. Rejects the name `__proto__`, which a record would silently drop. The schema does not exclude the name, because
 * clients that convert schemas with zod drop tools whose schema contains `not`. So only the runtime rejects the name. A client that parses
 * the input with a zod record may drop the variable before the call.
 */
const env: typeof variables = {
  ...variables,
  read(value, issues) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, PROTO)) return variables.read(value, issues)
    issues.push({ path: [PROTO], message: 'is not allowed as a variable name' })
    return {}
  },
}

const bashInput = object({
  command: text('A command or a script.', { pattern: NOT_BLANK_NO_NUL, maxLength: MIB }, [
    notBlank('is empty: pass the command to run'),
    charactersAtMost(MIB),
    noNul,
  ]),
  cwd: optional(text('Working directory, also for later commands: absolute, or relative to the current one.')),
  env: optional(env),
  stdin: optional(text('Standard input. Default: empty.')),
  timeout_ms: integer('Timeout in milliseconds.', { min: 1, max: 1_200_000, byDefault: TIMEOUT_MS }),
  reset_session: flag('First reset directory, variables and functions from earlier commands.', false),
  run_in_background: flag(
    'Start the command and return at once with a session_id: for servers, watchers and interactive programs. It starts in the current directory and does not affect later commands, including cwd and env.',
    false,
  ),
  session_name: optional(sessionName('With run_in_background: a name ("dev server") to reuse the session by.')),
  reuse_session: flag(
    'If a session with this session_name already runs in this directory, return that session and do not run the command. false: start another one.',
    true,
  ),
  terminal: optional(
    object(
      { cols: integer('Columns.', TERMINAL_COLS), rows: integer('Rows.', TERMINAL_ROWS) },
      'With run_in_background: run on a terminal of this size, for programs that need one (editors, pagers, prompts, REPLs). stdout then includes standard error.',
    ),
  ),
})

const bash: AnyTool = defineTool({
  name: 'bash',
  description:
    'Run a command in a shell, on the same files as the other tools. The directory and exported variables persist between commands; in most shells other variables and functions do too. Processes started with & end with their command: for long-running ones set run_in_background, then use read_background_bash, write_background_bash and stop_background_bash with the session_id. The shell may be virtual, with fewer commands and no network. If the command fails, the call still succeeds: check exit_code.',
  inputSchema: bashInput,
  outputSchema: outputOf('bash'),
  annotations: { title: 'Run a command', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  requires: ['shell'],
  run: async (input, context) => (await body()).runBash(input, context),
})
