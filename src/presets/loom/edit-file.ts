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

/** Maximum bytes of a file to edit. Nobody edits larger files by quoting text. */
const MOST_BYTES = 16 * 1024 * 1024

export interface EditFileOutput {
  readonly path: string
  readonly edits_applied: number
  /** Bytes of the file before the edit; 0 for a new file. */
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

/** Runs under the file's lock, and writes once at the end, so that an error leaves the file unchanged. */
async function applyEdits({ path, edits }: EditInput, context: ToolContext, workspace: Workspace): Promise<EditFileOutput> {
  const found = await existing(path, context, workspace)
  const file = found instanceof Error ? undefined : found
  // Suggest a similar file name only for an edit that quotes text.
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

/** @throws {FsError} ESTALE if the file has changed since this runtime read it; EFBIG, EISDIR, ... */
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

/**
 * Returns the content as text, with its byte order mark. Rejects an append to a file with a NUL: the file may be UTF-16, and the new text
 * is UTF-8.
 */
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
