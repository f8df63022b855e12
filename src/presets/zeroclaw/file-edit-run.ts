import { FsError } from '../../errors/index.js'
import { describeNear } from '../../ops/nearest-difference.js'
import { nearestText } from '../../ops/nearest-text.js'
import { createSearch } from '../../ops/text-search.js'
import { isStale } from '../../tools/files/versions.js'
import type { ToolContext } from '../../types/tool.js'
import { encodeEdited } from '../../workspace/content.js'
import { ToolFailed } from './tool-failure.js'

const MAX_FILE_BYTES = 10 * 1024 * 1024

export interface FileEditInput {
  readonly path: string
  readonly oldString: string
  readonly newString: string
}

/** Replaces the one place where the text stands, byte for byte. The context's workspace holds the file's lock. */
export async function runFileEdit(input: FileEditInput, { workspace, versions, signal }: ToolContext): Promise<string> {
  const { path, oldString, newString } = input
  const file = await workspace.readText(path, { maxBytes: MAX_FILE_BYTES, op: 'edit' })
  if (isStale(workspace, versions, file)) throw new FsError({ code: 'ESTALE', op: 'edit', path: file.path })
  const at = onlyPlace(file.text, oldString)
  const text = file.text.slice(0, at) + newString + file.text.slice(at + oldString.length)
  const bytes = encodeEdited(file.path, file.text, text, file.bom)
  signal.throwIfAborted()
  const written = await workspace.writeBytes(path, bytes, { expect: file.version })
  versions.set(written.path, written.version)
  return `Edited ${path}: replaced 1 occurrence (${bytes.length} bytes)`
}

/** @throws ToolFailed unless the text is there once */
function onlyPlace(text: string, old: string): number {
  const search = createSearch(text, old)
  const at = search(0)
  if (at < 0) throw new ToolFailed(`old_string not found in file${hint(text, old)}`)
  if (search(at + 1) < 0) return at
  throw new ToolFailed(`old_string matches ${count(search, old.length)} times; must match exactly once`)
}

/** Places that do not overlap; two where all of them do. */
function count(search: (from: number) => number, length: number): number {
  let places = 0
  for (let at = search(0); at >= 0; at = search(at + length)) places++
  return Math.max(2, places)
}

function hint(text: string, old: string): string {
  const near = nearestText(text, old)
  return near ? `. ${describeNear(near)}` : ''
}
