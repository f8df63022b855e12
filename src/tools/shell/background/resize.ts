import * as z from 'zod/mini'
import { defineTool } from '../../../core/define-tool.js'
import { lazy } from '../../../core/lazy.js'
import type { AnyTool } from '../../../types/tool.js'
import { outputOf } from '../../outputs/load.js'
import { TERMINAL_COLS, TERMINAL_ROWS } from '../bash-defaults.js'
import { BASH } from './family.js'
import { sessionId } from './input.js'

const size = (description: string, { min, max }: { readonly min: number; readonly max: number }): z.ZodMiniNumberFormat =>
  z.int().check(z.minimum(min), z.maximum(max), z.describe(description))

const resizeInput = z.strictObject({
  session_id: sessionId(BASH),
  cols: size('Columns.', TERMINAL_COLS),
  rows: size('Rows.', TERMINAL_ROWS),
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
