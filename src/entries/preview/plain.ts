import { isRecord } from '../../ops/is-record.js'
import type { PlainResponse } from './protocol.js'
import { createBodyReader } from './read-body.js'

const METHOD = /^[A-Z]{1,20}$/
/** Maximum characters of a URL: as many as common servers accept. */
const LONGEST_URL = 16 * 1024

/** Reads the request that a page posted. Returns undefined for anything else, because the page may post any value. */
export function readRequest(value: unknown, base: string, signal?: AbortSignal): Request | undefined {
  if (!isRecord(value) || typeof value.url !== 'string' || typeof value.method !== 'string' || !METHOD.test(value.method)) return undefined
  try {
    // The handler only answers URLs of the site.
    const url = new URL(value.url)
    if (url.href.length > LONGEST_URL || !url.href.startsWith(base)) return undefined
    const headers = new Headers(Array.isArray(value.headers) ? (value.headers as [string, string][]) : [])
    const { method, body } = value
    const hasBody = isBuffer(body) && method !== 'GET' && method !== 'HEAD'
    return new Request(url, { method, headers, ...(signal && { signal }), ...(hasBody && { body }) })
  } catch {
    return undefined
  }
}

/** Returns the size of a posted request in bytes: body, URL and headers. */
export function sizeOf(value: unknown, { url, headers }: Request): number {
  const body = isRecord(value) && isBuffer(value.body) ? value.body.byteLength : 0
  return [...headers].reduce((sum, [name, text]) => sum + name.length + text.length, url.length + body)
}

/** Whether a value is an ArrayBuffer, also one of another realm, because the port may belong to a frame. */
const isBuffer = (value: unknown): value is ArrayBuffer => Object.prototype.toString.call(value) === '[object ArrayBuffer]'

/** Converts a response to a form that can be posted. @throws {TooLargeError}; the reason of the signal */
export async function postable(response: Response, url: string, signal?: AbortSignal): Promise<PlainResponse> {
  const body = await createBodyReader(signal)(response, url)
  return { status: response.status, headers: [...response.headers], body: body.buffer }
}
