import { defineTool } from '../../core/define-tool.js'
import { FsError, WorkspaceError } from '../../errors/index.js'
import { detectBinary } from '../../ops/detect.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import { refuseStale } from '../../tools/files/versions.js'
import type { AnyTool, ToolContext } from '../../types/tool.js'
import type { BytesFile, Workspace, Written } from '../../types/workspace.js'
import { encodeEdited } from '../../workspace/content-steps.js'
import { inSlices, Slicer } from '../../workspace/slicer.js'
import { otherSpellingIn } from '../shared/other-spelling.js'
import { type ContentEdit, editSteps } from './edit-content.js'
import { locate } from './locate.js'
import { bool, optional, sequence, serdeSchema, struct, text } from './serde.js'
import { asVariant } from './tool-error.js'

/** Larger files are refused: nobody edits them by quoting. */
const MOST_BYTES = 16 * 1024 * 1024

export interface EditFileOutput {
  readonly path: string
  readonly edits_applied: number
  /** Bytes of the whole file; 0 for one that was not there. */
  readonly original_bytes: number
  readonly new_bytes: number
}

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path to file (created if doesn’t exist)' },
    edits: {
      type: 'array',
      description: 'List of edit operations',
      items: {
        type: 'object',
        properties: {
          old_str: { type: 'string', description: 'Text to find (empty string for new files)' },
          new_str: { type: 'string', description: 'Replacement text' },
          replace_all: { type: 'boolean', description: 'Replace all occurrences (default: false)' },
        },
        required: ['old_str', 'new_str'],
      },
    },
  },
  required: ['path', 'edits'],
}

const edit = struct({ old_str: text, new_str: text, replace_all: optional(bool, false) })

export const editFile: AnyTool = defineTool({
  name: 'edit_file',
  description: 'Apply snippet-based edits to files.',
  inputSchema: serdeSchema(schema, { path: text, edits: sequence(edit) }),
  annotations: { title: 'Edit file', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  run: async (input, context) => {
    const path = locate(context.workspace, input.path)
    return context.workspace.locked([path], (workspace) => applyEdits({ path, edits: input.edits }, context, workspace))
  },
})

interface EditInput {
  readonly path: string
  readonly edits: readonly ContentEdit[]
}

/** Under the file's lock. What is refused on the way leaves the file as it was: there is one write, at the end. */
async function applyEdits({ path, edits }: EditInput, context: ToolContext, workspace: Workspace): Promise<EditFileOutput> {
  const found = await existing(path, context, workspace)
  const file = found instanceof Error ? undefined : found
  // Only text that is quoted tells that another file is meant.
  const other = found instanceof Error && edits.some(({ old_str }) => old_str !== '') ? otherSpellingIn(found.message) : ''
  if (other !== '') throw asVariant(found as FsError, { FileNotFound: (found as FsError).path + other })
  const appends = edits.some(({ old_str }) => old_str === '')
  const before = file ? contentOf(file, appends) : ''
  const target = file?.path ?? workspace.resolve(path)
  const slicer = new Slicer(context.host, context)
  const after = await inSlices(encodeEdited(target, before, await inSlices(editSteps(before, edits, target), slicer), false), slicer)
  const written = await write(path, file, after, workspace)
  context.versions.set(written.path, written.version)
  return { path: written.path, edits_applied: edits.length, original_bytes: file?.bytes.length ?? 0, new_bytes: after.length }
}

/** @throws {FsError} ESTALE when it is not the file any more that was read through this runtime; EFBIG, EISDIR, ... */
async function existing(path: string, { versions }: ToolContext, workspace: Workspace): Promise<BytesFile | FsError> {
  const stat = await workspace.stat(path, 'edit').catch((error: unknown) => {
    if (FsError.is(error) && error.code === 'ENOENT') return error
    throw error
  })
  if (stat instanceof Error) return stat
  if (stat.size > MOST_BYTES) {
    const detail = `${stat.size} bytes are more than ${MOST_BYTES}`
    throw new FsError({ code: 'EFBIG', op: 'edit', path: workspace.resolve(path), detail })
  }
  const file = await workspace.readBytes(path)
  await refuseStale(workspace, versions, file, 'edit')
  return file
}

/** A byte order mark stays in its place, like all else that is not edited. A NUL may be that of UTF-16, to which no UTF-8 is appended. */
function contentOf({ path, bytes }: BytesFile, appends: boolean): string {
  const content = decodeUtf8(bytes)
  const detected = content === undefined || appends ? detectBinary(bytes, content) : undefined
  if (content !== undefined && detected === undefined) return content
  const why = content === undefined ? 'not valid UTF-8' : `binary (${detected})`
  throw new WorkspaceError('binary_file', path, `Cannot edit "${path}": it is ${why}`, detected ?? 'application/octet-stream')
}

function write(path: string, file: BytesFile | undefined, content: Uint8Array, workspace: Workspace): Promise<Written> {
  return file
    ? workspace.writeBytes(file.path, content, { expect: file.version })
    : workspace.writeBytes(path, content, { mode: 'create', distinct: true })
}
