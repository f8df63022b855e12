import type { AnyTool } from '../../types/tool.js'
import { deleteFile } from './delete-file.js'
import { editFile } from './edit-file.js'
import { moveFile } from './move-file.js'
import { readFile } from './read-file.js'
import { writeFile } from './write-file.js'

/** `read_file write_file edit_file move_file delete_file`. */
export function fileTools(): AnyTool[] {
  return [readFile, writeFile, editFile, moveFile, deleteFile]
}
