import * as z from 'zod/mini'
import { defineTool } from '../../core/define-tool.js'
import { visibleName } from '../../ops/visible-name.js'
import type { AnyTool } from '../../types/tool.js'
import type { WalkEntry, Workspace } from '../../types/workspace.js'
import { outputOf } from '../outputs/load.js'
import { cursor, flag, integer, text } from '../schema.js'
import { leftOut } from './left-out.js'
import { cursorOf, fromCursor, moreNote } from './pages.js'
import { type Skipped, skippedOf } from './skipped.js'
import { sizesOf } from './stat-entries.js'
import { notListed, takeWalk } from './take-walk.js'

const listFilesInput = z.strictObject({
  path: z._default(text('The directory: absolute, or relative to the workspace.'), '.'),
  recursive: flag('List what is below subdirectories too.', false),
  max_depth: integer('Levels below path when recursive.', { min: 1, max: 1000, byDefault: 10 }),
  hidden: flag('List names that begin with a dot.', true),
  ignore: flag('Leave out what .gitignore files name, and .git itself.', true),
  limit: integer('Entries at the most.', { min: 1, max: 10_000, byDefault: 1000 }),
  cursor: cursor(),
})

export interface ListedEntry {
  readonly path: string
  readonly kind: WalkEntry['kind']
  /** Bytes; files only. */
  readonly size?: number
}

export interface ListFilesOutput {
  readonly entries: readonly ListedEntry[]
  /** Of the whole list; where it is known. */
  readonly total?: number
  /** What was passed over; of an empty answer also what its rules leave out. */
  readonly skipped?: Skipped
  readonly truncated: boolean
  readonly next?: string
}

export const listFiles: AnyTool = defineTool({
  name: 'list_files',
  description: 'List a directory, or everything below it, with kinds and sizes. Sorted; a cut answer gives a cursor in "next".',
  inputSchema: listFilesInput,
  outputSchema: outputOf('list_files'),
  annotations: { title: 'List files', readOnlyHint: true },
  toText: renderList,
  async run(input, context) {
    const { workspace, signal } = context
    const after = fromCursor(workspace, input.cursor)
    const maxDepth = input.recursive ? input.max_depth : 1
    const { entries, more, skipped } = await takeWalk(workspace, input.path, input.limit, {
      hidden: input.hidden,
      ignore: input.ignore,
      maxDepth,
      signal,
      ...(after !== undefined && { after }),
    })
    const asked = { pattern: '**', path: input.path, kind: 'any', hidden: input.hidden, maxDepth } as const
    const left = entries.length === 0 && after === undefined ? await leftOut(context, asked) : {}
    const listed = await describe(workspace, entries)
    const last = entries.at(-1)
    const total = more || after !== undefined ? undefined : listed.length
    const output: ListFilesOutput = {
      entries: listed,
      ...(total !== undefined && { total }),
      ...skippedOf({ ...skipped, ...left }),
      truncated: more,
      ...(more && last && { next: cursorOf(workspace, last.path) }),
    }
    return output
  },
})

async function describe(workspace: Workspace, entries: readonly WalkEntry[]): Promise<ListedEntry[]> {
  const sizes = await sizesOf(workspace, entries)
  return entries.map(({ path, kind }, i) => {
    const size = sizes[i]
    return kind === 'file' && size !== undefined ? { path, kind, size } : { path, kind }
  })
}

function renderList({ entries, next, skipped }: ListFilesOutput): string {
  if (entries.length === 0) return `[Nothing here]${notListed(skipped)}`
  let text = ''
  for (const { path: raw, kind, size } of entries) {
    const path = visibleName(raw)
    if (text !== '') text += '\n'
    text += kind === 'dir' ? `${path}/` : kind === 'symlink' ? `${path}@` : `${path}\t${size ?? ''}`
  }
  return text + moreNote(entries.length, 'entries', next) + notListed(skipped)
}
