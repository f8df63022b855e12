import { decodeUtf8 } from '../../ops/utf8.js'
import { ProxyError } from './answers.js'

/** The JSON of a request. @throws {ProxyError} `not_json`, `too_large`, `invalid_request` */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  // Also what keeps a page of another origin from asking without a preflight.
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new ProxyError('not_json', 'Send JSON, with the content type application/json')
  const text = decodeUtf8(await readBytes(request, maxBytes))
  try {
    if (text !== undefined) return JSON.parse(text)
  } catch {
    // Told below: the error's own words quote the body.
  }
  throw new ProxyError('invalid_request', 'The body is not JSON')
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = (): ProxyError => new ProxyError('too_large', `The body is larger than ${maxBytes} bytes`)
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge()
  const bytes = new Uint8Array(maxBytes)
  let size = 0
  const reader = request.body?.getReader()
  try {
    for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
      const chunk: Uint8Array = step.value
      if (size + chunk.length > maxBytes) throw tooLarge()
      bytes.set(chunk, size)
      size += chunk.length
    }
  } catch (error) {
    void reader?.cancel().catch(() => {})
    throw error instanceof ProxyError ? error : new ProxyError('invalid_request', 'The body broke off')
  }
  return bytes.subarray(0, size)
}
