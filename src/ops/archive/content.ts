import { required } from '../../errors/required.js'
import { joinBytes } from '../bytes.js'
import type { ArchiveContent, ArchiveEntry } from './entry.js'
import { archiveError, tooLarge } from './faults.js'

/** Maximum bytes of one content in memory. */
const MAX_HELD = 2 ** 31 - 1

/**
 * Reads the whole content of an entry.
 *
 * @throws {InputError} `corrupt`, if the content does not match the entry's size
 * @throws {FsError} EFBIG from 2 GiB, because not every runtime can hold more
 */
export async function entryBytes(entry: ArchiveEntry): Promise<Uint8Array> {
  const { path, size, content } = required('entryBytes', 'an entry of an archive', entry, 'path')
  if (size > MAX_HELD) throw tooLarge(`its ${size} bytes do not fit in memory: use a tar archive, which is streamed`, path)
  if (content === undefined || ArrayBuffer.isView(content)) {
    const bytes = content ?? new Uint8Array(0)
    if (bytes.length !== size) throw wrongSize(path, size, bytes.length)
    return bytes
  }
  const parts: Uint8Array[] = []
  for await (const part of sized(path, size, content)) parts.push(part)
  return parts.length === 1 ? (parts[0] as Uint8Array) : joinBytes(parts)
}

/** Yields the content in chunks and checks its size. @throws {InputError} `corrupt` */
export async function* sized(path: string, size: number, content: ArchiveContent): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const part of ArrayBuffer.isView(content) ? [content] : content) {
    length += part.length
    if (length > size) throw wrongSize(path, size, length)
    if (part.length > 0) yield part
  }
  if (length < size) throw wrongSize(path, size, length)
}

function wrongSize(path: string, size: number, length: number): Error {
  return archiveError('corrupt', `has ${length > size ? 'more' : `${length}`} bytes where its size says ${size}`, path)
}
