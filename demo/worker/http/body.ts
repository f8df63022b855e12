import { HttpError } from './errors.js'

export interface BodyLimits {
  readonly MAX_BODY_BYTES: number
  readonly BODY_TIMEOUT_MS: number
}

/**
 * Reads the JSON body of a request. Counts the bytes as they arrive and does not trust `Content-Length`.
 *
 * @throws {HttpError} not_json, body_too_large, body_timeout, invalid_body
 */
export async function readJson(request: Request, limits: BodyLimits): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new HttpError(415, 'not_json', 'The body has to be JSON', { hint: 'Send it with "Content-Type: application/json"' })
  }
  return parseJson(await readBody(request, limits))
}

/** @throws {HttpError} invalid_body */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes))
  } catch {
    // The parser's message would quote the body.
    throw new HttpError(400, 'invalid_body', 'The body is not JSON in UTF-8')
  }
}

/** @throws {HttpError} body_too_large, body_timeout, or invalid_body when the connection breaks off */
export async function readBody(request: Request, { MAX_BODY_BYTES, BODY_TIMEOUT_MS }: BodyLimits): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = (): HttpError => new HttpError(413, 'body_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes`)
  if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) throw tooLarge()
  if (!request.body) return new Uint8Array()
  const late = deadline(BODY_TIMEOUT_MS)
  const tooLate = (): HttpError => new HttpError(408, 'body_timeout', `The body did not arrive within ${BODY_TIMEOUT_MS} ms`)
  try {
    return await inChunks(request.body, MAX_BODY_BYTES, late.over, { tooLarge, tooLate })
  } catch (error) {
    throw error instanceof HttpError ? error : new HttpError(400, 'invalid_body', 'The body broke off')
  } finally {
    late.clear()
  }
}

interface Refusals {
  readonly tooLarge: () => HttpError
  readonly tooLate: () => HttpError
}

async function inChunks(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
  over: Promise<undefined>,
  { tooLarge, tooLate }: Refusals,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  try {
    while (true) {
      const step = await Promise.race([reader.read(), over])
      if (!step) throw tooLate()
      if (step.done) return joined(chunks, size)
      size += step.value.length
      if (size > maxBytes) throw tooLarge()
      chunks.push(step.value)
    }
  } catch (error) {
    reader.cancel().catch(() => {})
    throw error
  }
}

function deadline(ms: number): { readonly over: Promise<undefined>; clear(): void } {
  let timer: ReturnType<typeof setTimeout>
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return { over, clear: () => clearTimeout(timer) }
}

function joined(chunks: readonly Uint8Array<ArrayBuffer>[], size: number): Uint8Array<ArrayBuffer> {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
