import { FsError, WorkspaceError } from '../../errors/index.js'
import { detectBinary } from '../../ops/detect.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import { findLineWindow } from '../../tools/files/line-window.js'
import type { ToolContext } from '../../types/tool.js'

/** Maximum size in bytes of a file that is read at once. */
const WHOLE_FILE = 4 * 1024 * 1024

export interface FileLines {
  readonly lines: readonly string[]
  readonly total: number
}

/**
 * Returns lines from `offset` (one-based) on, with CR and byte order mark. A line ends at LF. A final LF does not start another line.
 * @throws {FsError} ENOENT, EISDIR, ...; {WorkspaceError} `binary_file`
 */
export async function readFileLines(path: string, offset: number, limit: number, context: ToolContext): Promise<FileLines> {
  const { workspace, versions } = context
  const stat = await workspace.stat(path, 'read')
  if (stat.kind === 'dir') throw new FsError({ code: 'EISDIR', op: 'read', path: workspace.resolve(path) })
  const whole = stat.size <= WHOLE_FILE
  const file = await workspace.readBytes(path, whole ? undefined : { length: 1 })
  versions.set(file.path, file.version)
  if (whole) {
    const lines = splitAtLf(decode(file.path, file.bytes))
    return { lines: lines.slice(offset - 1, offset - 1 + limit), total: lines.length }
  }
  const { bytes, totalLines } = await findLineWindow(context, file.path, offset, limit)
  return { lines: splitAtLf(decode(file.path, bytes)), total: totalLines }
}

/**
 * Decodes a file. Treats all valid UTF-8 as text, because it can be shown and edited without loss. @throws {WorkspaceError} `binary_file`
 */
export function decode(path: string, bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  if (text !== undefined) return text
  const detected = detectBinary(bytes)
  const why = detected === undefined ? 'it is not valid UTF-8' : `it is binary (${detected})`
  throw new WorkspaceError('binary_file', path, `Cannot read "${path}" as text: ${why}`, detected ?? 'application/octet-stream')
}

function splitAtLf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
