import { required } from '../../errors/required.js'
import { joinBytes } from '../bytes.js'
import type { ArchiveSource } from './entry.js'

/** Iterates the chunks of a source. Closes the source if the consumer stops early. */
export function partsOf(source: ArchiveSource): AsyncIterator<Uint8Array> {
  if (ArrayBuffer.isView(source)) return one(source)
  if (typeof source === 'object' && source !== null) {
    if ('getReader' in source) return ofStream(source)
    if (Symbol.asyncIterator in source) return source[Symbol.asyncIterator]()
    if (Symbol.iterator in source) return many(source)
  }
  throw new TypeError('Cannot read the archive: expected a Uint8Array, a ReadableStream or an iterable of Uint8Arrays')
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function* many(parts: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* parts
}

/** Iterates a stream with a reader, because not every browser supports async iteration of streams. */
function ofStream(stream: ReadableStream<Uint8Array>): AsyncIterator<Uint8Array> {
  const reader = stream.getReader()
  return {
    next: async () => {
      const { done, value } = await reader.read()
      return done || value === undefined ? { done: true, value: undefined } : { done: false, value }
    },
    return: async () => {
      await reader.cancel()
      return { done: true, value: undefined }
    },
  }
}

/** Converts chunks to a stream for `new Response(stream)`. Reads only on demand, and stops on cancel. */
export function toStream(parts: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = required('toStream', 'an async iterable of Uint8Arrays', parts, Symbol.asyncIterator)[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Collects all bytes in one array. */
export async function collectBytes(source: ArchiveSource): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  const iterator = partsOf(source)
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) parts.push(next.value)
  return joinBytes(parts)
}

const RUN_BYTES = 64 * 1024

/** Regroups the bytes into chunks of about 64 KiB, to reduce the number of turns for the consumer. */
export async function* inRuns(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const part of parts) {
    waiting.push(part)
    length += part.length
    if (length < RUN_BYTES) continue
    yield waiting.length === 1 ? part : joinBytes(waiting)
    waiting = []
    length = 0
  }
  if (length > 0) yield joinBytes(waiting)
}
