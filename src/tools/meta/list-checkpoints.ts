import { defineTool } from '../../core/define-tool.js'
import { object } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { cursor, integer } from '../schema.js'
import { type ListCheckpointsOutput, more } from './outputs.js'

const listCheckpointsInput = object({
  limit: integer('Checkpoints at the most.', { min: 1, max: 1000, byDefault: 50 }),
  cursor: cursor(),
})

const body = lazy(() => import('./bodies.js'))

export const listCheckpoints: AnyTool = defineTool({
  name: 'list_checkpoints',
  description:
    'List the checkpoints of the workspace, the newest first: states that all files had, which diff_checkpoint compares and restore_checkpoint brings back.',
  inputSchema: listCheckpointsInput,
  outputSchema: outputOf('list_checkpoints'),
  annotations: { title: 'List checkpoints', readOnlyHint: true },
  toText: ({ checkpoints, next }: ListCheckpointsOutput) => {
    if (checkpoints.length === 0) return '[No checkpoints]'
    const lines = checkpoints.map(({ id, time, label = '', lost }) => {
      const gap = lost ? `[before it, ${lost.join(', ').replace(/, (\w+)$/, ' and $1')} ${lost.length > 1 ? 'were' : 'was'} removed]` : ''
      return [id, time, label, gap].filter(Boolean).join('\t')
    })
    return lines.join('\n') + more(next)
  },
  run: async (input, context) => (await body()).runList(input, context),
})
