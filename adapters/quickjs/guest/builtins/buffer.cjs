const library = require('buffer/')
const { Buffer } = library
const custom = Symbol.for('nodejs.util.inspect.custom')
// The host converts UTF-8 text, because conversion by guest code would be slow.
const slowFrom = Buffer.from
Buffer.from = function from(value, encoding, length) {
  if (typeof value === 'string' && (encoding === undefined || encoding === 'utf8' || encoding === 'utf-8')) {
    const bytes = new TextEncoder().encode(value)
    return slowFrom(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
  return slowFrom(value, encoding, length)
}
const slowToString = Buffer.prototype.toString
Buffer.prototype.toString = function toString(encoding, start, end) {
  if (encoding === undefined || encoding === 'utf8' || encoding === 'utf-8') {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(start === undefined && end === undefined ? this : this.subarray(start, end))
  }
  if (encoding === 'base64url')
    return slowToString.call(this, 'base64', start, end).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return slowToString.call(this, encoding, start, end)
}
Buffer.prototype[custom] = function inspect() {
  const shown = [...this.subarray(0, 50)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
  const left = this.length - 50
  return `<Buffer${shown ? ` ${shown}` : ''}${left > 0 ? ` ... ${left} more byte${left > 1 ? 's' : ''}` : ''}>`
}
delete Buffer.prototype.inspect
// Packages recognize a polyfill by this property and then refuse to run (@exodus/bytes).
delete Buffer.TYPED_ARRAY_SUPPORT
Object.assign(module.exports, library, {
  Buffer,
  atob: globalThis.atob,
  btoa: globalThis.btoa,
  isUtf8,
  isAscii,
  constants: { MAX_LENGTH: library.kMaxLength, MAX_STRING_LENGTH: 2 ** 29 - 24 },
})

function isUtf8(bytes) {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

function isAscii(bytes) {
  return new Uint8Array(bytes.buffer ?? bytes).every((byte) => byte < 128)
}
