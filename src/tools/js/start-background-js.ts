import { defineTool } from '../../core/define-tool.js'
import { object, optional } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { flag } from '../schema.js'
import { sessionName } from '../shell/session-name.js'
import { args, code, cwd, format, module } from './inputs.js'
import type { JsSettings } from './options.js'

const body = lazy(() => import('./bodies.js'))

const inputSchema = object({
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

export function startBackgroundJs(settings: JsSettings): AnyTool {
  return defineTool({
    name: 'start_background_js',
    description:
      'Start a JavaScript program that goes on beside the calls, and return at once with a session_id for read_background_js, write_background_js and stop_background_js. Give either code or module.',
    inputSchema,
    outputSchema: outputOf('start_background_js'),
    annotations: {
      title: 'Start JavaScript in the background',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    requires: ['js', 'js.spawn'],
    run: async (input, context) => (await body()).startJs(settings, input, context),
  })
}
