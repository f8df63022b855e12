/** Needs `task`. Defines `send` and `tell`. Output is sent in frames, synchronously: `write` returns after the frames are written. */
export const OUTPUT: string = `
const FRAME_BYTES = 3000
const WRITE_CHARACTERS = 32768
const MAX_MESSAGE = 16 * 1024 * 1024
const own = { writeSync: fs.writeSync, write: fs.write, writev: fs.writev, writevSync: fs.writevSync, writeFileSync: fs.writeFileSync }
const madeStdout = Object.getOwnPropertyDescriptor(process, 'stdout')
const later = new Int32Array(new SharedArrayBuffer(4))
const rest = (milliseconds) => Atomics.wait(later, 0, 0, milliseconds)

function print(text) {
  let bytes = Buffer.from(text, 'latin1')
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(own.writeSync(1, bytes))
    } catch (error) {
      if (error.code === 'EAGAIN') rest(1)
      // A terminal that has no descriptor, or nobody who reads.
      else if (error.code === 'EPIPE') return
      else return void (madeStdout.get ? madeStdout.get.call(process) : madeStdout.value).write(bytes)
    }
  }
}

function tell(kind, bytes, last = kind) {
  let text = ''
  for (let at = 0; at < bytes.length; at += FRAME_BYTES) {
    const piece = bytes.subarray(at, at + FRAME_BYTES)
    text += task.start + (at + FRAME_BYTES < bytes.length ? kind : last) + ':' + piece.toString('base64') + '>'
    if (text.length < WRITE_CHARACTERS) continue
    print(text)
    text = ''
  }
  print(text)
}

function send(message) {
  const text = JSON.stringify(message)
  if (text.length > MAX_MESSAGE) throw new RangeError('It has ' + text.length + ' characters as JSON, and ' + MAX_MESSAGE + ' at the most can be handed over')
  tell('m', Buffer.from(text), 'M')
}

function createOutput(fd) {
  const stream = new Writable({
    emitClose: false,
    autoDestroy: false,
    write(chunk, _, done) {
      tell(String(fd), chunk)
      done()
    },
    // As Node's own: it cannot be closed.
    destroy: (error, done) => done(error),
  })
  return Object.assign(stream, { fd, _type: 'pipe', destroySoon: stream.destroy })
}

const bytesOf = (data, encoding) =>
  typeof data === 'string' ? Buffer.from(data, encoding) : Buffer.from(data.buffer, data.byteOffset, data.byteLength)

function written(data, args) {
  if (typeof data === 'string') return bytesOf(data, typeof args[1] === 'string' ? args[1] : 'utf8')
  const bytes = bytesOf(data)
  const { offset = 0, length } = typeof args[0] === 'object' && args[0] !== null ? args[0] : { offset: args[0] ?? 0, length: args[1] ?? undefined }
  return bytes.subarray(offset, length === undefined ? undefined : offset + length)
}

const outputOf = (file) => (file === 1 || file === '/dev/stdout' ? '1' : file === 2 || file === '/dev/stderr' ? '2' : undefined)

function frameOutput() {
  for (const [name, fd] of [['stdout', 1], ['stderr', 2]]) {
    let stream
    Object.defineProperty(process, name, { configurable: true, enumerable: true, get: () => (stream ??= createOutput(fd)) })
  }
  fs.writeSync = function writeSync(fd, data, ...args) {
    if (fd !== 1 && fd !== 2) return own.writeSync.call(this, fd, data, ...args)
    const bytes = written(data, args)
    tell(String(fd), bytes)
    return bytes.length
  }
  fs.write = function write(fd, data, ...args) {
    if (fd !== 1 && fd !== 2) return own.write.call(this, fd, data, ...args)
    const done = args.pop()
    const bytes = written(data, args)
    tell(String(fd), bytes)
    process.nextTick(done, null, bytes.length, data)
  }
  fs.writevSync = function writevSync(fd, views, ...args) {
    return fd === 1 || fd === 2 ? fs.writeSync(fd, Buffer.concat(views.map((view) => bytesOf(view)))) : own.writevSync.call(this, fd, views, ...args)
  }
  fs.writev = function writev(fd, views, ...args) {
    if (fd !== 1 && fd !== 2) return own.writev.call(this, fd, views, ...args)
    process.nextTick(args.pop(), null, fs.writevSync(fd, views), views)
  }
  fs.writeFileSync = function writeFileSync(file, data, options) {
    const kind = outputOf(file)
    if (kind === undefined) return own.writeFileSync.call(this, file, data, options)
    tell(kind, typeof data === 'string' ? bytesOf(data, (typeof options === 'string' ? options : options?.encoding) ?? 'utf8') : bytesOf(data))
  }
}
`
