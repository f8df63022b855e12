import { defineTool } from '../../core/define-tool.js'
import { byDefault, type Field, list, type OptionalField, object, oneOf, optional, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { charactersAtMost, flag, integer, NOT_BLANK, notBlank } from '../schema.js'
import { backgroundTools } from '../shell/background/index.js'
import { sessionName } from '../shell/session-name.js'
import { JS } from './family.js'
import { checkJsOptions, type JsSettings, type JsToolsOptions } from './options.js'

export type { JsToolGrants, JsToolsOptions } from './options.js'

const sessions = backgroundTools(JS)

/**
 * `run_js`, `run_js_module`, `install_js_packages`, and the tools of background programs: `start_ read_ write_ stop_ list_background_js`.
 *
 * @throws {TypeError} for invalid grants and for an invalid registry URL
 */
export function jsTools(options: JsToolsOptions = {}): AnyTool[] {
  const settings = checkJsOptions(options)
  return [runJs(settings), runJsModule(settings), installJsPackages(settings), startBackgroundJs(settings), ...sessions]
}

const MIB = 1024 * 1024
const MOST_ARGS = 1000
const LONGEST_MODULE = 4096

const TIMEOUT_MS = 30_000
const LONGEST_MS = 300_000

const code = (description: string): Field<string> =>
  text(description, { pattern: NOT_BLANK, maxLength: MIB }, [notBlank('is empty: give the program to run'), charactersAtMost(MIB)])

const module = (): Field<string> =>
  text(
    'A program file (.js .mjs .cjs .ts .mts .cts), relative to cwd, or a program of an installed package: its name or "package/program".',
    { pattern: NOT_BLANK, maxLength: LONGEST_MODULE },
    [notBlank('is empty: give a file, or the name of a program'), charactersAtMost(LONGEST_MODULE)],
  )

const args = (): Field<string[]> => byDefault(list(text(), { max: MOST_ARGS, description: 'Arguments: process.argv.slice(2).' }), [])

const stdin = (): OptionalField<string> => optional(text('Standard input. Default: empty.'))

const cwd = (): OptionalField<string> =>
  optional(text('Working directory, also for resolving imports: absolute, or relative to the workspace (default).'))

const format = (): OptionalField<'module' | 'commonjs'> =>
  optional(oneOf(['module', 'commonjs'], 'module (import, top-level await; the default) or commonjs (require).'))

const timeout = (): Field<number> => integer('Timeout in milliseconds.', { min: 1, max: LONGEST_MS, byDefault: TIMEOUT_MS })

const body = lazy(() => import('./run.js'))
const startBody = lazy(() => import('./background-start.js'))

const runJsInput = object({
  code: code('The program, as JavaScript source text.'),
  args: args(),
  stdin: stdin(),
  cwd: cwd(),
  format: format(),
  timeout_ms: timeout(),
})

function runJs(settings: JsSettings): AnyTool {
  return defineTool({
    name: 'run_js',
    description:
      'Run a JavaScript program in the workspace. It uses the same files as the other tools, and can import installed packages (install_js_packages) and workspace modules. Print with console.log, or return one value with "export default". Only files persist between programs. If the program fails, the call still succeeds: check exit_code.',
    inputSchema: runJsInput,
    outputSchema: outputOf('run_js'),
    annotations: { title: 'Run JavaScript', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    requires: ['js'],
    run: async (input, context) => (await body()).runJs(settings, input, context),
  })
}

const runModuleInput = object({ module: module(), args: args(), stdin: stdin(), cwd: cwd(), timeout_ms: timeout() })

function runJsModule(settings: JsSettings): AnyTool {
  return defineTool({
    name: 'run_js_module',
    description:
      'Run a JavaScript or TypeScript file of the workspace, or a command-line program of an installed package. If the program fails, the call still succeeds: check exit_code.',
    inputSchema: runModuleInput,
    outputSchema: outputOf('run_js_module'),
    annotations: {
      title: 'Run a JavaScript file',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    requires: ['js'],
    run: async (input, context) => (await body()).runModule(settings, input, context),
  })
}

const startInput = object({
  code: optional(code('The program, as JavaScript source text.')),
  module: optional(module()),
  args: args(),
  cwd: cwd(),
  format: format(),
  session_name: optional(sessionName('A name ("watcher") to reuse the session by.')),
  reuse_session: flag(
    'If a session with this session_name already runs in this directory, return that session and do not run the program. false: start another one.',
    true,
  ),
})

function startBackgroundJs(settings: JsSettings): AnyTool {
  return defineTool({
    name: 'start_background_js',
    description:
      'Start a JavaScript program in the background and return at once with a session_id for read_background_js, write_background_js and stop_background_js. Pass either code or module.',
    inputSchema: startInput,
    outputSchema: outputOf('start_background_js'),
    annotations: {
      title: 'Start JavaScript in the background',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    requires: ['js', 'js.spawn'],
    run: async (input, context) => (await startBody()).startJs(settings, input, context),
  })
}

const installBody = lazy(() => import('./install.js'))

const MOST_PACKAGES = 100
const LONGEST_NAME = 500

const name = text(undefined, { pattern: NOT_BLANK, maxLength: LONGEST_NAME }, [
  notBlank('is empty: give the name of a package'),
  charactersAtMost(LONGEST_NAME),
])

const installInput = object({
  packages: list(name, {
    max: MOST_PACKAGES,
    description: 'Such as "nanoid", "zod@^4", "yaml@latest", "@scope/name@1.2". Empty: all dependencies in package.json.',
  }),
  dev: flag('Add them to devDependencies.', false),
  cwd: optional(text('The project directory: absolute, or relative to the workspace (default).')),
})

function installJsPackages(settings: JsSettings): AnyTool {
  return defineTool({
    name: 'install_js_packages',
    description: description(settings),
    inputSchema: installInput,
    outputSchema: outputOf('install_js_packages'),
    annotations: { title: 'Install packages', readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    requires: settings.packageManager ? ['js'] : ['js', 'fetch'],
    run: async (input, context) => (await installBody()).runInstall(settings, input, context),
  })
}

function description({ packageManager }: JsSettings): string {
  const what =
    'Install packages from the npm registry into node_modules for run_js and run_js_module. Updates package.json and the lockfile.'
  if (!packageManager)
    return `${what} Install scripts do not run, and packages with native code do not work. If the installation fails, nothing changes.`
  const scripts = packageManager.runsScripts ? '' : ' Install scripts do not run.'
  return `${what} Uses the package manager of the project.${scripts}`
}
