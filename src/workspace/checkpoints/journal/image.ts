import type { FileKind } from '../../../types/fs.js'

/** The state of a path before its first change since a checkpoint. */
export interface Image {
  /** `none`: the path did not exist, so nothing existed below it either. */
  readonly kind: FileKind | 'none'
  /** As `FsStat.size`. */
  readonly size: number
  readonly mode?: number
  /** The target of a link. */
  readonly target?: string
}

/** A stored image: one line that describes it, then the content of the file. */
export interface StoredImage extends Image {
  readonly path: string
  /** Offset of the content. */
  readonly start: number
  /** Checksum of the content. */
  readonly sum: number
  /** Numbers of earlier images that were incomplete when this image was written. Any other missing number means that an image was lost. */
  readonly open?: readonly number[]
  /** The record of the checkpoint, if it was not stored yet. */
  readonly about?: object
}

/** Maximum length of an image's first line, in bytes. */
export const LONGEST_HEAD: number = 64 * 1024

const NEWLINE = 10
const KINDS: readonly unknown[] = ['file', 'dir', 'symlink', 'none']
const encoder = new TextEncoder()
const decoder = new TextDecoder()

export function encodeImage(path: string, image: Image, content: Uint8Array, open: readonly number[], about?: object): Uint8Array {
  const { kind, size, mode, target } = image
  const head = { path, kind, size, mode, target, sum: checksum(content), ...(open.length > 0 && { open }), about }
  const line = encoder.encode(`${JSON.stringify(head)}\n`)
  const bytes = new Uint8Array(line.length + content.length)
  bytes.set(line)
  bytes.set(content, line.length)
  return bytes
}

/**
 * Parses the first line of an image. `head` is the beginning of a file of `length` bytes. Returns `more` if the line is longer than `head`.
 * Returns undefined if the image is incomplete: its write was interrupted, so the change never started.
 */
export function decodeImage(head: Uint8Array, length: number): StoredImage | 'more' | undefined {
  const end = head.indexOf(NEWLINE)
  if (end === -1) return head.length < length ? 'more' : undefined
  const image = parse(decoder.decode(head.subarray(0, end)))
  if (!image) return undefined
  const whole = end + 1 + (image.kind === 'file' ? image.size : 0)
  return whole === length ? { ...image, start: end + 1 } : undefined
}

function parse(line: string): Omit<StoredImage, 'start'> | undefined {
  try {
    const value = JSON.parse(line) as Omit<StoredImage, 'start'>
    const isImage =
      typeof value.path === 'string' && KINDS.includes(value.kind) && Number.isSafeInteger(value.size) && Number.isInteger(value.sum)
    return isImage ? value : undefined
  } catch {
    return undefined
  }
}

/** FNV-1a, 32 bits. Detects content that was not fully written, for example because of a crash. */
export function checksum(bytes: Uint8Array): number {
  let sum = 0x811c9dc5
  for (let i = 0; i < bytes.length; i++) sum = Math.imul(sum ^ (bytes[i] as number), 0x01000193)
  return sum >>> 0
}
