import { UnsupportedError } from '../../errors/index.js'

/**
 * Returns the SHA-256 hash in hexadecimal. @throws {UnsupportedError} on a page without a secure context (https or localhost), which has no
 * web crypto
 */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const subtle = crypto?.subtle
  if (!subtle)
    throw new UnsupportedError('crypto.subtle', 'Cannot hash: this page has no Web Crypto. Serve the page over https or from localhost')
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
