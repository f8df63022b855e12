const { host } = internal
const random = internal.random
const HASHES = ['md5', 'ripemd160', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512']
const unsupported = (name) =>
  Object.assign(
    new Error(`crypto.${name} is not available in this environment: use crypto.subtle.digest, or a package of pure JavaScript`),
    {
      code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
    },
  )

function getRandomValues(array) {
  if (array.byteLength > 65536)
    throw new DOMException("The ArrayBufferView's byte length exceeds the number of bytes of entropy available", 'QuotaExceededError')
  random.fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  return array
}
function randomBytes(size, callback) {
  const bytes = Buffer.alloc(size)
  random.fill(bytes)
  if (!callback) return bytes
  process.nextTick(callback, null, bytes)
}
function randomInt(low, high, callback) {
  if (high === undefined || typeof high === 'function') [low, high, callback] = [0, low, high]
  const value = low + Math.floor(Math.random() * (high - low))
  if (!callback) return value
  process.nextTick(callback, null, value)
}
const bytesOf = (data, encoding, name = 'data') => {
  if (typeof data === 'string') return Buffer.from(data, encoding)
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  const message = `The "${name}" argument must be of type string or an instance of Buffer, TypedArray, or DataView.`
  throw Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' })
}
/** Returns the bytes of a key. Unlike data, a key may be an ArrayBuffer. */
const keyOf = (key) => {
  if (key instanceof KeyObject) return key.export()
  return key instanceof ArrayBuffer ? new Uint8Array(key) : bytesOf(key, 'utf8', 'key')
}
function algorithmOf(name) {
  const key = `${name}`.toLowerCase().replace('-', '')
  if (HASHES.includes(key)) return require('internal/hash')[key]
  throw Object.assign(new Error('Digest method not supported'), { code: 'ERR_CRYPTO_INVALID_DIGEST' })
}
/** Gives a hash or HMAC of `@noble/hashes` the interface of Node. */
function digesting(state) {
  let isOver = false
  const checkOpen = () => {
    if (isOver) throw Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' })
  }
  return {
    update(data, encoding) {
      checkOpen()
      state.update(bytesOf(data, encoding))
      return this
    },
    digest(encoding) {
      checkOpen()
      isOver = true
      const bytes = Buffer.from(state.digest())
      return encoding && encoding !== 'buffer' ? bytes.toString(encoding) : bytes
    },
    copy() {
      checkOpen()
      return digesting(state.clone())
    },
  }
}
const createHash = (name) => digesting(algorithmOf(name).create())
/** A secret key, the only supported kind of key. */
class KeyObject {
  #bytes
  constructor(type, bytes) {
    if (type !== 'secret') throw unsupported('KeyObject')
    this.#bytes = bytes
  }
  get type() {
    return 'secret'
  }
  get symmetricKeySize() {
    return this.#bytes.length
  }
  export({ format = 'buffer' } = {}) {
    return format === 'jwk' ? { kty: 'oct', k: this.#bytes.toString('base64url') } : Buffer.from(this.#bytes)
  }
  equals(other) {
    return other instanceof KeyObject && Buffer.compare(this.#bytes, other.#bytes) === 0
  }
}
const createSecretKey = (key, encoding) => new KeyObject('secret', Buffer.from(key, encoding))

function createHmac(name, key) {
  const { update, digest } = digesting(require('internal/hash').hmac.create(algorithmOf(name), keyOf(key)))
  return { update, digest }
}

const subtle = {
  async digest(algorithm, data) {
    const view = ArrayBuffer.isView(data) ? data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) : data.slice(0)
    const { bytes } = await host.later('digest', typeof algorithm === 'string' ? algorithm : algorithm.name, view)
    return bytes
  },
}
const webcrypto = { getRandomValues, randomUUID: random.uuid, subtle }

module.exports = {
  webcrypto,
  subtle,
  getRandomValues,
  randomUUID: random.uuid,
  randomBytes,
  randomInt,
  randomFillSync: getRandomValues,
  createHash,
  hash: (name, data, encoding = 'hex') => createHash(name).update(data).digest(encoding),
  createHmac,
  createSecretKey,
  KeyObject,
  getHashes: () => [...HASHES],
  timingSafeEqual: (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at]),
}
for (const name of [
  'createCipheriv',
  'createDecipheriv',
  'createPrivateKey',
  'createPublicKey',
  'createSign',
  'createVerify',
  'generateKeyPairSync',
  'pbkdf2Sync',
  'scryptSync',
]) {
  module.exports[name] = () => {
    throw unsupported(name)
  }
}
