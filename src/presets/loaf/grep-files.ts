import { defineTool } from '../../core/define-tool.js'
import { lazy } from '../../core/lazy.js'
import { NOT_BLANK } from '../../tools/schema.js'
import type { AnyTool } from '../../types/tool.js'
import { type Args, type Refuse, seedSchema } from '../shared/seed-schema.js'
import { trimmedOf, wholeOf } from './fields.js'
import type { GrepFilesInput } from './inputs.js'

const MOST = 2000

const body = lazy(() => import('./grep-files-run.js'))

const schema = seedSchema(
  {
    type: 'object',
    properties: {
      pattern: { type: 'string', pattern: NOT_BLANK, description: 'Regular expression to search for' },
      include: { type: 'string', description: 'Glob that files must match, such as "*.ts"' },
      path: { type: 'string', description: 'Directory or file to search (default: the working directory)' },
      limit: { type: 'number', minimum: 1, description: `Max paths (default 100, at most ${MOST})` },
    },
    required: ['pattern'],
  },
  readInput,
)

export const grepFiles: AnyTool = defineTool({
  name: 'grep_files',
  description:
    'Search file contents using ripgrep rules: a case-sensitive regular expression, matched line by line. Returns the paths of files with a match, last changed first. Hidden, binary and ignored files (.gitignore) are left out. No look-around, no back-references.',
  inputSchema: schema,
  annotations: { title: 'Search in files', readOnlyHint: true, openWorldHint: false },
  run: async (input, context) => (await body()).runGrepFiles(input, context),
})

function readInput(args: Args, refuse: Refuse): GrepFilesInput {
  const pattern = trimmedOf(args, 'pattern') ?? ''
  if (pattern === '') refuse('pattern', 'pattern must not be empty')
  const limit = wholeOf(args, 'limit', 100)
  if (limit < 1) refuse('limit', 'limit must be greater than zero')
  const { include } = args
  // Accept an undocumented list, because its meaning is clear.
  const globs = Array.isArray(include) && include.length > 0 ? include.filter((glob) => typeof glob === 'string') : undefined
  return { pattern, include: globs ?? trimmedOf(args, 'include'), path: trimmedOf(args, 'path') ?? '.', limit: Math.min(limit, MOST) }
}
