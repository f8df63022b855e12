import { defineTool } from '../../../core/define-tool.js'
import { object, whole } from '../../../core/fields.js'
import { lazy } from '../../../core/lazy.js'
import type { AnyTool } from '../../../types/tool.js'
import { outputOf } from '../../outputs/load.js'
import { TERMINAL_COLS, TERMINAL_ROWS } from '../bash-defaults.js'
import { BASH } from './family.js'
import { sessionId } from './input.js'

const resizeInput = object({
  session_id: sessionId(BASH),
  cols: whole('Columns.', TERMINAL_COLS),
  rows: whole('Rows.', TERMINAL_ROWS),
})

const body = lazy(() => import('./bodies.js'))

export const resizeBackgroundBash: AnyTool = defineTool({
  name: 'resize_background_bash',
  description: 'Give the terminal of a background session another size. Only for sessions with a terminal.',
  inputSchema: resizeInput,
  outputSchema: outputOf('resize_background_bash'),
  annotations: { title: 'Resize a terminal', readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  requires: ['shell.spawn'],
  run: async (input, context) => (await body()).runResize(input, context),
})
