import * as z from 'zod/mini'
import { defineTool } from '../../core/define-tool.js'
import { compileGlob } from '../../ops/glob.js'
import type { AnyTool, ToolContext } from '../../types/tool.js'
import type { WalkEntry } from '../../types/workspace.js'
import { cursor, flag, globs, integer, text } from '../schema.js'
import { badCursor, cursorOf, fromCursor, moreNote } from './pages.js'
import { timesOf } from './stat-entries.js'
import { skippedNote, skippedOf, type Taken, takeWalk } from './take-walk.js'

const globInput = z.strictObject({
  pattern: globs('One glob or several, relative to path: "**/*.ts", "src/{a,b}/*.md"; one that begins with "!" leaves out.'),
  path: z._default(text('The directory to search: absolute, or relative to the workspace.'), '.'),
  kind: z._default(z.enum(['file', 'dir', 'symlink', 'any']).check(z.describe('What to find.')), 'file'),
  hidden: flag('Find names that begin with a dot even where the pattern does not name one.', false),
  ignore: flag('Leave out what .gitignore files name, and .git itself.', true),
  sort: z._default(z.enum(['path', 'newest']).check(z.describe('By path, or last changed first.')), 'path'),
  limit: integer('Paths at the most.', { min: 1, max: 10_000, byDefault: 1000 }),
  cursor: cursor(),
})

type GlobInput = z.infer<typeof globInput>

export interface GlobOutput {
  readonly paths: readonly string[]
  /** Of all that fit; where it is known. */
  readonly total?: number
  /** Directories that could not be listed. */
  readonly skipped?: { readonly unreadable: number }
  readonly truncated: boolean
  readonly next?: string
}

export const glob: AnyTool = defineTool({
  name: 'glob',
  description: 'Find files by name with globs. "*.ts" looks in the directory itself, "**/*.ts" at any depth.',
  inputSchema: globInput,
  annotations: { title: 'Find files', readOnlyHint: true },
  toText: ({ paths, next, skipped }) =>
    (paths.join('\n') || '[No file fits]') + moreNote(paths.length, 'paths', next) + skippedNote(skipped),
  run: (input, context) => (input.sort === 'newest' ? newest(input, context) : byPath(input, context)),
})

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
