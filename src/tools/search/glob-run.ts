import { compileGlob } from '../../ops/glob.js'
import type { ToolContext } from '../../types/tool.js'
import type { WalkEntry } from '../../types/workspace.js'
import type { GlobInput, GlobOutput } from './glob-output.js'
import { badCursor, cursorOf, fromCursor } from './pages.js'
import { timesOf } from './stat-entries.js'
import { skippedOf, type Taken, takeWalk } from './take-walk.js'

export function runGlob(input: GlobInput, context: ToolContext): Promise<GlobOutput> {
  return input.sort === 'newest' ? newest(input, context) : byPath(input, context)
}

async function byPath(input: GlobInput, context: ToolContext): Promise<GlobOutput> {
  const { workspace } = context
  const after = fromCursor(workspace, input.cursor)
  const { entries, more, unreadable } = await find(input, context, input.limit, after)
  const last = entries.at(-1)
  const total = more || after !== undefined ? undefined : entries.length
  return {
    paths: entries.map(({ path }) => path),
    ...(total !== undefined && { total }),
    ...skippedOf(unreadable),
    truncated: more,
    ...(more && last && { next: cursorOf(workspace, last.path) }),
  }
}

/** Every file has to be found before the newest is known; the cursor counts the paths that were given. */
async function newest(input: GlobInput, context: ToolContext): Promise<GlobOutput> {
  const start = input.cursor === undefined ? 0 : Number(/^newest:(\d{1,9})$/.exec(input.cursor)?.[1] ?? Number.NaN)
  if (Number.isNaN(start)) throw badCursor(input.cursor ?? '')
  const { entries, more: stopped, unreadable } = await find(input, context, Number.POSITIVE_INFINITY, undefined)
  const times = await timesOf(context.workspace, entries)
  const order = [...entries.keys()].sort((a, b) => (times[b] ?? 0) - (times[a] ?? 0) || a - b)
  const paths = order.slice(start, start + input.limit).map((i) => (entries[i] as WalkEntry).path)
  const end = start + paths.length
  const more = stopped || end < entries.length
  return {
    paths,
    ...(!stopped && { total: entries.length }),
    ...skippedOf(unreadable),
    truncated: more,
    ...(more && { next: `newest:${end}` }),
  }
}

function find(input: GlobInput, { workspace, signal }: ToolContext, limit: number, after: string | undefined): Promise<Taken> {
  const filter = compileGlob(input.pattern, { kind: input.kind })
  const hidden = input.hidden || namesHidden(input.pattern)
  return takeWalk(workspace, input.path, limit, { filter, hidden, ignore: input.ignore, signal, ...(after !== undefined && { after }) })
}

/** Whether a pattern spells out a name that begins with a dot, and so asks for it. */
export function namesHidden(patterns: string | readonly string[]): boolean {
  return [patterns].flat().some((pattern) => /(^|[/{,(|])\.[^./,}]/.test(pattern))
}
