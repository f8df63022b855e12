import type { ToolContext } from '../../types/tool.js'
import type { WalkEntry } from '../../types/workspace.js'
import { filterOf, leftOut, missHint, understood } from './exclusions.js'
import type { GlobInput, GlobOutput } from './glob-output.js'
import { badCursor, cursorOf, fromCursor } from './pages.js'
import { skippedOf } from './skipped.js'
import { timesOf } from './stat-entries.js'
import { type Taken, takeWalk } from './take-walk.js'

export function runGlob(input: GlobInput, context: ToolContext): Promise<GlobOutput> {
  return input.sort === 'newest' ? newest(input, context) : byPath(input, context)
}

async function byPath(input: GlobInput, context: ToolContext): Promise<GlobOutput> {
  const { workspace } = context
  const after = fromCursor(workspace, input.cursor)
  const { entries, more, skipped, hint } = await find(input, context, input.limit, after)
  const last = entries.at(-1)
  const total = more || after !== undefined ? undefined : entries.length
  return {
    paths: entries.map(({ path }) => path),
    ...(total !== undefined && { total }),
    ...skippedOf(skipped),
    ...(hint !== undefined && { hint }),
    truncated: more,
    ...(more && last && { next: cursorOf(workspace, last.path) }),
  }
}

/** Returns the newest files first. All files have to be found before the newest is known. The cursor counts the returned paths. */
async function newest(input: GlobInput, context: ToolContext): Promise<GlobOutput> {
  const start = input.cursor === undefined ? 0 : Number(/^newest:(\d{1,9})$/.exec(input.cursor)?.[1] ?? Number.NaN)
  if (Number.isNaN(start)) throw badCursor(input.cursor ?? '')
  const { entries, more: stopped, skipped, hint } = await find(input, context, Number.POSITIVE_INFINITY, undefined)
  const times = await timesOf(context.workspace, entries)
  const order = [...entries.keys()].sort((a, b) => (times[b] ?? 0) - (times[a] ?? 0) || a - b)
  const paths = order.slice(start, start + input.limit).map((i) => (entries[i] as WalkEntry).path)
  const end = start + paths.length
  const more = stopped || end < entries.length
  return {
    paths,
    ...(!stopped && { total: entries.length }),
    ...skippedOf(skipped),
    ...(hint !== undefined && { hint }),
    truncated: more,
    ...(more && { next: `newest:${end}` }),
  }
}

interface Found extends Taken {
  readonly hint: string | undefined
}

async function find(input: GlobInput, context: ToolContext, limit: number, after: string | undefined): Promise<Found> {
  const { path, ignore } = input
  const { workspace, signal } = context
  const asked = await understood(context, input, ignore)
  const filter = await filterOf(context, asked)
  const taken = await takeWalk(workspace, path, limit, { filter, ignore, signal, ...(after !== undefined && { after }) })
  if (taken.entries.length > 0 || after !== undefined) return { ...taken, hint: asked.hint }
  const hint = asked.hint ?? (await missHint(context, asked, ignore))
  return { ...taken, skipped: { ...taken.skipped, ...(await leftOut(context, asked)) }, hint }
}
