import { defineTool } from '../../core/define-tool.js'
import { byDefault, list, object, optional, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { cursor, flag, integer } from '../schema.js'
import { type DiffCheckpointOutput, type ListCheckpointsOutput, listed, more, type RestoreCheckpointOutput } from './outputs.js'

/** Creates the tools `list_checkpoints`, `diff_checkpoint` and `restore_checkpoint`. */
export function metaTools(): AnyTool[] {
  return [listCheckpoints, diffCheckpoint, restoreCheckpoint]
}

const listCheckpointsInput = object({
  limit: integer('Maximum checkpoints.', { min: 1, max: 1000, byDefault: 50 }),
  cursor: cursor(),
})

const body = lazy(() => import('./run.js'))

const listCheckpoints: AnyTool = defineTool({
  name: 'list_checkpoints',
  description:
    'List the checkpoints of the workspace, newest first: saved states of all files, for diff_checkpoint and restore_checkpoint.',
  inputSchema: listCheckpointsInput,
  outputSchema: outputOf('list_checkpoints'),
  annotations: { title: 'List checkpoints', readOnlyHint: true, openWorldHint: false },
  toText: ({ checkpoints, next }: ListCheckpointsOutput) => {
    if (checkpoints.length === 0) return '[No checkpoints]'
    const lines = checkpoints.map(({ id, time, label = '', lost }) => {
      const gap = lost ? `[older checkpoints removed: ${lost.join(', ')}]` : ''
      return [id, time, label, gap].filter(Boolean).join('\t')
    })
    return lines.join('\n') + more(next)
  },
  run: async (input, context) => (await body()).runList(input, context),
})

const diffCheckpointInput = object({
  checkpoint: text('The id of the earlier state, from list_checkpoints.'),
  to: byDefault(text('The id of the later state, or "now" for the current files.'), 'now'),
  path: optional(text('Only this file or directory: absolute, or relative to the workspace.')),
  limit: integer('Maximum changes.', { min: 1, max: 1000, byDefault: 100 }),
  cursor: cursor(),
  diff: flag('Include diffs of text files.', true),
})

const diffCheckpoint: AnyTool = defineTool({
  name: 'diff_checkpoint',
  description: 'Show files created, modified and deleted between a checkpoint and now, or another checkpoint.',
  inputSchema: diffCheckpointInput,
  outputSchema: outputOf('diff_checkpoint'),
  annotations: { title: 'Compare with checkpoint', readOnlyHint: true, openWorldHint: false },
  toText: ({ changes, next, diff }: DiffCheckpointOutput) => {
    if (changes.length === 0) return '[Nothing differs]'
    return listed(changes) + more(next) + (diff ? `\n${diff}` : '')
  },
  run: async (input, context) => (await body()).runDiff(input, context),
})

const restoreCheckpointInput = object({
  checkpoint: text('The id of the checkpoint, from list_checkpoints.'),
  paths: optional(
    list(text('A file or directory, with everything below it.'), {
      min: 1,
      max: 1000,
      description: 'Restore only these paths: absolute, or relative to the workspace. Default: all.',
    }),
  ),
  dry_run: flag('Dry run: only show the changes.', false),
})

const restoreCheckpoint: AnyTool = defineTool({
  name: 'restore_checkpoint',
  description:
    'Restore files to their state at a checkpoint: all files, or those in paths. Files created since then are deleted. The current state is first saved as a new checkpoint, named in "undo".',
  inputSchema: restoreCheckpointInput,
  outputSchema: outputOf('restore_checkpoint'),
  annotations: { title: 'Restore checkpoint', readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  toText: ({ checkpoint, undo, dry_run, changes, total, truncated, left, diff }: RestoreCheckpointOutput) => {
    const cut = truncated ? `\n[${changes.length} of ${total} changes shown]` : ''
    const what = total === 0 ? 'no changes needed' : `${total} ${total === 1 ? 'change' : 'changes'}`
    const head = dry_run ? `Would restore ${checkpoint} (${what})` : `Restored ${checkpoint} (${what}); to undo it, restore ${undo}`
    return `${head}${total === 0 ? '' : `\n${listed(changes)}`}${cut}${left ? `\n[not removed, because they contain files that no checkpoint has: ${left.join(', ')}]` : ''}${diff ? `\n${diff}` : ''}`
  },
  run: async (input, context) => (await body()).runRestore(input, context),
})
