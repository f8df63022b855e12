import { defineTool } from '../../core/define-tool.js'
import { object } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { args, code, cwd, format, stdin, timeout } from './inputs.js'
import type { JsSettings } from './options.js'

const body = lazy(() => import('./bodies.js'))

const inputSchema = object({
  code: code('The program, as JavaScript source text.'),
  args: args(),
  stdin: stdin(),
  cwd: cwd(),
  format: format(),
  timeout_ms: timeout(),
})

export function runJs(settings: JsSettings): AnyTool {
  return defineTool({
    name: 'run_js',
    description:
      'Run a JavaScript program over the workspace: it reads and writes the files of the other tools, and imports installed packages (install_js_packages) and modules of the workspace. Print with console.log, or give one value with "export default". Nothing lasts from one program to the next but files. A program that fails is an answer too: see its exit code.',
    inputSchema,
    outputSchema: outputOf('run_js'),
    annotations: { title: 'Run JavaScript', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    requires: ['js'],
    run: async (input, context) => (await body()).runJs(settings, input, context),
  })
}
