// Random numbers from a seed of the host: the same seed gives the same numbers.
let state = new Uint32Array(4)

/** Returns the next number of the generator sfc32, whose state is four words. */
function next() {
  const sum = (((state[0] + state[1]) | 0) + state[3]) | 0
  state[3] = (state[3] + 1) | 0
  state[0] = state[1] ^ (state[1] >>> 9)
  state[1] = (state[2] + (state[2] << 3)) | 0
  state[2] = (state[2] << 21) | (state[2] >>> 11)
  state[2] = (state[2] + sum) | 0
  return sum >>> 0
}

function installRandom(seed) {
  state = Uint32Array.from(seed)
  for (let turn = 0; turn < 12; turn++) next()
  Object.defineProperty(Math, 'random', {
    value: function random() {
      return ((next() >>> 5) * 0x4000000 + (next() >>> 6)) / 2 ** 53
    },
    writable: true,
    configurable: true,
  })
}

function fill(bytes) {
  for (let at = 0; at < bytes.length; at += 4) {
    const word = next()
    for (let index = 0; index < 4 && at + index < bytes.length; index++) bytes[at + index] = (word >>> (8 * index)) & 0xff
  }
  return bytes
}

function uuid() {
  const bytes = fill(new Uint8Array(16))
  bytes[6] = (bytes[6] & 0x0f) | 0x40
  bytes[8] = (bytes[8] & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

module.exports = { installRandom, fill, uuid }
