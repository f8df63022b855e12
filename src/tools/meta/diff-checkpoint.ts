import { defineTool } from '../../core/define-tool.js'
import { byDefault, object, optional, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { cursor, flag, integer } from '../schema.js'
import { type DiffCheckpointOutput, listed, more } from './outputs.js'

const diffCheckpointInput = object({
  checkpoint: text('The id of the earlier state, from list_checkpoints.'),
  to: byDefault(text('The id of the later state; "now" for the files as they are.'), 'now'),
  path: optional(text('Only this file or directory: absolute, or relative to the workspace.')),
  limit: integer('Changes at the most.', { min: 1, max: 1000, byDefault: 100 }),
  cursor: cursor(),
  diff: flag('Show what changed in text files, not only which.', true),
})

const body = lazy(() => import('./bodies.js'))

export const diffCheckpoint: AnyTool = defineTool({
  name: 'diff_checkpoint',
  description: 'Show what was created, modified and deleted between a checkpoint and now, or another checkpoint.',
  inputSchema: diffCheckpointInput,
  outputSchema: outputOf('diff_checkpoint'),
  annotations: { title: 'Compare with checkpoint', readOnlyHint: true },
  toText: ({ changes, next, diff }: DiffCheckpointOutput) => {
    if (changes.length === 0) return '[Nothing differs]'
    return listed(changes) + more(next) + (diff ? `\n${diff}` : '')
  },
  run: async (input, context) => (await body()).runDiff(input, context),
})
