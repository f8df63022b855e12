/** A multiple of 3, so that no chunk but the last is padded, and small enough to be passed as arguments. */
const CHUNK_BYTES = 3 * 1024

/** Standard alphabet, padded, in one line. */
export function toBase64(bytes: Uint8Array): string {
  let out = ''
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    out += btoa(String.fromCharCode(...bytes.subarray(from, from + CHUNK_BYTES)))
  }
  return out
}

/** The bytes of base64 `text`; white space is skipped and padding may be missing. Undefined where anything else is in it. */
export function fromBase64(text: string): Uint8Array | undefined {
  const binary = decode(text)
  if (binary === undefined) return undefined
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}

function decode(text: string): string | undefined {
  try {
    return atob(text)
  } catch {
    // The only thing it throws for a string is that this is not base64.
    return undefined
  }
}
