import { isRecord } from '../../ops/is-record.js'
import type { PlainResponse } from './protocol.js'

const METHOD = /^[A-Z]{1,20}$/

/** A posted request, which the program may have forged; undefined if it is none. */
export function readRequest(value: unknown, base: string): Request | undefined {
  if (!isRecord(value) || typeof value.url !== 'string' || typeof value.method !== 'string' || !METHOD.test(value.method)) return undefined
  try {
    // Another address than one of the site is not for the handler.
    const url = new URL(value.url)
    if (!url.href.startsWith(base)) return undefined
    const headers = new Headers(Array.isArray(value.headers) ? (value.headers as [string, string][]) : [])
    const { method, body } = value
    return new Request(url, { method, headers, ...(isBuffer(body) && method !== 'GET' && method !== 'HEAD' && { body }) })
  } catch {
    return undefined
  }
}

/** Also one of another realm: the port may belong to a frame. */
const isBuffer = (value: unknown): value is ArrayBuffer => Object.prototype.toString.call(value) === '[object ArrayBuffer]'

export async function postable(response: Response): Promise<PlainResponse> {
  return { status: response.status, headers: [...response.headers], body: await response.arrayBuffer() }
}
