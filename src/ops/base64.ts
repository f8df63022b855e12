/** Number of bytes to encode at once: a multiple of 3, so that only the last chunk has padding, and few enough to pass as arguments. */
const CHUNK_BYTES = 3 * 1024

/** Encodes with the standard alphabet and padding, on one line. */
export function toBase64(bytes: Uint8Array): string {
  let out = ''
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    out += btoa(String.fromCharCode(...bytes.subarray(from, from + CHUNK_BYTES)))
  }
  return out
}

/** Decodes base64. Ignores white space and missing padding. Undefined if the text contains other characters. */
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
    // For a string, the only possible error is invalid base64.
    return undefined
  }
}
