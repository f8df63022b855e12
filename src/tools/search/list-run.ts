import type { ToolContext } from '../../types/tool.js'
import type { WalkEntry, Workspace } from '../../types/workspace.js'
import { leftOut } from './exclusions.js'
import type { ListedEntry, ListFilesOutput, ListInput } from './list-output.js'
import { cursorOf, fromCursor } from './pages.js'
import { skippedOf } from './skipped.js'
import { sizesOf, statsOf } from './stat-entries.js'
import { takeWalk } from './take-walk.js'

/** The body of `list_files`. */
export async function runList(input: ListInput, context: ToolContext): Promise<ListFilesOutput> {
  const { workspace, signal } = context
  const { path, hidden, ignore, details } = input
  const after = fromCursor(workspace, input.cursor)
  const maxDepth = input.recursive ? input.max_depth : 1
  const options = { hidden, ignore, maxDepth, signal, ...(after !== undefined && { after }) }
  const { entries, more, skipped } = await takeWalk(workspace, path, input.limit, options)
  const isEmpty = entries.length === 0 && after === undefined
  const left = isEmpty ? await leftOut(context, { pattern: '**', path, kind: 'any', hidden, maxDepth }) : {}
  const listed = await (details ? describeFully : describe)(workspace, entries)
  const last = entries.at(-1)
  const total = more || after !== undefined ? undefined : listed.length
  return {
    entries: listed,
    ...(total !== undefined && { total }),
    ...skippedOf({ ...skipped, ...left }),
    truncated: more,
    ...(more && last && { next: cursorOf(workspace, last.path) }),
  }
}

async function describe(workspace: Workspace, entries: readonly WalkEntry[]): Promise<ListedEntry[]> {
  const sizes = await sizesOf(workspace, entries)
  return entries.map(({ path, kind }, i) => {
    const size = sizes[i]
    return kind === 'file' && size !== undefined ? { path, kind, size } : { path, kind }
  })
}

/** The longest time that a `Date` can express, in milliseconds before or after the epoch. */
const MAX_TIME = 8.64e15
const isTime = (ms: number | undefined): ms is number => ms !== undefined && ms !== 0 && Math.abs(ms) <= MAX_TIME

async function describeFully(workspace: Workspace, entries: readonly WalkEntry[]): Promise<ListedEntry[]> {
  const stats = await statsOf(workspace, entries)
  return entries.map(({ path, kind }, i) => {
    const { size, mtimeMs, mode } = stats[i] ?? {}
    return {
      path,
      kind,
      ...(kind === 'file' && size !== undefined && { size }),
      ...(isTime(mtimeMs) && { modified: new Date(mtimeMs).toISOString() }),
      ...(mode !== undefined && { mode: mode.toString(8).padStart(4, '0') }),
    }
  })
}
