import type { Workspace } from '../session.js'
import { splitLines, type TextLines } from './lines.js'

interface Loaded {
  /** Relative to the root. */
  readonly path: string
  /** Size of the whole file, bytes. */
  readonly size: number
  readonly version: string
}
export interface LoadedText extends Loaded, TextLines {
  readonly kind: 'text'
  /** Text without the byte order mark. */
  readonly text: string
  readonly bom: boolean
  /** Whether only the beginning of the file was read. */
  readonly cut: boolean
}
export interface LoadedBytes extends Loaded {
  readonly kind: 'image' | 'binary'
  readonly mediaType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}
export type LoadedFile = LoadedText | LoadedBytes

/** Longer files are cut at this size, bytes. */
const MAX_BYTES = 4 * 1024 * 1024
const IMAGES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
}

/** Loads a file. `known`: the last result, which is returned again if the version is unchanged. */
export async function loadFile(workspace: Workspace, path: string, known?: LoadedFile): Promise<LoadedFile> {
  const { size } = await workspace.stat(path)
  const image = IMAGES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]
  const { bytes: shared, version } = await workspace.readBytes(path, image ? {} : { length: MAX_BYTES })
  if (known?.path === path && known.version === version) return known
  const bytes = new Uint8Array(shared)
  const file = { path, size, version }
  if (image) return { ...file, kind: 'image', mediaType: image, bytes }
  const cut = bytes.length < size
  const text = decode(cut ? bytes.subarray(0, bytes.lastIndexOf(10) + 1 || bytes.length) : bytes)
  if (text === undefined) return { ...file, kind: 'binary', mediaType: 'application/octet-stream', bytes }
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return { ...file, kind: 'text', text, bom, cut, ...splitLines(text) }
}

/** Decodes UTF-8. Undefined for binary data: invalid UTF-8 or NUL bytes. */
export function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined // Not valid UTF-8.
  }
}
