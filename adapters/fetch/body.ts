import { NetworkError } from '../../src/errors/index.js'
import { joinBytes } from '../../src/ops/bytes.js'
import type { Hop } from './redirects.js'

export interface BodyOptions {
  readonly hop: Hop
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** @throws {NetworkError} `too_large`, before anything is read where the length is declared; `network` when it breaks off */
export async function readBody(response: Response, { hop, maxBytes, signal }: BodyOptions): Promise<Uint8Array<ArrayBuffer>> {
  if (hop.method === 'HEAD' || !response.body) return new Uint8Array()
  const tooLarge = (): NetworkError => new NetworkError('too_large', `Cannot fetch ${hop.label}: it is larger than ${maxBytes} bytes`)
  const reader = response.body.getReader()
  const cancel = (): void => void reader.cancel().catch(() => {})
  // A `fetch` that does not heed the signal would send on.
  signal.addEventListener('abort', cancel)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    if (Number(response.headers.get('content-length')) > maxBytes) throw tooLarge()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.length
      if (size > maxBytes) throw tooLarge()
      chunks.push(value)
    }
    return joinBytes(chunks)
  } catch (error) {
    cancel()
    if (signal.aborted) throw signal.reason
    if (error instanceof NetworkError) throw error
    throw new NetworkError('network', `Cannot fetch ${hop.label}: the answer broke off`, { retryable: true, cause: error })
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
