import { FsError, hasCode } from '../../../errors/index.js'
import { toBase64 } from '../../../ops/base64.js'
import { joinBytes } from '../../../ops/bytes.js'
import { untilAborted } from '../../../ops/concurrency.js'
import { baseName } from '../../../workspace/paths.js'
import { type Calls, codeOf } from '../shared/calls.js'
import { changeAnyway } from '../shared/changing.js'
import { listAll } from '../shared/listing.js'
import { isMissing, lookAt, nextPage, readPage } from '../shared/reading.js'
import type { AiSdkDirectoryEntry, AiSdkFileStat } from './types.js'

const TYPES = { file: 'file', dir: 'directory', symlink: 'symlink' } as const

/** Returns the result of a read, or null if the path does not exist. */
export async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Streams a file. Each pull reads one page. Rejects if the path is not a file. */
export async function contentStream(calls: Calls, path: string): Promise<ReadableStream<Uint8Array>> {
  const first = await readPage(calls, path, 0)
  let page = first
  let isSent = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (isSent && page.next !== undefined) page = await nextPage(calls, path, page.next, first.size)
        isSent = true
        if (page.bytes.length > 0) controller.enqueue(page.bytes)
        if (page.next === undefined) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Reads a stream to its end. @throws FsError EFBIG, after it has cancelled the stream; the reason of an abort; the stream's own error */
export async function collect(calls: Calls, path: string, content: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const reader = content.getReader()
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), calls.signal)
      if (done) return joinBytes(pieces)
      if (!(value instanceof Uint8Array)) throw new TypeError(`Cannot write "${path}": the stream gave ${typeof value}, not bytes`)
      size += value.length
      if (size > maxBytes) throw new FsError({ code: 'EFBIG', op: 'write', path, detail: `the stream has more than ${maxBytes} bytes` })
      pieces.push(value.slice())
    }
  } catch (error) {
    // Cancelling fails if the stream itself has failed. Do not wait for it, because a stream may never respond.
    void reader.cancel(error).catch(() => undefined)
    throw error
  }
}

/** Writes a file. Creates missing directories and replaces an existing file. */
export async function write(calls: Calls, path: string, bytes: Uint8Array): Promise<void> {
  const result = await changeAnyway(calls, path, 'write_file', { path, content: toBase64(bytes), encoding: 'base64' })
  if (!result.ok) throw calls.failed(result)
}

/** Returns the type and size of a path, following links. Null if the path does not exist. */
export async function stat(calls: Calls, path: string): Promise<AiSdkFileStat | null> {
  const found = await lookAt(calls, path)
  return found ? { type: TYPES[found.kind], size: found.size } : null
}

export async function listDirectory(calls: Calls, path: string): Promise<AiSdkDirectoryEntry[] | null> {
  try {
    return (await listAll(calls, path)).map(({ path: at, kind }) => ({ name: baseName(at), type: TYPES[kind] }))
  } catch (error) {
    // ENOTDIR: the path itself is a file (an error), or one of its parents is (the path does not exist).
    if (codeOf(error) === 'ENOENT' || (codeOf(error) === 'ENOTDIR' && !(await lookAt(calls, path)))) return null
    throw error
  }
}

/** Deletes a file. Returns false if the path does not exist. Removes a link, not its target. @throws FsError EISDIR */
export async function deleteFile(calls: Calls, path: string): Promise<boolean> {
  const { workspace } = calls.runtime
  // `delete_file` would remove an empty directory, so check the kind. If the path cannot be inspected, let `delete_file` report or ask.
  const kind = await workspace.lstat(path).then(
    (found) => found.kind,
    (error: unknown) => (hasCode(error, 'ENOENT', 'ENOTDIR') ? 'nothing' : 'unknown'),
  )
  if (kind === 'nothing') return false
  if (kind === 'dir') throw new FsError({ code: 'EISDIR', op: 'remove', path: workspace.resolve(path) })
  try {
    await calls.run('delete_file', { path })
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
