import { defineTool } from '../../core/define-tool.js'
import { list, object, optional, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { flag } from '../schema.js'
import { listed, type RestoreCheckpointOutput } from './outputs.js'

const restoreCheckpointInput = object({
  checkpoint: text('The id of the state to bring back, from list_checkpoints.'),
  paths: optional(
    list(text('A file or directory, with everything below it.'), {
      min: 1,
      max: 1000,
      description: 'Bring back only these: absolute, or relative to the workspace. Default everything.',
    }),
  ),
  dry_run: flag('Show what would change without changing it.', false),
})

const body = lazy(() => import('./bodies.js'))

export const restoreCheckpoint: AnyTool = defineTool({
  name: 'restore_checkpoint',
  description:
    'Bring files back to what they were at a checkpoint: all of them, or those in paths. What was created since is deleted. The state before is kept as a checkpoint of its own, named in "undo".',
  inputSchema: restoreCheckpointInput,
  outputSchema: outputOf('restore_checkpoint'),
  annotations: { title: 'Restore checkpoint', readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  toText: ({ checkpoint, undo, dry_run, changes, total, truncated, left, diff }: RestoreCheckpointOutput) => {
    const cut = truncated ? `\n[${changes.length} of ${total} changes shown]` : ''
    const what = total === 0 ? 'nothing had to change' : `${total} ${total === 1 ? 'change' : 'changes'}`
    const head = dry_run ? `Would restore ${checkpoint} (${what})` : `Restored ${checkpoint} (${what}); to undo it, restore ${undo}`
    return `${head}${total === 0 ? '' : `\n${listed(changes)}`}${cut}${left ? `\n[left, for they hold what no checkpoint has: ${left.join(', ')}]` : ''}${diff ? `\n${diff}` : ''}`
  },
  run: async (input, context) => (await body()).runRestore(input, context),
})
