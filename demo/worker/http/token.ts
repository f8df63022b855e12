import type { Credential } from '../env.js'

const BYTES = 32
/** Longer values cannot be tokens and are rejected without being hashed. */
const LONGEST = 512

/** Creates a token: 32 random bytes, base64url. */
export const newToken = (): string => base64url(crypto.getRandomValues(new Uint8Array(BYTES)))

/** The key that opens the preview of a workspace and nothing else. The token cannot be derived from this key. */
export async function previewKey(digest: ArrayBuffer): Promise<string> {
  const own = new Uint8Array([...new TextEncoder().encode('preview '), ...new Uint8Array(digest)])
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', own)))
}

/** Whether `key` opens the preview of the workspace with this digest. Compares in constant time. */
export async function isPreviewKey(key: string, digest: ArrayBuffer | undefined): Promise<boolean> {
  const right = new TextEncoder().encode(await previewKey(digest ?? new ArrayBuffer(BYTES)))
  const given = new TextEncoder().encode(key)
  return given.length === right.length && crypto.subtle.timingSafeEqual(given, right) && digest !== undefined
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

export const digestOf = (token: string): Promise<ArrayBuffer> => crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))

/** Whether the token has this digest. Compares in constant time, and takes equally long when `token` or `digest` is missing. */
export async function hasDigest(token: string | undefined, digest: ArrayBuffer | undefined): Promise<boolean> {
  const known = token !== undefined && token.length <= LONGEST
  const given = await digestOf(known ? token : '')
  return crypto.subtle.timingSafeEqual(given, digest ?? new Uint8Array(BYTES)) && known && digest !== undefined
}

/** Caches the last valid token, so that later requests need no hash while the object stays in memory. */
export class TokenCheck {
  #right: Uint8Array | undefined

  async isRight(token: string | undefined, digest: ArrayBuffer | undefined): Promise<boolean> {
    if (this.#right && token !== undefined && digest && token.length === this.#right.length) {
      const given = new TextEncoder().encode(token)
      if (given.length === this.#right.length && crypto.subtle.timingSafeEqual(given, this.#right)) return true
    }
    const right = await hasDigest(token, digest)
    if (right) this.#right = new TextEncoder().encode(token)
    return right
  }
}

/**
 * The token of `Authorization: Bearer`, or of the WebSocket protocol `bearer.<token>`, because web pages cannot set headers of a WebSocket.
 */
export function tokenOf({ headers }: Request): string | undefined {
  const [, bearer] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  return (
    bearer ??
    protocolsOf(headers)
      .find((name) => name.startsWith('bearer.'))
      ?.slice('bearer.'.length)
  )
}

/** `previewKey`: the key in the request's address, which then counts alone. */
export function credentialOf(request: Request, previewKey: string | undefined): Credential {
  const token = tokenOf(request)
  return previewKey !== undefined ? { previewKey } : token !== undefined ? { token } : {}
}

export function protocolsOf(headers: Headers): readonly string[] {
  if (headers.get('upgrade')?.toLowerCase() !== 'websocket') return []
  return (headers.get('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())
}
