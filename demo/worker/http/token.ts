const BYTES = 32
/** No token is longer; what is, is not hashed at all. */
const LONGEST = 512

/** 32 random bytes, base64url. */
export function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
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
