const BYTES = 32
/** No token is longer; what is, is not hashed at all. */
const LONGEST = 512

/** 32 random bytes, base64url. */
export const newToken = (): string => base64url(crypto.getRandomValues(new Uint8Array(BYTES)))

/** What opens the preview of a workspace, and nothing else of it: the token cannot be found from it. */
export async function previewKey(digest: ArrayBuffer): Promise<string> {
  const own = new Uint8Array([...new TextEncoder().encode('preview '), ...new Uint8Array(digest)])
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', own)))
}

/** Whether a key opens the preview of the workspace with this digest, in a time that does not tell how far it agrees. */
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

/**
 * Whether the token has this digest, in a time that does not tell how far it agrees. Where there is none to compare with it takes as
 * long, and is false.
 */
export async function hasDigest(token: string | undefined, digest: ArrayBuffer | undefined): Promise<boolean> {
  const known = token !== undefined && token.length <= LONGEST
  const given = await digestOf(known ? token : '')
  return crypto.subtle.timingSafeEqual(given, digest ?? new Uint8Array(BYTES)) && known && digest !== undefined
}

/** Remembers the token that was found right last: it need not be hashed again while the object is in memory. */
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

/** Of `Authorization: Bearer`, or, as web pages cannot set headers of a WebSocket, of the protocol `bearer.<token>`. */
export function tokenOf({ headers }: Request): string | undefined {
  const [, bearer] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  return (
    bearer ??
    protocolsOf(headers)
      .find((name) => name.startsWith('bearer.'))
      ?.slice('bearer.'.length)
  )
}

export function protocolsOf(headers: Headers): readonly string[] {
  if (headers.get('upgrade')?.toLowerCase() !== 'websocket') return []
  return (headers.get('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())
}
