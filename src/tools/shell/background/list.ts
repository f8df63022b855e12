import { defineTool } from '../../../core/define-tool.js'
import { object } from '../../../core/fields.js'
import { lazy } from '../../../core/lazy.js'
import type { AnyTool } from '../../../types/tool.js'
import { outputOf } from '../../outputs/load.js'
import { flag } from '../../schema.js'
import type { BackgroundFamily } from './family.js'

const listInput = object({
  include_exited: flag('List those too that have ended: what they printed can still be read.', false),
})

const body = lazy(() => import('./bodies.js'))

export function listBackground(family: BackgroundFamily): AnyTool {
  const { kind, whose, title, requires } = family
  return defineTool({
    name: `list_background_${kind}`,
    description: `List the background sessions of ${whose}, the newest first, with how much of their output is unread.`,
    inputSchema: listInput,
    outputSchema: outputOf('list_background'),
    annotations: { title: `List ${title}s`, readOnlyHint: true },
    requires,
    run: async (input, context) => (await body()).runList(family, input, context),
  })
}
