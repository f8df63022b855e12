const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** Computes the checksum of the zip format (CRC-32). `before` is the checksum of the preceding bytes. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let value = ~before
  for (let i = 0; i < bytes.length; i++) value = (TABLE[(value ^ (bytes[i] as number)) & 255] as number) ^ (value >>> 8)
  return ~value >>> 0
}
