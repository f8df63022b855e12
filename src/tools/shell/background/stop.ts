import * as z from 'zod/mini'
import { defineTool } from '../../../core/define-tool.js'
import { lazy } from '../../../core/lazy.js'
import type { AnyTool } from '../../../types/tool.js'
import { flag, integer } from '../../schema.js'
import { sessionId } from './input.js'

const stopInput = z.strictObject({
  session_id: sessionId(),
  force: flag('Kill it at once.', false),
  grace_ms: integer('How long it has to end by itself before it is killed.', { min: 0, max: 60_000, byDefault: 2000 }),
})

const body = lazy(() => import('./bodies.js'))

export const stopBackgroundBash: AnyTool = defineTool({
  name: 'stop_background_bash',
  description:
    'End a background session with all its processes: it is asked to end, and killed when it does not. What it printed can still be read.',
  inputSchema: stopInput,
  annotations: { title: 'Stop a background session', readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  requires: ['shell.spawn'],
  run: async (input, context) => (await body()).runStop(input, context),
})
