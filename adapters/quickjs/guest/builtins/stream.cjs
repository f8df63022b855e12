// readable-stream, plus the conversions to and from web streams that it lacks.
// Not its entry for browsers, which exports `Readable`: packages inherit from the module, so it must be the class `Stream` as in Node.
const stream = require('readable-stream/lib/stream.js')
const { Readable, Writable, Duplex } = stream

Readable.fromWeb = (readable, options = {}) => {
  const reader = readable.getReader()
  return new Readable({
    ...options,
    read() {
      reader.read().then(
        ({ done, value }) => this.push(done ? null : options.objectMode || typeof value === 'string' ? value : Buffer.from(value)),
        (error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      reader.cancel(error).then(
        () => done(error),
        () => done(error),
      )
    },
  })
}

Readable.toWeb = (readable) => {
  const objects = readable.readableObjectMode
  return new ReadableStream(
    {
      start(controller) {
        readable.pause()
        readable.on('data', (chunk) => {
          controller.enqueue(objects || typeof chunk === 'string' ? chunk : new Uint8Array(chunk))
          if (controller.desiredSize <= 0) readable.pause()
        })
        stream.finished(readable, { writable: false }, (error) => {
          try {
            if (error)
              controller.error(
                error.code === 'ERR_STREAM_PREMATURE_CLOSE' ? new DOMException('The operation was aborted', 'AbortError') : error,
              )
            else controller.close()
          } catch {
            // The stream was cancelled in the meantime.
          }
        })
      },
      pull: () => void readable.resume(),
      cancel: (reason) => void readable.destroy(reason),
    },
    objects
      ? { highWaterMark: readable.readableHighWaterMark }
      : { highWaterMark: readable.readableHighWaterMark, size: (chunk) => chunk?.length ?? 1 },
  )
}

Writable.fromWeb = (writable, options = {}) => {
  const writer = writable.getWriter()
  const settle = (promise, done) =>
    promise.then(
      () => done(),
      (error) => done(error),
    )
  return new Writable({
    ...options,
    write: (chunk, _, done) => void settle(writer.write(chunk), done),
    final: (done) => void settle(writer.close(), done),
    destroy: (error, done) => (error ? void settle(writer.abort(error), () => done(error)) : done()),
  })
}

Writable.toWeb = (writable) =>
  new WritableStream({
    start(controller) {
      writable.on('error', (error) => controller.error(error))
    },
    write: (chunk) => (writable.write(chunk) ? undefined : new Promise((resolve) => writable.once('drain', resolve))),
    close: () => new Promise((resolve) => writable.end(resolve)),
    abort: (reason) => void writable.destroy(reason),
  })

Duplex.toWeb = (duplex) => ({ readable: Readable.toWeb(duplex), writable: Writable.toWeb(duplex) })
Duplex.fromWeb = ({ readable, writable }, options) =>
  Duplex.from({ readable: Readable.fromWeb(readable, options), writable: Writable.fromWeb(writable, options) })

module.exports = stream
