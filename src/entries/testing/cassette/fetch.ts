import { fromBase64, toBase64 } from '../../../ops/base64.js'
import { decodeUtf8 } from '../../../ops/utf8.js'
import type { FetchAdapter, FetchRequest, FetchResponse } from '../../../types/ports.js'
import type { JsonValue } from '../../../types/tool.js'
import { missing } from './missing-port.js'
import type { Tape } from './tape.js'

/** A recorded body: as JSON if `JSON.stringify` reproduces its exact text, otherwise as text, or as base64 for bytes. */
interface RecordedBody {
  readonly json?: JsonValue
  readonly text?: string
  readonly base64?: string
}

export interface RecordedResponse extends RecordedBody {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** The headers to record if a response does not support listing its headers. */
const HEADERS = ['content-type', 'content-length', 'location', 'etag', 'retry-after', 'last-modified', 'link']

/** Records or replays the network. `given` is missing in a replay. */
export function recordedFetch(tape: Tape, given: FetchAdapter | undefined): FetchAdapter {
  const real: FetchAdapter = given ?? missing('fetch')
  return {
    name: given?.name ?? tape.header.ports?.fetch?.name ?? 'cassette',
    async fetch(request) {
      const recorded = await tape.play('fetch', askedOf(request), async () => {
        const response = await real.fetch(request)
        return recordedResponse(response.status, headersOf(response), new Uint8Array(await response.arrayBuffer()))
      })
      return responseOf(recorded)
    },
  }
}

/** Records only URL, method and body. Request headers contain API keys, versions and client names. */
export const askedOf = ({ url, method = 'GET', body }: FetchRequest): object => ({
  method,
  url,
  ...(body !== undefined && body !== null && { body: askedBody(body) }),
})

function askedBody(body: unknown): unknown {
  if (body instanceof URLSearchParams) return String(body)
  const bytes = body instanceof ArrayBuffer ? new Uint8Array(body) : body
  const text = bytes instanceof Uint8Array ? decodeUtf8(bytes) : bytes
  // `recordable` records any other body by its fields, or rejects it.
  return typeof text === 'string' ? bodyOf(text) : (text ?? body)
}

/** Records JSON as a value, so that differences name a field. */
export function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

export function recordedResponse(status: number, headers: Readonly<Record<string, string>>, bytes: Uint8Array): RecordedResponse {
  const text = decodeUtf8(bytes)
  if (text === undefined) return { status, headers, base64: toBase64(bytes) }
  const json = bodyOf(text)
  return typeof json === 'object' && JSON.stringify(json) === text
    ? { status, headers, json: json as JsonValue }
    : { status, headers, text }
}

export const bytesOf = ({ json, text, base64 }: RecordedBody): Uint8Array<ArrayBuffer> =>
  ((base64 === undefined ? undefined : fromBase64(base64)) ??
    new TextEncoder().encode(json === undefined ? (text ?? '') : JSON.stringify(json))) as Uint8Array<ArrayBuffer>

function headersOf({ headers }: FetchResponse): Readonly<Record<string, string>> {
  if ('entries' in headers) return Object.fromEntries((headers as Headers).entries())
  return Object.fromEntries(HEADERS.flatMap((name) => (headers.get(name) === null ? [] : [[name, headers.get(name) as string]])))
}

function responseOf(recorded: RecordedResponse): FetchResponse {
  const { status, headers } = recorded
  const bytes = bytesOf(recorded)
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => headers[name.toLowerCase()] ?? null },
    text: async () => new TextDecoder().decode(bytes),
    json: async () => JSON.parse(new TextDecoder().decode(bytes)) as unknown,
    arrayBuffer: async () => bytes.slice().buffer,
  }
}
