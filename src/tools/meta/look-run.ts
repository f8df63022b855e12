import type { ToolContext } from '../../types/tool.js'
import { isWithin } from '../../workspace/paths.js'
import { badCursor, cursorOf, fromCursor } from '../search/pages.js'
import type { DiffCheckpointOutput, ListCheckpointsOutput } from './outputs.js'
import { describeChange, diffText } from './shown-changes.js'

export interface ListInput {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** The body of `list_checkpoints`. The cursor is the last id that was given: new ones come before it, and do not move it. */
export async function runList({ limit, cursor }: ListInput, { workspace }: ToolContext): Promise<ListCheckpointsOutput> {
  const all = (await workspace.checkpoints()).toReversed()
  const start = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1
  if (cursor !== undefined && start === 0) throw badCursor(cursor)
  const page = all.slice(start, start + limit)
  const last = page.at(-1)
  const truncated = start + page.length < all.length
  return {
    checkpoints: page.map(({ id, time, label, lost }) => ({
      id,
      time: new Date(time).toISOString(),
      ...(label !== undefined && { label }),
      ...(lost && { lost }),
    })),
    total: all.length,
    truncated,
    ...(truncated && last && { next: last.id }),
  }
}

export interface DiffInput {
  readonly checkpoint: string
  readonly to: string
  readonly path?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
  readonly diff: boolean
}

/** The body of `diff_checkpoint`. */
export async function runDiff(input: DiffInput, context: ToolContext): Promise<DiffCheckpointOutput> {
  const { workspace, signal } = context
  const { checkpoint, to, limit } = input
  const after = fromCursor(workspace, input.cursor)
  const only = input.path === undefined ? undefined : workspace.resolve(input.path)
  const found = await workspace.diff(checkpoint, to)
  signal.throwIfAborted()
  const changes = only === undefined ? found.changes : found.changes.filter(({ path }) => isWithin(path, only))
  const rest = after === undefined ? changes : changes.filter(({ path }) => path > after)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const truncated = page.length < rest.length
  const diff = input.diff ? await diffText(context, page, (path, side) => found.read(path, side)) : undefined
  return {
    checkpoint,
    to,
    changes: page.map(describeChange),
    total: changes.length,
    truncated,
    // The root itself has no path behind it.
    ...(truncated && last && { next: cursorOf(workspace, last.path) || '.' }),
    ...(diff !== undefined && { diff }),
  }
}
