import { joinBytes } from '../../ops/bytes.js'

/** Maximum bytes that a preview in a page holds for one page with its files, or for one request. */
export const MOST_BYTES: number = 64 * 1024 * 1024
/** Bytes that each file counts in addition to its content, because empty files take time too. */
const LEAST_COST = 1024

/** Thrown for a page, file or response with more than `MOST_BYTES`. */
export class TooLargeError extends Error {
  constructor(url: string) {
    super(
      `Cannot load "${url}": it is too large. A preview loads at most ${MOST_BYTES / 1024 / 1024} MiB for one page or request. Use smaller files.`,
    )
  }
}

/** Reads the body of a response. `url` is for error messages. @throws {TooLargeError}; the reason of the signal */
export type ReadBody = (response: Response, url: string) => Promise<Uint8Array<ArrayBuffer>>

/**
 * Creates a function that reads response bodies, at most `MOST_BYTES` in total. If the function fails to read a body to its end, it cancels
 * the body.
 */
export function createBodyReader(signal?: AbortSignal): ReadBody {
  let left = MOST_BYTES
  return async (response, url) => {
    left -= LEAST_COST
    const reader = response.body?.getReader()
    const cancel = (): void => void reader?.cancel(signal?.reason).catch(() => {})
    signal?.addEventListener('abort', cancel)
    const chunks: Uint8Array[] = []
    try {
      for (;;) {
        signal?.throwIfAborted()
        if (left < 0) throw new TooLargeError(url)
        const next = await reader?.read()
        if (!next || next.done) break
        left -= next.value.length
        chunks.push(next.value)
      }
      signal?.throwIfAborted()
      return joinBytes(chunks)
    } catch (error) {
      cancel()
      throw error
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }
}

/** A file of the site. */
export interface SiteFile {
  readonly status: number
  /** The value of `content-type`; empty if there is none. */
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Reads the whole response into memory. @throws as `read` */
export async function readFile(response: Response, url: string, read: ReadBody): Promise<SiteFile> {
  return { status: response.status, type: response.headers.get('content-type') ?? '', bytes: await read(response, url) }
}

/** Decodes the text of a file, as `Response.text` does. */
export const textOf = ({ bytes }: SiteFile): string => new TextDecoder().decode(bytes)
