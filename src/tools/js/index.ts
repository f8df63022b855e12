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
    'A file with a program (.js .mjs .cjs .ts .mts .cts), from cwd on; or a program of an installed package: its name, or "package/program".',
    { pattern: NOT_BLANK, maxLength: LONGEST_MODULE },
    [notBlank('is empty: give a file, or the name of a program'), charactersAtMost(LONGEST_MODULE)],
  )

const args = (): Field<string[]> =>
  byDefault(list(text(), { max: MOST_ARGS, description: 'Its arguments: process.argv from the third on.' }), [])

const stdin = (): OptionalField<string> => optional(text('What it reads from its standard input; default nothing.'))

const cwd = (): OptionalField<string> =>
  optional(text('The directory to run in, where imports are looked up too: absolute, or relative to the workspace, which is the default.'))

const format = (): OptionalField<'module' | 'commonjs'> =>
  optional(oneOf(['module', 'commonjs'], 'module (import, top-level await; the default) or commonjs (require).'))

const timeout = (): Field<number> => integer('Stop it after this many milliseconds.', { min: 1, max: LONGEST_MS, byDefault: TIMEOUT_MS })

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
      'Run a JavaScript program over the workspace: it reads and writes the files of the other tools, and imports installed packages (install_js_packages) and modules of the workspace. Print with console.log, or give one value with "export default". Nothing lasts from one program to the next but files. A program that fails is an answer too: see its exit code.',
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
      'Run a JavaScript or TypeScript file of the workspace, or a command-line program of an installed package. A program that fails is an answer too: see its exit code.',
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
  session_name: optional(sessionName('A name of your choice ("watcher"), under which the session can be used again.')),
  reuse_session: flag(
    'With session_name: where a session with this name runs in this directory already, return that one and do not run the program. false: start another one.',
    true,
  ),
})

function startBackgroundJs(settings: JsSettings): AnyTool {
  return defineTool({
    name: 'start_background_js',
    description:
      'Start a JavaScript program that goes on beside the calls, and return at once with a session_id for read_background_js, write_background_js and stop_background_js. Give either code or module.',
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
    description: 'Such as "nanoid", "zod@^4", "yaml@latest", "@scope/name@1.2". Empty: what package.json asks for.',
  }),
  dev: flag('Add them to devDependencies.', false),
  cwd: optional(text('The directory of the project: absolute, or relative to the workspace, which is the default.')),
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
    'Install packages from the npm registry into node_modules, for run_js and run_js_module to import: package.json and a lock file are written too.'
  if (!packageManager)
    return `${what} No program of a package runs while it is installed, and packages with native parts do not work. All of it is done, or nothing.`
  const scripts = packageManager.runsScripts ? '' : ' No program of a package runs while it is installed.'
  return `${what} The package manager of the project does it.${scripts}`
}
