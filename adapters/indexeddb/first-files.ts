import type { FirstFiles } from '../shared/first-files.js'
import type { Change } from './change.js'
import { write } from './contents.js'
import { mkdir } from './entries.js'
import { piecesOf } from './parts.js'

/** Into a storage that holds nothing, as one change: all of them, or none. */
export function addFirst(change: Change, { dirs, files }: FirstFiles): void {
  if (change.tree.root.entries.size > 0) return
  for (const path of dirs) mkdir(change, path)
  for (const { path, bytes } of files) write(change, path, piecesOf(bytes), 'always')
}
