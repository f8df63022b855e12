import { UnsupportedError } from '../../errors/index.js'
import { toBase64 } from '../../ops/base64.js'
import { registryError } from './faults.js'

declare const crypto: { readonly subtle?: { digest(algorithm: string, data: Uint8Array): Promise<ArrayBuffer> } }

/** Hash algorithms, strongest first. */
const ALGORITHMS = [
  ['sha512', 'SHA-512'],
  ['sha384', 'SHA-384'],
  ['sha256', 'SHA-256'],
  ['sha1', 'SHA-1'],
] as const
const LENGTHS = { sha512: 88, sha384: 64, sha256: 44, sha1: 28 } as const

/**
 * Verifies bytes by the strongest algorithm of an integrity string (`sha512-... sha1-...`, as in "Subresource Integrity"). One of several
 * digests of that algorithm must match.
 *
 * @throws {NetworkError} with both digests; {UnsupportedError} on a page that has no web crypto
 */
export async function checkIntegrity(label: string, bytes: Uint8Array, integrity: string): Promise<void> {
  const digests = integrity
    .trim()
    .split(/\s+/)
    .map((digest) => digest.replace(/\?.*$/, ''))
  for (const [prefix, algorithm] of ALGORITHMS) {
    const expected = digests.filter((digest) => digest.startsWith(`${prefix}-`) && digest.length === prefix.length + 1 + LENGTHS[prefix])
    if (expected.length === 0) continue
    const actual = `${prefix}-${await digestOf(algorithm, bytes)}`
    if (expected.includes(actual)) return
    throw registryError(
      `Cannot install ${label}: the tarball is not the one that was published (${bytes.length} bytes). Expected ${expected.join(' or ')}, got ${actual}`,
    )
  }
  throw registryError(`Cannot install ${label}: the registry gives no sha512, sha384, sha256 or sha1 digest to check the tarball by`)
}

async function digestOf(algorithm: string, bytes: Uint8Array): Promise<string> {
  const subtle = crypto?.subtle
  if (!subtle)
    throw new UnsupportedError(
      'crypto.subtle',
      'Cannot check packages: this page has no Web Crypto. Serve the page over https or from localhost',
    )
  return toBase64(new Uint8Array(await subtle.digest(algorithm, bytes)))
}

/** Converts a hexadecimal SHA-1 digest of old metadata to an integrity string. Undefined for any other value. */
export function fromShasum(shasum: unknown): string | undefined {
  if (typeof shasum !== 'string' || !/^[0-9a-f]{40}$/i.test(shasum)) return undefined
  return `sha1-${toBase64(Uint8Array.from({ length: 20 }, (_, i) => Number.parseInt(shasum.slice(2 * i, 2 * i + 2), 16)))}`
}
