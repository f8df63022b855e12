import { defineTool } from '../../core/define-tool.js'
import { hasCode } from '../../errors/index.js'
import { encodeUtf8 } from '../../ops/utf8.js'
import type { AnyTool } from '../../types/tool.js'
import type { Workspace, Written } from '../../types/workspace.js'
import { seedSchema } from '../shared/seed-schema.js'
import { filePath, readContent, readPath } from './fields.js'

const inputSchema = seedSchema(
  {
    type: 'object',
    properties: { file_path: filePath, content: { type: 'string', description: 'The content to write to the file' } },
    required: ['file_path', 'content'],
  },
  (args, refuse) => ({ path: readPath(args, refuse), content: readContent(args, 'content', refuse) }),
)

export const fileWrite: AnyTool = defineTool({
  name: 'file_write',
  description:
    'Writes content to a file, creating parent directories if needed. Overwrites existing files. To change part of one, use file_edit.',
  inputSchema,
  annotations: { title: 'Write file', readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run({ path, content }, { workspace, versions, signal }) {
    const bytes = encodeUtf8(content)
    return workspace.locked([path], async (locked) => {
      signal.throwIfAborted()
      const written = await overwrite(locked, path, bytes, versions)
      versions.set(written.path, written.version)
      return `Wrote ${bytes.length} bytes to ${written.path}`
    })
  },
})

/** Overwrites a file. Rejects a file that has changed since it was read, because the model has not seen the new content. */
async function overwrite(workspace: Workspace, path: string, bytes: Uint8Array, versions: ReadonlyMap<string, string>): Promise<Written> {
  const existing = await existingPath(workspace, path)
  const expect = existing === undefined ? undefined : versions.get(existing)
  return workspace.writeBytes(path, bytes, { distinct: true, ...(expect !== undefined && { expect }) })
}

async function existingPath(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    await workspace.stat(path, 'write')
    return await workspace.realpath(path)
  } catch (error) {
    // Ignore the error here, because the write itself reports it.
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
