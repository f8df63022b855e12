// Digests that have to be there at once: the host has them only as promises.
const rotate = (word, by) => (word << by) | (word >>> (32 - by))

/** With the length in bits behind it, in whole blocks of 64 bytes. */
function padded(bytes, littleEndian) {
  const length = ((bytes.length + 8) >> 6) + 1
  const all = new Uint8Array(length * 64)
  all.set(bytes)
  all[bytes.length] = 0x80
  const view = new DataView(all.buffer)
  view.setUint32(all.length - (littleEndian ? 8 : 4), (bytes.length * 8) >>> 0, littleEndian)
  view.setUint32(all.length - (littleEndian ? 4 : 8), Math.floor(bytes.length / 2 ** 29), littleEndian)
  return view
}

function words(state, littleEndian) {
  const out = new DataView(new ArrayBuffer(state.length * 4))
  for (const [at, word] of state.entries()) out.setUint32(at * 4, word, littleEndian)
  return new Uint8Array(out.buffer)
}

function sha1(bytes) {
  const data = padded(bytes, false)
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]
  const w = new Int32Array(80)
  for (let block = 0; block < data.byteLength; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = data.getInt32(block + i * 4)
    for (let i = 16; i < 80; i++) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1)
    let [a, b, c, d, e] = state
    for (let i = 0; i < 80; i++) {
      const [f, k] =
        i < 20
          ? [(b & c) | (~b & d), 0x5a827999]
          : i < 40
            ? [b ^ c ^ d, 0x6ed9eba1]
            : i < 60
              ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
              : [b ^ c ^ d, 0xca62c1d6]
      const next = (rotate(a, 5) + f + e + k + w[i]) | 0
      ;[a, b, c, d, e] = [next, a, rotate(b, 30), c, d]
    }
    ;[a, b, c, d, e].forEach((word, at) => {
      state[at] = (state[at] + word) | 0
    })
  }
  return words(state, false)
}

const primes = (count) => {
  const found = []
  for (let value = 2; found.length < count; value++) if (found.every((prime) => value % prime !== 0)) found.push(value)
  return found
}
const fraction = (value) => ((value - Math.floor(value)) * 2 ** 32) | 0
let K256

function sha256(bytes) {
  K256 ??= primes(64).map((prime) => fraction(Math.cbrt(prime)))
  const data = padded(bytes, false)
  const state = primes(8).map((prime) => fraction(Math.sqrt(prime)))
  const w = new Int32Array(64)
  for (let block = 0; block < data.byteLength; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = data.getInt32(block + i * 4)
    for (let i = 16; i < 64; i++) {
      const s0 = rotate(w[i - 15], 25) ^ rotate(w[i - 15], 14) ^ (w[i - 15] >>> 3)
      const s1 = rotate(w[i - 2], 15) ^ rotate(w[i - 2], 13) ^ (w[i - 2] >>> 10)
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0
    }
    let [a, b, c, d, e, f, g, h] = state
    for (let i = 0; i < 64; i++) {
      const t1 = (h + (rotate(e, 26) ^ rotate(e, 21) ^ rotate(e, 7)) + ((e & f) ^ (~e & g)) + K256[i] + w[i]) | 0
      const t2 = ((rotate(a, 30) ^ rotate(a, 19) ^ rotate(a, 10)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    ;[a, b, c, d, e, f, g, h].forEach((word, at) => {
      state[at] = (state[at] + word) | 0
    })
  }
  return words(state, false)
}

const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
function md5(bytes) {
  const data = padded(bytes, true)
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (let block = 0; block < data.byteLength; block += 64) {
    let [a, b, c, d] = state
    for (let i = 0; i < 64; i++) {
      const round = i >> 4
      const f = [(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)][round]
      const g = [i, 5 * i + 1, 3 * i + 5, 7 * i][round] & 15
      const sum = (a + f + ((Math.abs(Math.sin(i + 1)) * 2 ** 32) | 0) + data.getInt32(block + g * 4, true)) | 0
      ;[a, b, c, d] = [d, (b + rotate(sum, SHIFTS[round * 4 + (i & 3)])) | 0, b, c]
    }
    ;[a, b, c, d].forEach((word, at) => {
      state[at] = (state[at] + word) | 0
    })
  }
  return words(state, true)
}

const MASK = (1n << 64n) - 1n
/** The first 64 bits behind the point of a root. */
function root64(value, power) {
  const scaled = BigInt(value) << (64n * power)
  let low = 0n
  let high = 1n << 72n
  while (low < high) {
    const middle = (low + high + 1n) >> 1n
    if (middle ** power <= scaled) low = middle
    else high = middle - 1n
  }
  return low & MASK
}
let K512
const H384 = [
  0xcbbb9d5dc1059ed8n,
  0x629a292a367cd507n,
  0x9159015a3070dd17n,
  0x152fecd8f70e5939n,
  0x67332667ffc00b31n,
  0x8eb44a8768581511n,
  0xdb0c2e0d64f98fa7n,
  0x47b5481dbefa4fa4n,
]

function long(bytes, state) {
  K512 ??= primes(80).map((prime) => root64(prime, 3n))
  const all = new Uint8Array((((bytes.length + 16) >> 7) + 1) * 128)
  all.set(bytes)
  all[bytes.length] = 0x80
  const data = new DataView(all.buffer)
  data.setBigUint64(all.length - 8, BigInt(bytes.length) * 8n)
  const right = (word, by) => ((word >> by) | (word << (64n - by))) & MASK
  for (let block = 0; block < all.length; block += 128) {
    const w = []
    for (let i = 0; i < 16; i++) w.push(data.getBigUint64(block + i * 8))
    for (let i = 16; i < 80; i++) {
      const s0 = right(w[i - 15], 1n) ^ right(w[i - 15], 8n) ^ (w[i - 15] >> 7n)
      const s1 = right(w[i - 2], 19n) ^ right(w[i - 2], 61n) ^ (w[i - 2] >> 6n)
      w.push((w[i - 16] + s0 + w[i - 7] + s1) & MASK)
    }
    let [a, b, c, d, e, f, g, h] = state
    for (let i = 0; i < 80; i++) {
      const t1 = h + (right(e, 14n) ^ right(e, 18n) ^ right(e, 41n)) + ((e & f) ^ (~e & MASK & g)) + K512[i] + w[i]
      const t2 = (right(a, 28n) ^ right(a, 34n) ^ right(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c))
      ;[a, b, c, d, e, f, g, h] = [(t1 + t2) & MASK, a, b, c, (d + t1) & MASK, e, f, g]
    }
    state = [a, b, c, d, e, f, g, h].map((word, at) => (state[at] + word) & MASK)
  }
  const out = new DataView(new ArrayBuffer(64))
  for (const [at, word] of state.entries()) out.setBigUint64(at * 8, word)
  return new Uint8Array(out.buffer)
}

module.exports = {
  md5,
  sha1,
  sha256,
  sha384: (bytes) => long(bytes, H384).slice(0, 48),
  sha512: (bytes) =>
    long(
      bytes,
      primes(8).map((prime) => root64(prime, 2n)),
    ),
}
