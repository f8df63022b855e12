import { defineTool } from '../../core/define-tool.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { type Args, numberOf, type Refuse, seedSchema, stringOf } from '../shared/seed-schema.js'
import { trimmedOf } from './fields.js'
import type { BashInput, FindSession } from './inputs.js'

const DEFAULT_S = 120
const MOST_S = 1200

const body = lazy(() => import('./bash-run.js'))

const schema = seedSchema(
  {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'Command to run' },
      timeout_seconds: { type: 'number', description: `Seconds until it is stopped, 1 to ${MOST_S} (default ${DEFAULT_S})` },
      cwd: { type: 'string', description: 'Directory to run in, from now on' },
      env: { type: 'object', additionalProperties: { type: 'string' }, description: 'Variables to set, from now on' },
      reset_session: { type: 'boolean', description: 'Forget directory and variables of earlier commands first' },
      run_in_background: { type: 'boolean', description: 'Not available here: every command runs in the foreground' },
    },
    required: ['command'],
  },
  readInput,
)

/** In the foreground. `full_terminal`, `terminal_cols`, ... are accepted, and mean nothing there. */
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
    background: args.run_in_background === true,
  }
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

function readEnv(given: unknown, refuse: Refuse): Readonly<Record<string, string>> {
  if (given === undefined || given === null) return {}
  if (typeof given !== 'object' || Array.isArray(given)) {
    refuse('env', 'bash `env` must be an object of string values.')
    return {}
  }
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string') refuse('env', `bash \`env.${name}\` must be a string.`)
    // A record leaves `__proto__` out without a word.
    else if (!NAME.test(name) || name === '__proto__') refuse('env', `bash \`env.${name}\` is no name of a variable.`)
    else if (value.includes('\0')) refuse('env', `bash \`env.${name}\` must not contain a NUL character.`)
    else env[name] = value
  }
  return env
}
