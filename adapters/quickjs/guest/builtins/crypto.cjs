const { host } = internal
const random = internal.random
const names = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' }
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
function createHash(name) {
  const algorithm = `${name}`.toLowerCase().replace('-', '')
  if (!(algorithm in names) && algorithm !== 'md5')
    throw Object.assign(new Error('Digest method not supported'), { code: 'ERR_CRYPTO_INVALID_DIGEST' })
  const parts = []
  return {
    update(data, encoding) {
      parts.push(typeof data === 'string' ? Buffer.from(data, encoding) : Buffer.from(data))
      return this
    },
    digest(encoding) {
      const bytes = require('internal/hash')[algorithm](Buffer.concat(parts))
      return encoding ? Buffer.from(bytes).toString(encoding) : Buffer.from(bytes)
    },
    copy() {
      const copy = createHash(name)
      for (const part of parts) copy.update(part)
      return copy
    },
  }
}
/** A secret: there are no other keys. */
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
  if (key instanceof KeyObject) key = key.export()

  const block = /384|512/.test(name) ? 128 : 64
  let secret = Buffer.from(key)
  if (secret.length > block) secret = createHash(name).update(secret).digest()
  const padded = Buffer.concat([secret, Buffer.alloc(block - secret.length)])
  const inner = createHash(name).update(padded.map((byte) => byte ^ 0x36))
  return {
    update(data, encoding) {
      inner.update(data, encoding)
      return this
    },
    digest: (encoding) =>
      createHash(name)
        .update(padded.map((byte) => byte ^ 0x5c))
        .update(inner.digest())
        .digest(encoding),
  }
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
  createHmac,
  createSecretKey,
  KeyObject,
  getHashes: () => ['md5', ...Object.keys(names)],
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
