/** 64 bits of a content and its length: tells equal contents from different ones that came about by accident, not by intent. */
export function contentDigest(bytes: Uint8Array): string {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, bytes.length >> 2)
  let a = 0x9e3779b9
  let b = 0x85ebca6b
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as number
    a = Math.imul(a ^ word, 0xcc9e2d51)
    a ^= a >>> 15
    b = Math.imul(b ^ word, 0x1b873593)
    b = (((b << 13) | (b >>> 19)) + a) | 0
  }
  for (let i = words.length * 4; i < bytes.length; i++) {
    a = Math.imul(a ^ (bytes[i] as number), 0xcc9e2d51)
    b = (Math.imul(b ^ (bytes[i] as number), 0x1b873593) + a) | 0
  }
  return `${bytes.length}-${mixed(a ^ bytes.length)}${mixed(b ^ a)}`
}

function mixed(value: number): string {
  let mix = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return ((mix ^ (mix >>> 16)) >>> 0).toString(16).padStart(8, '0')
}
