import { defineTool } from '../../core/define-tool.js'
import { InputError } from '../../errors/index.js'
import { visibleName } from '../../ops/visible-name.js'
import { reasonOf } from '../../tools/search/take-walk.js'
import type { FileKind } from '../../types/fs.js'
import type { AnyTool, ToolContext } from '../../types/tool.js'
import type { WalkEntry } from '../../types/workspace.js'
import { baseName } from '../../workspace/paths.js'
import { type Args, type Refuse, seedSchema, stringOf } from '../shared/seed-schema.js'
import { wholeOf } from './fields.js'

interface ListDirInput {
  readonly path: string
  /** Number of the first entry to list, from 1. */
  readonly offset: number
  readonly limit: number
  readonly depth: number
}

/** An entry of the list. `other`: a FIFO, socket or device, or an entry whose name cannot be part of a path. */
interface Entry extends Pick<WalkEntry, 'path' | 'depth'> {
  readonly kind: FileKind | 'other'
}

const schema = seedSchema(
  {
    type: 'object',
    properties: {
      dir_path: { type: 'string', pattern: '^/', description: 'Absolute path to directory' },
      offset: { type: 'number', minimum: 1, description: 'Entry number to start (1-based, default 1)' },
      limit: { type: 'number', minimum: 1, description: 'Max entries to list (default 25)' },
      depth: { type: 'number', minimum: 1, description: 'Levels to descend (default 2)' },
    },
    required: ['dir_path'],
  },
  readInput,
)

export const listDir: AnyTool = defineTool({
  name: 'list_dir',
  description:
    'List directory contents with depth control. Entries are sorted by path and indented by level; "/" marks a directory, "@" a symbolic link, which is not followed.',
  inputSchema: schema,
  annotations: { title: 'List directory', readOnlyHint: true, openWorldHint: false },
  run: runListDir,
})

function readInput(args: Args, refuse: Refuse): ListDirInput {
  const path = stringOf(args, 'dir_path') ?? ''
  if (!path.startsWith('/')) refuse('dir_path', 'dir_path must be an absolute path')
  const offset = wholeOf(args, 'offset', 1)
  if (offset < 1) refuse('offset', 'offset must be a 1-indexed entry number')
  const limit = wholeOf(args, 'limit', 25)
  if (limit < 1) refuse('limit', 'limit must be greater than zero')
  const depth = wholeOf(args, 'depth', 2)
  if (depth < 1) refuse('depth', 'depth must be greater than zero')
  return { path, offset, limit, depth }
}

async function runListDir({ path, offset, limit, depth }: ListDirInput, { workspace, signal }: ToolContext): Promise<string> {
  const entries: Entry[] = []
  const start = await workspace.realpath(path, 'list')
  const top = start === '/' ? 1 : start.split('/').length
  const onError = (at: string, error: unknown): void => {
    // A directory that cannot be read is already in the list.
    if (reasonOf(error) !== 'unreadable') entries.push({ path: at, kind: 'other', depth: at.split('/').length - top })
  }
  for await (const run of workspace.walk(path, { ignore: false, usable: true, maxDepth: depth, signal, onError })) entries.push(...run)
  const head = `Absolute path: ${workspace.resolve(path)}`
  if (entries.length === 0) return head
  if (offset > entries.length) throw new InputError('invalid_input', 'offset exceeds directory entry count')
  const shown = inPathOrder(entries).slice(offset - 1, offset - 1 + limit)
  const more = offset - 1 + shown.length < entries.length
  return [head, ...shown.map(line), ...(more ? [`More than ${shown.length} entries found`] : [])].join('\n')
}

/** Sorts by the whole path, so that `a.txt` comes between `a` and `a/x`: `.` precedes `/` in UTF-8. */
const inPathOrder = (entries: Entry[]): Entry[] => entries.sort((a, b) => (a.path < b.path ? -1 : 1))

const MARKS = { file: '', dir: '/', symlink: '@', other: '?' } as const

const line = ({ path, kind, depth }: Entry): string => `${'  '.repeat(depth - 1)}${visibleName(baseName(path))}${MARKS[kind]}`
