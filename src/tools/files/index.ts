import type { AnyTool } from '../../types/tool.js'
import { applyPatch } from './apply-patch.js'
import { deleteFile } from './delete-file.js'
import { editFile } from './edit-file.js'
import { moveFile } from './move-file.js'
import { readFile } from './read-file.js'
import { writeFile } from './write-file.js'

/** Creates the tools `read_file`, `write_file`, `edit_file`, `apply_patch`, `move_file` and `delete_file`. */
export function fileTools(): AnyTool[] {
  return [readFile, writeFile, editFile, applyPatch, moveFile, deleteFile]
}
