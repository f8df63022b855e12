import { NetworkError } from '../../src/errors/index.js'

/**
 * The address, absolute or relative to `base`, if its origin is one of these.
 * @throws {NetworkError} `blocked_origin`
 */
export function allowedUrl(address: string, base: URL | undefined, origins: ReadonlySet<string>): URL {
  const how = base ? `${labelOf(base)} redirects to` : 'Cannot fetch'
  if (!URL.canParse(address, base)) throw new NetworkError('blocked_origin', `${how} an address that is no URL`)
  const url = new URL(address, base)
  // A `blob:` address has the origin of the page that made it.
  if (!/^https?:$/.test(url.protocol) || !origins.has(url.origin))
    throw new NetworkError('blocked_origin', `${how} ${labelOf(url)}: its origin is not allowed`)
  if (url.username || url.password) throw new NetworkError('blocked_origin', `${how} ${labelOf(url)}: the address has a user or a password`)
  return url
}

/** An address for a message: without what may hold a key, and not endless. */
export function labelOf({ protocol, host, pathname }: URL): string {
  return `"${`${protocol}//${host}${pathname}`.slice(0, 200)}"`
}
