import { defineTool } from '../../core/define-tool.js'
import { sizesOf } from '../../tools/search/stat-entries.js'
import { takeWalk } from '../../tools/search/take-walk.js'
import type { AnyTool, ToolContext } from '../../types/tool.js'
import type { WalkEntry, Workspace } from '../../types/workspace.js'
import { isWithin, relativePath } from '../../workspace/paths.js'
import { locate } from './locate.js'
import { bool, optional, serdeSchema, text, unsigned } from './serde.js'

const DEFAULT_DEPTH = 10
const DEFAULT_RESULTS = 1000
const MOST_RESULTS = 10_000

export interface ListedFile {
  /** Relative to the workspace's directory, in the form that the other tools accept. */
  readonly path: string
  /** Size in bytes; 0 for directories and links. */
  readonly size: number
  readonly is_dir: boolean
}

export interface ListFilesOutput {
  readonly files: readonly ListedFile[]
}

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Directory path (default: workspace root)' },
    recursive: { type: 'boolean', description: 'List files recursively (default: false)' },
    max_depth: { type: 'integer', minimum: 0, description: 'Maximum recursion depth (default: 10)' },
    max_results: { type: 'integer', minimum: 0, description: 'Maximum number of entries (default: 1000)' },
  },
}

const fields = {
  path: { ...optional(text, '.'), alias: 'root' },
  recursive: optional(bool, false),
  max_depth: optional(unsigned, DEFAULT_DEPTH),
  max_results: optional(unsigned, DEFAULT_RESULTS),
}

export const listFiles: AnyTool = defineTool({
  name: 'list_files',
  description: 'List files in a directory (glob-like functionality).',
  inputSchema: serdeSchema(schema, fields),
  annotations: { title: 'List files', readOnlyHint: true, openWorldHint: false },
  run: ({ path, recursive, max_depth, max_results }, context) =>
    list(locate(context.workspace, path), recursive ? max_depth : 1, Math.min(max_results, MOST_RESULTS), context),
})

/** Lists everything, including hidden and ignored names, as the original agent does. Does not follow links. */
async function list(path: string, maxDepth: number, limit: number, { workspace, signal }: ToolContext): Promise<ListFilesOutput> {
  await workspace.stat(path, 'list')
  const { entries } = await takeWalk(workspace, path, maxDepth === 0 ? 0 : limit, { hidden: true, ignore: false, maxDepth, signal })
  // Fail on an abort: the answer has no field that would mark a partial list.
  signal.throwIfAborted()
  const sizes = await sizesOf(workspace, entries)
  return { files: entries.flatMap((entry, i) => listed(entry, sizes[i], workspace)) }
}

function listed({ path, kind }: WalkEntry, size: number | undefined, { cwd }: Workspace): ListedFile[] {
  const shown = isWithin(path, cwd) ? relativePath(path, cwd) : path
  if (kind !== 'file') return [{ path: shown, size: 0, is_dir: kind === 'dir' }]
  // The file was deleted after its directory was read.
  return size === undefined ? [] : [{ path: shown, size, is_dir: false }]
}
