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

/** `bash`, and the tools of background sessions: `read_ write_ stop_ list_ resize_background_bash`. */
export function shellTools(): AnyTool[] {
  return [bash, ...sessions, resizeBackgroundBash]
}

const body = lazy(() => import('./bash-run.js'))

const MIB = 1024 * 1024

/** No system accepts a NUL. */
const noNul = refuse((value) => value.includes('\0'), 'must not contain a NUL character')

const PROTO = '__proto__'

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const variables = record(
  text(undefined, { pattern: NAME.source, not: { const: PROTO } }, [
    (name) => (NAME.test(name) ? undefined : { code: 'invalid_format', format: 'regex', pattern: String(NAME) }),
  ]),
  text(undefined, { pattern: NO_NUL }, [noNul]),
  'Variables to export, from now on.',
)

/** A record silently drops this name. */
const env: typeof variables = {
  ...variables,
  read(value, issues) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, PROTO)) return variables.read(value, issues)
    issues.push({ path: [PROTO], message: 'cannot be the name of a variable here' })
    return {}
  },
}

const bashInput = object({
  command: text('What the shell is to run: one command or a whole script.', { pattern: NOT_BLANK_NO_NUL, maxLength: MIB }, [
    notBlank('is empty: give the command to run'),
    charactersAtMost(MIB),
    noNul,
  ]),
  cwd: optional(text('The directory to run in, from now on: absolute, or relative to where the last command ended.')),
  env: optional(env),
  stdin: optional(text('What the command reads from its standard input; default nothing.')),
  timeout_ms: integer('Stop the command after this many milliseconds.', { min: 1, max: 1_200_000, byDefault: TIMEOUT_MS }),
  reset_session: flag('Forget what earlier commands left behind first: directory, variables, functions.', false),
  run_in_background: flag(
    'Start the command and return at once with a session_id: for servers, watchers and programs that ask questions. It begins where the last command ended, and changes nothing for the next one, cwd and env neither.',
    false,
  ),
  session_name: optional(
    sessionName('With run_in_background: a name of your choice ("dev server"), under which the session can be used again.'),
  ),
  reuse_session: flag(
    'With session_name: where a session with this name runs in this directory already, return that one and do not run the command. false: start another one.',
    true,
  ),
  terminal: optional(
    object(
      { cols: integer('Columns.', TERMINAL_COLS), rows: integer('Rows.', TERMINAL_ROWS) },
      'With run_in_background: run on a terminal of this size, for programs that want one (editors, pagers, prompts, REPLs). Standard error is part of stdout then.',
    ),
  ),
})

const bash: AnyTool = defineTool({
  name: 'bash',
  description:
    'Run a command in a shell. Its files are those of the other tools. Directory and exported variables last from one command to the next, in most shells other variables and functions too. What a command leaves running with & ends with it: set run_in_background for what is to go on, then use read_background_bash, write_background_bash and stop_background_bash with its session_id. The shell may be a virtual one with fewer commands and no network. A command that fails is an answer too: see its exit code.',
  inputSchema: bashInput,
  outputSchema: outputOf('bash'),
  annotations: { title: 'Run a command', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  requires: ['shell'],
  run: async (input, context) => (await body()).runBash(input, context),
})
