const streams = require('web-streams-polyfill')
const { TransformStream } = streams

/** A pair of streams, one readable and one writable, around a transformer. */
class Transform {
  #inner
  constructor(transformer) {
    this.#inner = new TransformStream(transformer)
  }
  get readable() {
    return this.#inner.readable
  }
  get writable() {
    return this.#inner.writable
  }
}

class TextEncoderStream extends Transform {
  constructor() {
    const encoder = new TextEncoder()
    let half = ''
    super({
      transform(chunk, controller) {
        let text = half + String(chunk)
        half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
        if (half) text = text.slice(0, -1)
        if (text) controller.enqueue(encoder.encode(text))
      },
      flush: (controller) => half && controller.enqueue(encoder.encode('\ufffd')),
    })
  }
  get encoding() {
    return 'utf-8'
  }
}

class TextDecoderStream extends Transform {
  #decoder
  constructor(label, options) {
    const decoder = new TextDecoder(label, options)
    super({
      transform(chunk, controller) {
        const text = decoder.decode(chunk, { stream: true })
        if (text) controller.enqueue(text)
      },
      flush(controller) {
        const text = decoder.decode()
        if (text) controller.enqueue(text)
      },
    })
    this.#decoder = decoder
  }
  get encoding() {
    return this.#decoder.encoding
  }
  get fatal() {
    return this.#decoder.fatal
  }
  get ignoreBOM() {
    return this.#decoder.ignoreBOM
  }
}

/** Creates a transformer from a stream object of fflate, whose method `push(bytes, isLast)` calls `ondata` synchronously. */
const throughFflate = (stream) => ({
  start(controller) {
    stream.ondata = (bytes) => bytes.length > 0 && controller.enqueue(bytes)
  },
  transform(chunk) {
    if (typeof chunk === 'string') throw new TypeError('The chunk must be an ArrayBuffer or a view of one')
    stream.push(ArrayBuffer.isView(chunk) ? new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength) : new Uint8Array(chunk))
  },
  flush() {
    stream.push(new Uint8Array(0), true)
  },
})
const streamOf = (kinds, format) => {
  const make = Object.hasOwn(kinds, format) ? kinds[format] : undefined
  if (!make) throw new TypeError(`Unsupported compression format: '${format}'`)
  return make(require('internal/fflate'))
}

class CompressionStream extends Transform {
  constructor(format) {
    super(
      throughFflate(
        streamOf(
          { gzip: ({ Gzip }) => new Gzip(), deflate: ({ Zlib }) => new Zlib(), 'deflate-raw': ({ Deflate }) => new Deflate() },
          format,
        ),
      ),
    )
  }
}

class DecompressionStream extends Transform {
  constructor(format) {
    super(
      throughFflate(
        streamOf(
          { gzip: ({ Gunzip }) => new Gunzip(), deflate: ({ Unzlib }) => new Unzlib(), 'deflate-raw': ({ Inflate }) => new Inflate() },
          format,
        ),
      ),
    )
  }
}

module.exports = { ...streams, TextEncoderStream, TextDecoderStream, CompressionStream, DecompressionStream }
