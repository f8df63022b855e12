import { ByteReader } from './byte-reader.js'
import type { ArchiveSource } from './entry.js'
import { archiveError, tooLarge } from './faults.js'
import { type ArchiveLimits, limitsOf, RATIO_COUNTS_FROM } from './limits.js'

/** Number of bytes to pass to the decompressor at once. A zip bomb expands them by a factor of a thousand before the limits are checked. */
const SLICE = 16 * 1024

/** Compresses with gzip, in chunks. The compressed bytes differ between runtimes, but decompress to the same content. */
export function gzip(source: ArchiveSource, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  return through(new CompressionStream('gzip'), source, signal, () => undefined, 64 * 1024)
}

/**
 * Decompresses gzip, in chunks. Supports only a single gzip member, as in archives.
 *
 * @throws {InputError} `corrupt`, `truncated`; {FsError} EFBIG over `limits.ratio`; errors of the source
 */
export async function* gunzip(
  source: ArchiveSource,
  options: { readonly limits?: ArchiveLimits; readonly signal?: AbortSignal } = {},
): AsyncGenerator<Uint8Array> {
  const { ratio } = limitsOf(options.limits)
  let packed = 0
  let unpacked = 0
  const count = (bytes: number): void => {
    packed += bytes
  }
  for await (const part of through(new DecompressionStream('gzip'), source, options.signal, count, SLICE)) {
    unpacked += part.length
    if (unpacked > RATIO_COUNTS_FROM && unpacked > packed * ratio) {
      throw tooLarge(`${packed} compressed bytes unpack to ${unpacked}: more than the limit of ${ratio} times`)
    }
    yield part
  }
}

interface Failure {
  readonly error: unknown
}

async function* through(
  { readable, writable }: CompressionStream,
  source: ArchiveSource,
  signal: AbortSignal | undefined,
  count: (bytes: number) => void,
  slice: number,
): AsyncGenerator<Uint8Array> {
  const input = new ByteReader(source, signal)
  const writer = writable.getWriter()
  const output = readable.getReader()
  /** The first error of the source. It causes all errors of the output. */
  let failed: Failure | undefined
  const feed = async (): Promise<void> => {
    for (;;) {
      const part = await input.some(slice).catch(async (error: unknown) => {
        failed = { error }
        await writer.abort(error)
        throw error
      })
      if (!part) return writer.close()
      count(part.length)
      await writer.write(part)
    }
  }
  // Ignore errors here, because the output reports the same error.
  const feeding = feed().catch(() => undefined)
  try {
    for (;;) {
      const { done, value } = await output.read().catch((error: unknown) => {
        throw failed ? failed.error : broken(error)
      })
      if (failed) throw failed.error
      if (done || value === undefined) break
      yield value
    }
    await feeding
  } finally {
    input.close()
    output.cancel().catch(() => undefined)
  }
}

function broken(cause: unknown): Error {
  const text = cause instanceof Error ? cause.message : String(cause)
  const cut = /unexpected end|end of|truncated|incomplete/i.test(text)
  return archiveError(cut ? 'truncated' : 'corrupt', cut ? 'its gzip data is cut off' : `its gzip data is damaged`)
}
