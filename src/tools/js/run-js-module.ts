import { defineTool } from '../../core/define-tool.js'
import { object } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { args, cwd, module, stdin, timeout } from './inputs.js'
import type { JsSettings } from './options.js'

const body = lazy(() => import('./bodies.js'))

const inputSchema = object({ module: module(), args: args(), stdin: stdin(), cwd: cwd(), timeout_ms: timeout() })

export function runJsModule(settings: JsSettings): AnyTool {
  return defineTool({
    name: 'run_js_module',
    description:
      'Run a JavaScript or TypeScript file of the workspace, or a command-line program of an installed package. A program that fails is an answer too: see its exit code.',
    inputSchema,
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
