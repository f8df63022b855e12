const { Transform } = require('stream')
const refusal = require('internal/refusal')
const library = () => require('internal/fflate')
const coded = (error, code) => Object.assign(error, { code })

const KINDS = {
  gzip: ['gzipSync', 'Gzip'],
  gunzip: ['gunzipSync', 'Gunzip'],
  deflate: ['zlibSync', 'Zlib'],
  inflate: ['unzlibSync', 'Unzlib'],
  deflateRaw: ['deflateSync', 'Deflate'],
  inflateRaw: ['inflateSync', 'Inflate'],
  unzip: ['decompressSync', 'Decompress'],
}
const bytesOf = (data) => {
  if (typeof data === 'string') return Buffer.from(data)
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)
}
const optionsOf = ({ level = -1 } = {}) => ({ level: level < 0 ? 6 : level })
const bufferOf = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const faultOf = (error) => {
  const name = error.message === 'unexpected EOF' ? 'Z_BUF_ERROR' : 'Z_DATA_ERROR'
  return Object.assign(coded(new Error(error.message === 'unexpected EOF' ? 'unexpected end of file' : error.message), name), { errno: -3 })
}

for (const [name, [sync, Stream]] of Object.entries(KINDS)) {
  const now = (data, options = {}) => {
    const bytes = bytesOf(data)
    let result
    try {
      result = bufferOf(library()[sync](bytes, optionsOf(options)))
    } catch (error) {
      throw faultOf(error)
    }
    if (result.length > (options.maxOutputLength ?? Infinity))
      throw coded(new RangeError(`Cannot create a Buffer larger than ${options.maxOutputLength} bytes`), 'ERR_BUFFER_TOO_LARGE')
    return result
  }
  module.exports[`${name}Sync`] = now
  module.exports[name] = (data, options, callback = options) => {
    let outcome
    try {
      outcome = [null, now(data, typeof options === 'object' ? options : {})]
    } catch (error) {
      outcome = [error]
    }
    process.nextTick(callback, ...outcome)
  }
  const Class = name[0].toUpperCase() + name.slice(1)
  const Stream_ = class extends Transform {
    constructor(options = {}) {
      super(options)
      this.bytesWritten = 0
      this._inner = new (library()[Stream])(optionsOf(options))
      this._inner.ondata = (bytes) => bytes.length > 0 && this.push(bufferOf(bytes))
    }
    _transform(chunk, _, done) {
      this.bytesWritten += chunk.length
      this._push(chunk, false, done)
    }
    _flush(done) {
      if (this.bytesWritten === 0 && /un|in/i.test(name.slice(0, 2))) return done()
      this._push(new Uint8Array(0), true, done)
    }
    _push(chunk, last, done) {
      try {
        this._inner.push(chunk, last)
      } catch (error) {
        return done(faultOf(error))
      }
      done()
    }
    flush(_, callback) {
      if (typeof (callback ?? _) === 'function') process.nextTick(callback ?? _)
    }
    close(callback) {
      if (callback) process.nextTick(callback)
      this.destroy()
    }
  }
  Object.defineProperty(Stream_, 'name', { value: Class })
  module.exports[Class] = Stream_
  module.exports[`create${Class}`] = (options) => new Stream_(options)
}
const NO_BROTLI = 'the sandbox has no Brotli. Use gzip or deflate.'
for (const name of [
  'brotliCompress',
  'brotliCompressSync',
  'brotliDecompress',
  'brotliDecompressSync',
  'createBrotliCompress',
  'createBrotliDecompress',
])
  module.exports[name] = refusal(`zlib.${name}`, NO_BROTLI)

let table
module.exports.crc32 = (data, before = 0) => {
  table ??= Int32Array.from({ length: 256 }, (_, byte) => {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
    return value
  })
  let crc = ~before
  for (const byte of bytesOf(data)) crc = (crc >>> 8) ^ table[(crc ^ byte) & 255]
  return ~crc >>> 0
}
module.exports.constants = {
  Z_NO_FLUSH: 0,
  Z_PARTIAL_FLUSH: 1,
  Z_SYNC_FLUSH: 2,
  Z_FULL_FLUSH: 3,
  Z_FINISH: 4,
  Z_BLOCK: 5,
  Z_OK: 0,
  Z_STREAM_END: 1,
  Z_DATA_ERROR: -3,
  Z_BUF_ERROR: -5,
  Z_NO_COMPRESSION: 0,
  Z_BEST_SPEED: 1,
  Z_BEST_COMPRESSION: 9,
  Z_DEFAULT_COMPRESSION: -1,
  Z_DEFAULT_STRATEGY: 0,
  Z_DEFAULT_LEVEL: -1,
  BROTLI_OPERATION_FLUSH: 1,
  BROTLI_PARAM_QUALITY: 1,
}
Object.assign(module.exports, module.exports.constants)
