import { defineTool } from '../../core/define-tool.js'
import { FsError, InputError } from '../../errors/index.js'
import { searchSteps } from '../../ops/text-search.js'
import { formHint } from '../../ops/unicode-form.js'
import { refuseStale } from '../../tools/files/versions.js'
import type { AnyTool, ToolContext } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'
import { encodeEdited } from '../../workspace/content-steps.js'
import { inSlices, Slicer } from '../../workspace/slicer.js'
import { seedSchema } from '../shared/seed-schema.js'
import { filePath, readContent, readFlag, readPath } from './fields.js'
import { decode } from './lines.js'

/** Maximum bytes of a file, before and after the edit. */
const MAX_EDIT_BYTES = 16 * 1024 * 1024
/** Number of matches between two checks of the clock. */
const MATCHES_A_STEP = 1024

const inputSchema = seedSchema(
  {
    type: 'object',
    properties: {
      file_path: filePath,
      old_string: {
        type: 'string',
        description: 'The exact text to find and replace. Must match exactly including whitespace and indentation.',
      },
      new_string: { type: 'string', description: 'The text to replace it with. Must be different from old_string.' },
      replace_all: {
        type: 'boolean',
        default: false,
        description: 'Replace all occurrences. When false, old_string must appear exactly once to prevent ambiguous edits.',
      },
    },
    required: ['file_path', 'old_string', 'new_string'],
  },
  (args, refuse) => ({
    path: readPath(args, refuse),
    oldString: readContent(args, 'old_string', refuse),
    newString: readContent(args, 'new_string', refuse),
    replaceAll: readFlag(args, 'replace_all', refuse),
  }),
)

interface Edit {
  readonly path: string
  readonly oldString: string
  readonly newString: string
  readonly replaceAll: boolean
}

export const fileEdit: AnyTool = defineTool({
  name: 'file_edit',
  description:
    'Performs exact string replacement in a file. old_string must match exactly, whitespace and line endings too, and appear once unless replace_all is set. Read the file first.',
  inputSchema,
  annotations: { title: 'Edit file', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async run(edit, context) {
    checkStrings(edit)
    return context.workspace.locked([edit.path], (locked) => editFile(edit, context, locked))
  },
})

function checkStrings({ oldString, newString }: Edit): void {
  if (oldString === '')
    throw new InputError(
      'invalid_input',
      'old_string is empty. Provide the exact text to replace, or use file_write to create or overwrite the file.',
    )
  if (oldString === newString)
    throw new InputError('invalid_input', 'old_string and new_string are the same. new_string must be different from old_string.')
}

async function editFile(edit: Edit, context: ToolContext, workspace: Workspace): Promise<string> {
  const { path, bytes, version } = await readWhole(edit.path, workspace)
  await refuseStale(workspace, context.versions, { path, version }, 'write')
  const text = decode(path, bytes)
  const pieces = await splitAround(text, edit.oldString, context)
  const count = pieces.length - 1
  if (count === 0) throw notFound(formHint(text, edit.oldString))
  if (count > 1 && !edit.replaceAll) throw ambiguous(count)
  const length = text.length + count * (edit.newString.length - edit.oldString.length)
  if (length > MAX_EDIT_BYTES) throw tooLarge(path, 'write', `the result would have more than ${MAX_EDIT_BYTES} bytes`)
  // Join the parts, because `replace` would interpret `$&` in the new text.
  const slicer = new Slicer(context.host, context)
  const after = await inSlices(encodeEdited(path, text, pieces.join(edit.newString), false), slicer)
  const written = await workspace.writeBytes(path, after, { expect: version })
  context.versions.set(written.path, written.version)
  return `Replaced ${count} occurrence(s) in ${edit.path}`
}

async function readWhole(path: string, workspace: Workspace): ReturnType<Workspace['readBytes']> {
  const { size } = await workspace.stat(path, 'read')
  if (size > MAX_EDIT_BYTES) {
    throw tooLarge(workspace.resolve(path), 'read', `${size} bytes are more than ${MAX_EDIT_BYTES}, the most that can be edited`)
  }
  return workspace.readBytes(path)
}

/** Splits the text at all matches, which do not overlap. Yields to the event loop, and rejects if the call is aborted. */
async function splitAround(text: string, wanted: string, { host, signal }: ToolContext): Promise<string[]> {
  const slicer = new Slicer(host, { signal })
  const search = await inSlices(searchSteps(text, wanted), slicer)
  const pieces: string[] = []
  let start = 0
  for (let at = search(0); at >= 0; at = search(start)) {
    pieces.push(text.slice(start, at))
    start = at + wanted.length
    if (pieces.length % MATCHES_A_STEP === 0 && slicer.due(MATCHES_A_STEP / 20)) await slicer.pause()
  }
  signal.throwIfAborted()
  pieces.push(text.slice(start))
  return pieces
}

const notFound = (form: string): InputError =>
  new InputError(
    'no_match',
    `old_string not found in file. Make sure the text matches exactly (including whitespace and indentation).${form}`,
  )

const ambiguous = (count: number): InputError =>
  new InputError(
    'ambiguous_match',
    `old_string appears ${count} times. Use replace_all: true to replace all, or provide a larger unique string.`,
    { details: { count } },
  )

const tooLarge = (path: string, op: string, detail: string): FsError => new FsError({ code: 'EFBIG', op, path, detail })
