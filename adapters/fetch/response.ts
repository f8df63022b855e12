import type { FetchResponse } from '../../src/types/ports.js'

const decoder = new TextDecoder()

/** An answer that is there already: its body can be read more than once. Cookies are left out. */
export function toResponse({ ok, status, headers }: Response, body: Uint8Array<ArrayBuffer>): FetchResponse {
  return {
    ok,
    status,
    headers: { get: (name) => (/^set-cookie2?$/i.test(name) ? null : headers.get(name)) },
    text: async () => decoder.decode(body),
    json: async () => JSON.parse(decoder.decode(body)),
    arrayBuffer: async () => body.slice().buffer,
  }
}
