const { Readable, Writable, addAbortSignal, finished } = require('stream')
const files = require('./descriptors.cjs')
const input = require('./given.cjs')
const { askLater } = require('./ask.cjs')
const { outOfRange } = require('./errors.cjs')

const READ_BYTES = 65536
const READ_ALL = 2 ** 40
const read = files.later((descriptor, length, position) => files.reading(descriptor, length, position, (bytes) => bytes))
const write = files.later(files.writing)

/** Validates the options before the stream is created. */
function optionsOf(given) {
  const options = typeof given === 'string' ? { encoding: given } : (given ?? {})
  const start = input.offsetOf(options.start, 'start')
  const end = options.end === Infinity ? Infinity : (input.offsetOf(options.end, 'end') ?? Infinity)
  if (start !== undefined && start > end) throw outOfRange('start', `<= "end" (here: ${end})`, start)
  return { ...options, start, end, signal: input.signalOf(options) }
}
const streamOptions = ({ highWaterMark, autoClose = true, emitClose = true }) => ({
  ...(highWaterMark !== undefined && { highWaterMark }),
  autoDestroy: autoClose,
  emitClose,
})

/** Sets the properties that both kinds of streams have: the path or descriptor, and how to open the file. */
function begin(stream, path, options, flags) {
  stream._handle = typeof options.fd === 'object' && options.fd !== null ? options.fd : undefined
  Object.defineProperty(stream, '_handle', { enumerable: false })
  stream.fd = stream._handle ? stream._handle.fd : (options.fd ?? null)
  if (stream.fd === null) stream.path = path instanceof Uint8Array ? path : input.pathOf(path)
  else if (stream.fd !== null) files.checkDescriptor(stream.fd)
  stream.flags = options.flags ?? flags
  stream.mode = options.mode ?? 0o666
  stream.start = options.start
  stream.pos = stream.start
}
function construct(stream, done) {
  if (stream.fd !== null) return done()
  const opening = async () => askLater(files.opening(stream.path, stream.flags, stream.mode))
  opening().then((descriptor) => {
    stream.fd = descriptor
    done()
    stream.emit('open', descriptor)
    stream.emit('ready')
  }, done)
}
function destroy(stream, error, done) {
  const { fd, _handle } = stream
  if (fd === null) return done(error)
  stream.fd = null
  // First wait for pending operations, because another file may then get the descriptor.
  const close = async () => (_handle ? _handle.close() : files.settled(fd).then(() => files.closing(fd)))
  close().then(
    () => done(error),
    (failed) => done(error ?? failed),
  )
}
const pending = {
  configurable: true,
  get() {
    return this.fd === null
  },
}

class ReadStream extends Readable {
  constructor(path, given) {
    const options = optionsOf(given)
    super({ highWaterMark: READ_BYTES, ...streamOptions(options) })
    begin(this, path, options, 'r')
    this.end = options.end
    this.bytesRead = 0
    if (options.encoding) this.setEncoding(options.encoding)
    if (options.signal) addAbortSignal(options.signal, this)
  }
  _construct(done) {
    construct(this, done)
  }
  /** Reads the whole range at once. `_give` then delivers the content in parts. */
  async _load() {
    const length = this.end === Infinity ? READ_ALL : Math.max(0, this.end - (this.start ?? 0) + 1)
    this._left = await read(this.fd, length, this.start ?? (this.end === Infinity ? undefined : 0))
    Object.defineProperty(this, '_left', { enumerable: false })
  }
  _read(size) {
    if (this._left) return this._give(size)
    this._load().then(
      () => this._give(size),
      (error) => this.destroy(error),
    )
  }
  _give(size) {
    const chunk = this._left.subarray(0, size)
    this._left = this._left.subarray(chunk.length)
    this.bytesRead += chunk.length
    this.push(chunk.length > 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length) : null)
  }
  _destroy(error, done) {
    destroy(this, error, done)
  }
  close(callback) {
    if (callback) finished(this, callback)
    this.destroy()
  }
}

class WriteStream extends Writable {
  constructor(path, given) {
    const options = optionsOf(given)
    super({ ...streamOptions(options), decodeStrings: true })
    begin(this, path, options, 'w')
    this.bytesWritten = 0
    if (options.encoding) this.setDefaultEncoding(options.encoding)
    if (options.signal) addAbortSignal(options.signal, this)
  }
  _construct(done) {
    construct(this, done)
  }
  _write(chunk, _, done) {
    const bytes = input.bytesOf(chunk)
    write(this.fd, bytes, this.pos).then(() => {
      this.bytesWritten += bytes.byteLength
      if (this.pos !== undefined) this.pos += bytes.byteLength
      done()
    }, done)
  }
  _writev(chunks, done) {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), undefined, done)
  }
  _destroy(error, done) {
    destroy(this, error, done)
  }
  close(callback) {
    if (callback) {
      if (this.closed) return void process.nextTick(callback)
      this.on('close', callback)
    }
    if (!this._writableState.autoDestroy) this.on('finish', this.destroy)
    this.end()
  }
  destroySoon() {
    this.end()
  }
}
for (const Class of [ReadStream, WriteStream]) Object.defineProperty(Class.prototype, 'pending', pending)

module.exports = { ReadStream, WriteStream }
