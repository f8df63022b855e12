import { defineTool } from '../../core/define-tool.js'
import { lazy } from '../../core/lazy.js'
import type { JsSettings } from '../../tools/js/options.js'
import { NOT_BLANK, NOT_BLANK_NO_NUL } from '../../tools/schema.js'
import type { AnyTool, JsonSchema, ToolAnnotations } from '../../types/tool.js'
import { seedSchema } from '../shared/seed-schema.js'
import { backgroundJsTools } from './background-tools.js'
import { readInstall, readRunJs, readRunModule, readStartJs, TIMEOUT } from './js-inputs.js'

const bodies = lazy(() => import('./js-run.js'))
const installing = lazy(() => import('./js-install.js'))

/** Creates the documented tools, in the documented order. */
export function javascriptTools(settings: JsSettings): readonly AnyTool[] {
  return [installTool(settings), runTool(settings), moduleTool(settings), startTool(settings), ...backgroundJsTools()]
}

const ARGS = {
  args: { type: 'array', items: { type: 'string' }, description: 'Arguments of the program' },
}
const CWD = { cwd: { type: 'string', description: 'Directory to run in' } }
const SECONDS = {
  timeout_seconds: {
    type: 'number',
    description: `Seconds until it is stopped, 1 to ${TIMEOUT.most} (default ${TIMEOUT.byDefault})`,
  },
}
const SOURCE = {
  code: { type: 'string', pattern: NOT_BLANK, description: 'JavaScript source text' },
  ...ARGS,
  ...CWD,
  keep_script: { type: 'boolean', description: 'Leave the program as a file in the directory (default false)' },
  runtime: { type: 'string', enum: ['auto', 'node', 'bun'], description: 'What runs it (default auto)' },
  format: { type: 'string', enum: ['module', 'commonjs'], description: 'How it is read (default module)' },
}
const MANAGER = {
  package_manager: { type: 'string', enum: ['auto', 'bun', 'pnpm', 'yarn', 'npm'], description: 'Default auto' },
}

const objectOf = (properties: JsonSchema, required: readonly string[]): JsonSchema => ({ type: 'object', properties, required })

const annotated = (title: string, idempotentHint = false): ToolAnnotations => ({
  title,
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint,
  openWorldHint: true,
})

const installTool = (settings: JsSettings): AnyTool =>
  defineTool({
    name: 'install_js_packages',
    description:
      'Install npm packages in isolated environment: into node_modules of the directory, without running any of their programs. run_js finds them there.',
    inputSchema: seedSchema(
      objectOf(
        {
          packages: {
            type: 'array',
            minItems: 1,
            items: { type: 'string', pattern: NOT_BLANK },
            description: 'Such as nanoid, zod@^4 or @scope/name@latest',
          },
          args: { type: 'array', items: { type: 'string' }, description: 'Flags; all but --save-dev are left aside' },
          dev: { type: 'boolean', description: 'As devDependencies (default false)' },
          ...MANAGER,
          ...CWD,
          ...SECONDS,
        },
        ['packages'],
      ),
      readInstall,
    ),
    annotations: annotated('Install packages', true),
    requires: settings.packageManager ? ['js'] : ['js', 'fetch'],
    run: async (input, context) => (await installing()).installJs(settings, input, context),
  })

const runTool = (settings: JsSettings): AnyTool =>
  defineTool({
    name: 'run_js',
    description: 'Execute JavaScript code with installed packages. Its files are those of the other tools; print with console.log.',
    inputSchema: seedSchema(objectOf({ ...SOURCE, ...SECONDS }, ['code']), readRunJs),
    annotations: annotated('Run JavaScript'),
    requires: ['js'],
    run: async (input, context) => (await bodies()).runJs(settings, input, context),
  })

const moduleTool = (settings: JsSettings): AnyTool =>
  defineTool({
    name: 'run_js_module',
    description: 'Run JavaScript module files, or a program of an installed package by its name.',
    inputSchema: seedSchema(
      objectOf(
        {
          module: { type: 'string', pattern: NOT_BLANK_NO_NUL, description: 'Path of the file, or name of the program' },
          ...ARGS,
          ...MANAGER,
          ...CWD,
          ...SECONDS,
        },
        ['module'],
      ),
      readRunModule,
    ),
    annotations: annotated('Run a JavaScript file'),
    requires: ['js'],
    run: async (input, context) => (await bodies()).runModule(settings, input, context),
  })

const startTool = (settings: JsSettings): AnyTool =>
  defineTool({
    name: 'start_background_js',
    description:
      'Start long-running JavaScript process: answers at once, with a session_id for read_background_js, write_background_js and stop_background_js.',
    inputSchema: seedSchema(
      objectOf(
        {
          ...SOURCE,
          session_name: { type: 'string', description: 'A name for the session' },
          reuse_session: {
            type: 'boolean',
            description: 'If a session of this name runs in this directory, give that one and run nothing (default true)',
          },
        },
        ['code'],
      ),
      readStartJs,
    ),
    annotations: annotated('Start JavaScript in the background'),
    requires: ['js', 'js.spawn'],
    run: async (input, context) => (await bodies()).startJs(settings, input, context),
  })
