import { FsError, hasCode } from '../errors/index.js'
import { decodeUtf8 } from '../ops/utf8.js'
import type { BytesFile, ReadTextOptions, TextFile } from '../types/workspace.js'
import { asText, LONG_TEXT } from './content.js'
import { contents, type Existing, locateExisting, notedVersion, type View, versionOf } from './state.js'

/** @throws {FsError} ENOENT, EISDIR, ... */
export async function readBytes(
  view: View,
  input: string,
  options?: { readonly offset?: number; readonly length?: number },
): Promise<BytesFile> {
  const { path, stat } = await locateExisting(view, input, 'read', 'read')
  if (stat.kind === 'dir') throw new FsError({ code: 'EISDIR', op: 'read', path })
  // `stat` is from before the read. So if the file changes in between, a later write that expects this version is rejected.
  const bytes = await view.tree.fs.read(path, options)
  const whole = (options?.offset ?? 0) === 0 && bytes.length === stat.size
  return {
    path,
    bytes,
    get version() {
      return whole ? notedVersion(view.tree, path, versionOf(stat), bytes) : versionOf(stat)
    },
  }
}

/** @throws {FsError} EFBIG over `maxBytes`; {WorkspaceError} `binary_file` */
export async function readText(view: View, input: string, options: ReadTextOptions = {}): Promise<TextFile> {
  return readLocated(view, await locateExisting(view, input, 'read', options.op ?? 'read'), options)
}

/** `readText` of a located file. */
export async function readLocated(view: View, { path, stat }: Existing, { maxBytes, op = 'read' }: ReadTextOptions): Promise<TextFile> {
  if (stat.kind === 'dir') throw new FsError({ code: 'EISDIR', op, path })
  if (maxBytes !== undefined && stat.size > maxBytes) throw tooLarge(path, op, stat.size, maxBytes)
  const bytes = await view.tree.fs.read(path)
  if (maxBytes !== undefined && bytes.length > maxBytes) throw tooLarge(path, op, bytes.length, maxBytes)
  const decoded = bytes.length > LONG_TEXT ? await (await contents()).decodeLong(bytes, view.tree.host) : decodeUtf8(bytes)
  const { text, bom } = asText(path, bytes, decoded)
  return {
    path,
    text,
    bom,
    size: bytes.length,
    get version() {
      return notedVersion(view.tree, path, versionOf(stat), bytes)
    },
  }
}

function tooLarge(path: string, op: string, size: number, maxBytes: number): FsError {
  return new FsError({ code: 'EFBIG', op, path, detail: `${size} bytes are more than ${maxBytes}` })
}

export async function exists(view: View, input: string, op = 'stat'): Promise<boolean> {
  try {
    await locateExisting(view, input, 'read', op)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}
