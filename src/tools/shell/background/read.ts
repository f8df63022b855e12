import { defineTool } from '../../../core/define-tool.js'
import { byDefault, object, oneOf } from '../../../core/fields.js'
import { lazy } from '../../../core/lazy.js'
import type { AnyTool } from '../../../types/tool.js'
import { outputOf } from '../../outputs/load.js'
import { flag, integer } from '../../schema.js'
import type { BackgroundFamily } from './family.js'
import { sessionId } from './input.js'

const body = lazy(() => import('./bodies.js'))

export function readBackground(family: BackgroundFamily): AnyTool {
  const { kind, title, requires } = family
  return defineTool({
    name: `read_background_${kind}`,
    description:
      'Read what a background session has printed since the last read, as plain text, the oldest first, and whether it still runs. Set wait_ms rather than asking again and again. A session that has ended can still be read. Of each stream the last 300,000 characters are kept.',
    inputSchema: object({
      session_id: sessionId(family),
      max_chars: integer('Characters of each stream at the most.', { min: 1, max: 120_000, byDefault: 8000 }),
      stream: byDefault(oneOf(['both', 'stdout', 'stderr'], 'Which stream to read; the other one stays unread.'), 'both'),
      peek: flag('Only look: the next read gives the same text again.', false),
      wait_ms: integer('Where nothing is unread, wait up to so many milliseconds for output, or for the end.', {
        min: 0,
        max: 120_000,
        byDefault: 0,
      }),
    }),
    outputSchema: outputOf('read_background'),
    annotations: { title: `Read a ${title}`, readOnlyHint: true },
    requires,
    run: async (input, context) => (await body()).runRead(family, input, context),
  })
}
