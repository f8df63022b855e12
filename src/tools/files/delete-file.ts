import * as z from 'zod/mini'
import { defineTool } from '../../core/define-tool.js'
import type { AnyTool } from '../../types/tool.js'
import { flag, path } from '../schema.js'
import { forgetVersions } from './versions.js'

const deleteFileInput = z.strictObject({
  path: path('The file, link or directory'),
  recursive: flag('Remove a directory with everything in it.', false),
})

export const deleteFile: AnyTool = defineTool({
  name: 'delete_file',
  description: 'Remove a file, a link (not what it points to) or a directory.',
  inputSchema: deleteFileInput,
  annotations: { title: 'Delete file', readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  toText: ({ path, kind }) => `Removed ${kind} ${path}`,
  async run({ path, recursive }, { workspace, versions }) {
    const removed = await workspace.remove(path, { recursive })
    forgetVersions(versions, removed.path)
    return { path: removed.path, kind: removed.kind }
  },
})
