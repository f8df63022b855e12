import type { Pace } from './pace.js'

// Digests that no runtime provides.

/** Bytes between two checks of the time slice. */
const TURN = 64 * 1024

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The first 32 bits of the fractions of the cube roots of the primes. */
const ROUND_KEYS = Int32Array.from(primes(64), (prime) => fractionOf(Math.cbrt(prime)))
const SHA224_START = [0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4]

function fractionOf(root: number): number {
  return Math.floor((root % 1) * 2 ** 32) | 0
}

function primes(count: number): number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}

export async function sha224(bytes: Uint8Array, pace: Pace): Promise<string> {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(padded.length - 4, bytes.length << 3)
  const state = Int32Array.from(SHA224_START)
  for (let at = 0; at < padded.length; at += 64) {
    sha2Block(state, view, at)
    if (at % TURN === 0) await pace.turn(TURN / 100)
  }
  const out = new DataView(new ArrayBuffer(28))
  for (let i = 0; i < 7; i++) out.setInt32(i * 4, state[i] as number)
  return hex(new Uint8Array(out.buffer))
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

const words = new Int32Array(64)

function sha2Block(state: Int32Array, view: DataView, at: number): void {
  for (let i = 0; i < 64; i++) {
    if (i < 16) {
      words[i] = view.getInt32(at + i * 4)
      continue
    }
    const [x, y] = [words[i - 15] as number, words[i - 2] as number]
    const small = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)
    const large = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10)
    words[i] = (words[i - 16] as number) + small + (words[i - 7] as number) + large
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const chosen = (e & f) ^ (~e & g)
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + (ROUND_KEYS[i] as number) + (words[i] as number)) | 0
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] as number) + value
}

const BLAKE_START = BigUint64Array.of(
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
)
/** Order of the message words in each round. */
const ORDERS = [
  '0123456789abcdef',
  'ea489fd61c02b753',
  'b8c052fdae367194',
  '7931dcbe265a40f8',
  '905724afe1bc683d',
  '2c6a0b834d75fe19',
  'c51fed4a0763928b',
  'db7ec13950f4862a',
  '6fe9b308c2d714a5',
  'a2847615fb9e3cd0',
].map((order) => Array.from(order, (digit) => Number.parseInt(digit, 16)))
const BLAKE_ROUNDS = 12
/** Columns, then diagonals. */
const LANES = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const

/** BLAKE2b with a digest of `length` bytes. */
export async function blake2b(bytes: Uint8Array, pace: Pace, length: number): Promise<string> {
  const padded = new Uint8Array(Math.max(1, Math.ceil(bytes.length / 128)) * 128)
  padded.set(bytes)
  const view = new DataView(padded.buffer)
  const state = BigUint64Array.from(BLAKE_START)
  state[0] = (state[0] as bigint) ^ BigInt(0x01010000 ^ length)
  for (let at = 0; at < padded.length; at += 128) {
    blakeBlock(state, view, at, bytes.length)
    if (at % 1024 === 0) await pace.turn(1000)
  }
  const out = new DataView(new ArrayBuffer(64))
  for (const [i, word] of state.entries()) out.setBigUint64(i * 8, word, true)
  return hex(new Uint8Array(out.buffer, 0, length))
}

function blakeBlock(state: BigUint64Array, view: DataView, at: number, size: number): void {
  const v = new BigUint64Array(16)
  v.set(state)
  v.set(BLAKE_START, 8)
  v[12] = (v[12] as bigint) ^ BigInt(Math.min(at + 128, size))
  if (at + 128 >= size) v[14] = ~(v[14] as bigint)
  for (let round = 0; round < BLAKE_ROUNDS; round++) {
    const order = ORDERS[round % ORDERS.length] as number[]
    for (const [i, lane] of LANES.entries()) {
      mix(v, lane, 32n, 24n, view.getBigUint64(at + (order[i * 2] as number) * 8, true))
      mix(v, lane, 16n, 63n, view.getBigUint64(at + (order[i * 2 + 1] as number) * 8, true))
    }
  }
  for (let i = 0; i < 8; i++) state[i] = (state[i] as bigint) ^ (v[i] as bigint) ^ (v[i + 8] as bigint)
}

function mix(v: BigUint64Array, [a, b, c, d]: (typeof LANES)[number], first: bigint, second: bigint, word: bigint): void {
  v[a] = (v[a] as bigint) + (v[b] as bigint) + word
  v[d] = turnedLong((v[d] as bigint) ^ (v[a] as bigint), first)
  v[c] = (v[c] as bigint) + (v[d] as bigint)
  v[b] = turnedLong((v[b] as bigint) ^ (v[c] as bigint), second)
}

/** Rotates right; the target array truncates the result to 64 bits. */
const turnedLong = (word: bigint, by: bigint): bigint => (word >> by) | (word << (64n - by))
