import { FsError, hasCode } from '../../../errors/index.js'
import { fromBase64 } from '../../../ops/base64.js'
import type { FsStat } from '../../../types/fs.js'
import { type Calls, codeOf } from './calls.js'

/** Maximum bytes that `read_file` returns at once. */
const PAGE_BYTES = 1024 * 1024

/** A part of a file, starting at `byte_offset`. */
export interface Page {
  readonly bytes: Uint8Array
  /** Size of the whole file. */
  readonly size: number
  /** Byte offset of the next page. Undefined: this is the last page. */
  readonly next: number | undefined
}

interface Output {
  readonly base64: string
  readonly size: number
  readonly next?: { readonly byte_offset: number }
}

/** @throws as `Calls.run` */
export async function readPage(calls: Calls, path: string, byte_offset: number, max_bytes: number = PAGE_BYTES): Promise<Page> {
  const { base64, size, next } = await calls.run<Output>('read_file', { path, byte_offset, max_bytes, encoding: 'base64' })
  return { bytes: fromBase64(base64) ?? new Uint8Array(), size, next: next?.byte_offset }
}

/** Reads the next page. @throws FsError ESTALE if the size of the file has changed, because the pages would not fit together */
export async function nextPage(calls: Calls, path: string, offset: number, size: number): Promise<Page> {
  const page = await readPage(calls, path, offset)
  if (page.size !== size) throw new FsError({ code: 'ESTALE', op: 'read', path, detail: 'it changed while it was read: read it again' })
  return page
}

/** Reads a whole file. @throws FsError EFBIG after the first page, if the file has more than `maxBytes`; ESTALE; as `Calls.run` */
export async function readWhole(calls: Calls, path: string, maxBytes: number): Promise<Uint8Array> {
  const first = await readPage(calls, path, 0)
  const { size } = first
  if (size > maxBytes) throw new FsError({ code: 'EFBIG', op: 'read', path, detail: `${size} bytes are more than ${maxBytes}` })
  return readOn(calls, path, first, size)
}

/** Reads the first `maxBytes` of a file, or a shorter file completely. @throws FsError ESTALE; as `Calls.run` */
export async function readStart(calls: Calls, path: string, maxBytes: number): Promise<Uint8Array> {
  const first = await readPage(calls, path, 0)
  return readOn(calls, path, first, Math.min(first.size, maxBytes))
}

async function readOn(calls: Calls, path: string, first: Page, length: number): Promise<Uint8Array> {
  if (first.next === undefined || first.next >= length) return first.bytes.subarray(0, length)
  const all = new Uint8Array(length)
  all.set(first.bytes)
  for (let offset: number | undefined = first.next; offset !== undefined && offset < length; ) {
    const page: Page = await nextPage(calls, path, offset, first.size)
    all.set(page.bytes.subarray(0, length - offset), offset)
    offset = page.next
  }
  return all
}

/** Returns the kind and size of a path, following links. Undefined if the path does not exist. @throws as `Calls.run` */
export async function lookAt(calls: Calls, path: string): Promise<{ readonly kind: 'file' | 'dir'; readonly size: number } | undefined> {
  try {
    return { kind: 'file', size: (await readPage(calls, path, 0, 1)).size }
  } catch (error) {
    if (codeOf(error) === 'EISDIR') return { kind: 'dir', size: 0 }
    if (isMissing(error)) return undefined
    throw error
  }
}

/**
 * Like `lookAt`, with the time of the last change. Asks the workspace, because a read by a tool would count as a read by the model. If a
 * rule prevents this, the tool asks or reports, and the time is 0.
 */
export async function statOf(calls: Calls, path: string): Promise<Pick<FsStat, 'kind' | 'size' | 'mtimeMs'> | undefined> {
  try {
    return await calls.runtime.workspace.stat(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    const found = await lookAt(calls, path)
    return found && { ...found, mtimeMs: 0 }
  }
}

/** Whether an error says that the path does not exist, or that one of its parents is not a directory. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}
