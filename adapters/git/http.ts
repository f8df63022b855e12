import { NetworkError } from '../../src/errors/index.js'
import { joinBytes } from '../../src/ops/bytes.js'
import type { FetchAdapter, FetchResponse } from '../../src/types/ports.js'

interface HttpRequest {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

interface HttpResponse {
  readonly url: string
  readonly statusCode: number
  readonly statusMessage: string
  readonly headers: Record<string, string>
  readonly body: AsyncIterableIterator<Uint8Array>
}

/** The HTTP client that isomorphic-git uses. */
export interface HttpClient {
  request(request: HttpRequest): Promise<HttpResponse>
}

export interface HttpOptions {
  readonly fetch: FetchAdapter
  readonly corsProxy: string | undefined
  readonly maxBytes: number
  /** The server's URL for messages. */
  readonly remote: string
  readonly signal: AbortSignal | undefined
}

/**
 * Creates the HTTP client that isomorphic-git uses. The client buffers bodies in both directions: servers require a content length, and
 * isomorphic-git would treat a response that breaks off as complete.
 */
export function httpClient(options: HttpOptions): HttpClient {
  const { fetch, corsProxy, signal } = options
  return {
    request: async ({ url, method = 'GET', headers = {}, body }) => {
      signal?.throwIfAborted()
      const response = await fetch.fetch({
        url: throughProxy(corsProxy, url),
        method,
        headers,
        ...(body && { body: await collect(body) }),
        ...(signal && { signal }),
      })
      return {
        url,
        statusCode: response.status,
        statusMessage: '',
        headers: { 'content-type': response.headers.get('content-type') ?? '' },
        body: inOne(await collect(chunksOf(response, options))),
      }
    },
  }
}

/**
 * Adds the proxy to a URL by the same rules as isomorphic-git. This happens here, so that the URL of the proxy, which may contain a key, is
 * not stored in the repository.
 */
function throughProxy(proxy: string | undefined, url: string): string {
  if (proxy === undefined) return url
  return proxy.endsWith('?') ? `${proxy}${url}` : `${proxy}/${url.replace(/^https?:\/\//, '')}`
}

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  yield bytes
}

async function collect(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  for await (const part of chunks) parts.push(part)
  return joinBytes(parts)
}

/** @throws {NetworkError} `too_large`; `network` if the response breaks off */
async function* chunksOf(response: FetchResponse, { remote, maxBytes, signal }: HttpOptions): AsyncGenerator<Uint8Array, undefined> {
  const stream = (response as { readonly body?: ReadableStream<Uint8Array> | null }).body
  const why = `an answer of ${remote} is larger than ${maxBytes} bytes. Clone with a "depth".`
  if (!stream?.getReader) {
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (bytes.length > maxBytes) throw new NetworkError('too_large', `Cannot clone: ${why}`)
    yield bytes
    return
  }
  const reader = stream.getReader()
  const stop = (): void => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', stop)
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal?.throwIfAborted()
      if (done) return
      size += value.length
      if (size > maxBytes) throw new NetworkError('too_large', `Cannot clone: ${why}`)
      yield value
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof NetworkError) throw error
    throw new NetworkError('network', `Cannot clone: the answer of ${remote} broke off`, { retryable: true, cause: error })
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}
