import { defineTool } from '../../../core/define-tool.js'
import { object } from '../../../core/fields.js'
import { lazy } from '../../../core/lazy.js'
import type { AnyTool } from '../../../types/tool.js'
import { outputOf } from '../../outputs/load.js'
import { flag, integer } from '../../schema.js'
import type { BackgroundFamily } from './family.js'
import { sessionId } from './input.js'

const body = lazy(() => import('./bodies.js'))

export function stopBackground(family: BackgroundFamily): AnyTool {
  const { kind, title, requires } = family
  return defineTool({
    name: `stop_background_${kind}`,
    description:
      'End a background session with all its processes: it is asked to end, and killed when it does not. What it printed can still be read.',
    inputSchema: object({
      session_id: sessionId(family),
      force: flag('Kill it at once.', false),
      grace_ms: integer('How long it has to end by itself before it is killed.', { min: 0, max: 60_000, byDefault: 2000 }),
    }),
    outputSchema: outputOf('stop_background'),
    annotations: { title: `Stop a ${title}`, readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    requires,
    run: async (input, context) => (await body()).runStop(family, input, context),
  })
}
